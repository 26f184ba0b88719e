/** `npm run fuzz:workflows -- [--count 2000] [--seed 1]`: made-up signals, queries and updates at all workflows. Ends with 1
 *  if a conversation is left unanswered, or a channel stuck. */
import { parseArgs } from 'node:util';
import { startChannelStand } from '../support/channel-stand.ts';
import { stopBacking } from '../support/backing.ts';
import { fuzzWorkflows } from './workflow-inputs.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const stand = await startChannelStand();
const began = performance.now();
const fuzzed = await fuzzWorkflows(stand, {
  ...{ count: Number(values.count), seed: Number(values.seed) },
  note: console.log,
});
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(`seed ${values.seed}, ${seconds} s: ${JSON.stringify(fuzzed)}`);
await stand.stop();
await stopBacking();
process.exit(fuzzed.unanswered + fuzzed.stuckChannels === 0 ? 0 : 1);
