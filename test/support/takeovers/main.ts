/** `npm run interleavings:takeovers -- --count 10000 [--seed 1]`: replies on their way, with a takeover committed before
 *  each of their steps, in each way. Ends with 1 if the agent said anything after one. */
import { parseArgs } from 'node:util';
import { connectDatabase } from '../../../src/adapters/postgres/database.ts';
import { backing, stopBacking } from '../backing.ts';
import { playTakeovers } from './play-takeovers.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const databaseUrl = await (await backing()).freshDatabase();
const db = connectDatabase(databaseUrl, 12);
const began = performance.now();
const { played, failing } = await playTakeovers(db, databaseUrl, {
  count: Number(values.count),
  seed: Number(values.seed),
});
const seconds = ((performance.now() - began) / 1000).toFixed(1);
for (const line of failing.slice(0, 10)) console.log(line);
console.log(
  `${played} interleavings with a takeover from seed ${values.seed}: ${failing.length} violations, ${seconds} s`,
);
await db.close();
await stopBacking();
process.exit(failing.length === 0 ? 0 : 1);
