/** `npm run bench:idle`: what 10,000 conversations that wait for their users cost an API and a worker that have been
 *  in use: their caches of set sizes are full, their code is compiled. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { startGround } from '../ground.ts';
import { growthOfIdle } from '../idle-conversations.ts';
import { startCallbacks } from '../load.ts';
import { rounded } from '../numbers.ts';
import { startProduct } from '../product-stack.ts';

const { conversations, warm } = new Command('bench:idle')
  .option('--conversations <number>', 'how many', '10000')
  .option('--warm <number>', 'before the growth is counted: caches are full, code is compiled', '2500')
  .parse()
  .opts<{ conversations: string; warm: string }>();

const megabyte = 1024 * 1024;
const ground = await startGround();
const callbacks = await startCallbacks();
const heldBytes = join(ground.folder, 'held-bytes');
const product = await startProduct(ground, {
  allow: callbacks.origin.slice('http://'.length),
  env: {
    NODE_OPTIONS: `--import=${new URL('collect-on-signal.ts', import.meta.url).href}`,
    HELD_BYTES: heldBytes,
  },
});
/** Bytes of JavaScript that API and worker hold, in all their threads: what is left after a collection. */
const held = async () => {
  writeFileSync(heldBytes, '');
  for (const pid of Object.values(product.pids)) process.kill(pid, 'SIGWINCH');
  await sleep(5000);
  const threads = readFileSync(heldBytes, 'utf8').trim().split('\n');
  return threads.reduce((sum, bytes) => sum + Number(bytes), 0);
};
const agentId = await product.agent({ model: 'scripted/default' });
const first = await growthOfIdle(product, callbacks, { agentId, conversations: 100, name: 'first' });
const warming = await growthOfIdle(product, callbacks, {
  agentId,
  conversations: Number(warm),
  name: 'warm',
});
console.log(
  `${rounded(first.after / megabyte)} MB after the first 100; grown by ${rounded((warming.after - first.after) / megabyte)} MB over the next ${warm}, which are not counted`,
);
const heldBefore = await held();
const steps = 5;
for (let step = 1; step <= steps; step++) {
  const growth = await growthOfIdle(product, callbacks, {
    ...{ agentId, conversations: Math.ceil(Number(conversations) / steps), name: `idle-${step}` },
  });
  const grown = growth.after - warming.after;
  const now = Object.entries(growth.byProcess).map(
    ([name, bytes]) => `${name} ${rounded(bytes / megabyte)} MB`,
  );
  console.log(
    `${step * growth.conversations} more: grown by ${rounded(grown / megabyte)} MB (${now.join(', ')})`,
  );
}
const heldAfter = await held();
console.log(
  `JavaScript held, after a collection in every thread: ${rounded(heldBefore / megabyte)} MB before, ${rounded(heldAfter / megabyte)} MB after: grown by ${rounded((heldAfter - heldBefore) / megabyte)} MB`,
);
const open = await ground.client.workflow.count(
  `ExecutionStatus = 'Running' and WorkflowType = 'conversation'`,
);
console.log(`${open.count} workflows of conversations are open; goal: grown by less than 50 MB`);
await product.stop();
await callbacks.close();
await ground.stop();
process.exit(0);
