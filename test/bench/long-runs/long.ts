/**
 * `npm run bench:long`: one conversation of 1,000 turns, all taken through the API, with a model that is sent the
 * context.
 */
import { Command } from 'commander';
import { startGround } from '../ground.ts';
import { startCallbacks, takeTurn, type Turn } from '../load.ts';
import { longModelMs, makeLongAgent } from '../long-conversation.ts';
import { startModelServer } from '../model-server.ts';
import { median, rounded } from '../numbers.ts';
import { startProduct } from '../product-stack.ts';
import { columns } from '../report.ts';
import { historySize } from '../turn-cost.ts';

const { turns, beside } = new Command('bench:long')
  .option('--turns <number>', 'of the long conversation', '1000')
  .option('--beside <number>', 'at each mark, turns of it and of a young one in turns', '15')
  .parse()
  .opts<{ turns: string; beside: string }>();
const samples = Number(beside);
const marks = [10, 100, 300, Number(turns)];

const ground = await startGround();
const callbacks = await startCallbacks();
const model = await startModelServer();
const product = await startProduct(ground, {
  allow: callbacks.origin.slice('http://'.length),
  env: { MODEL_BASE_URL: model.baseUrl },
});
const subject = { send: product.to(await makeLongAgent(product)) };
const turn = async (conversation: string) =>
  await takeTurn(subject, callbacks, conversation, 'a message of a usual length', longModelMs);
const whole = (taken: Turn[]) => median(taken.map(({ overheadMs }) => overheadMs + longModelMs));
const rows: string[][] = [];
let taken = 0;
for (const mark of marks) {
  while (taken < mark) {
    await turn('old');
    taken += 1;
  }
  const context = model.contextSizes.at(-1) ?? 0;
  // Beside it a conversation at its tenth turn, in turns: noise meets both.
  const young: Turn[] = [];
  const old: Turn[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const name = `young-${mark}-${Math.floor(sample / 4)}`;
    if (sample % 4 === 0) for (let warm = 0; warm < 8; warm++) await turn(name);
    young.push(await turn(name));
    old.push(await turn('old'));
    taken += 1;
  }
  rows.push([
    `${mark}`,
    rounded(whole(old)).toString(),
    rounded(whole(young)).toString(),
    rounded(whole(old) / whole(young), 3).toString(),
    `${context}`,
  ]);
  console.error(`${taken} turns taken`);
}
console.log(
  columns([
    ['turn', 'whole turn ms', 'of a 10th turn beside it', 'ratio', 'messages sent to the model'],
    ...rows,
  ]),
);

/** Within one execution of the workflow: it continues as new before its history is long. */
const before = await historySize(ground.client, product.workflowId('old'));
const more = 10;
for (let count = 0; count < more; count++) await turn('old');
const after = await historySize(ground.client, product.workflowId('old'));
if (after.events > before.events) {
  const perTurn = (size: number) => rounded(size / more);
  console.log(
    `a turn adds ${perTurn(after.events - before.events)} events and ${perTurn(after.bytes - before.bytes)} bytes`,
  );
}
console.log(`the workflow's present history: ${after.events} events, ${after.bytes} bytes`);
await product.stop();
await Promise.all([callbacks.close(), model.close()]);
await ground.stop();
process.exit(0);
