/** `npm run count:requests`: the requests that a page of 1,000 blocks takes, beside what the API's limits allow. */
import { countLargePage } from './large-page.ts';

const { counts, lines, fetched } = await countLargePage();
const rows = counts
  .filter(({ made, least }) => made > 0 || least > 0)
  .map(({ step, request, made, least }) => `${step}: ${request}: ${made} (at least ${least})`);
process.stdout.write(`${rows.join('\n')}\n${fetched} blocks fetched, ${lines} of 1,000 in the markdown\n`);
process.exitCode = counts.every(({ made, least }) => made <= least) ? 0 : 1;
