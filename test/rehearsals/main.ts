/**
 * `npm run test:rehearsals -- --seed N --conversations N --kills N`: records conversations and rehearses them; ends
 * with 1 if a turn of the same version differs, a planted change is not found in its class, a request leaves, or a
 * killed rehearsal reports something else.
 */
import { parseArgs } from 'node:util';
import { stopBacking } from '../support/backing.ts';
import { demandProof, runProof } from './proof.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    conversations: { type: 'string', default: '500' },
    kills: { type: 'string', default: '6' },
  },
});
const options = {
  seed: Number(values.seed),
  conversations: Number(values.conversations),
  kills: Number(values.kills),
};
const report = await runProof(options, (line) => {
  console.error(line);
});
await stopBacking();
console.log(JSON.stringify(report));
demandProof(report);
