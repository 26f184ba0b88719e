/**
 * `npm run peers:approvals -- --rounds N --seed N --engine NAME`: the same job on Parley, LangGraph's dev server and
 * Mastra; prints one table. Ends with 1 if Parley executed a call twice, without a decision or with other arguments, or
 * lost one without reporting it.
 */
import { parseArgs } from 'node:util';
import { stopBacking } from '../../support/backing.ts';
import { numbers } from '../../support/interleavings/interleaving.ts';
import { count, tableOf, type Case, type Counts } from './count.ts';
import type { Engine, Harness } from './engine.ts';
import { startHarness } from './harness-server.ts';
import { langGraphEngine } from './langgraph.ts';
import { mastraEngine } from './mastra.ts';
import { parleyEngine } from './parley.ts';
import { playRound } from './rounds.ts';

const engines: Readonly<Record<string, (harness: Harness) => Promise<Engine>>> = {
  parley: parleyEngine,
  langgraph: langGraphEngine,
  mastra: mastraEngine,
};

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string' },
  },
});
const rounds = Math.min(100, Number(values.rounds));
const named = values.engine === undefined ? Object.keys(engines) : [values.engine];

const rows: { engine: string; counts: Counts }[] = [];
let isKept = true;
let running: Engine | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void Promise.resolve(running?.stop())
      .then(stopBacking)
      .finally(() => process.exit(1));
  });
}
for (const name of named) {
  const make = engines[name];
  if (make === undefined) throw new Error(`There is no engine ${name}: ${Object.keys(engines).join(', ')}.`);
  const harness = await startHarness();
  const engine = await make(harness);
  running = engine;
  const random = numbers(Number(values.seed));
  const cases: Case[] = [];
  try {
    await engine.start();
    for (let round = 1; round <= rounds; round++) {
      cases.push(...(await playRound(engine, harness, random)));
      console.error(`${name}, round ${round}: ${JSON.stringify(count(cases))}`);
    }
  } finally {
    await engine.stop();
    harness.close();
  }
  const counts = count(cases);
  rows.push({ engine: engine.name, counts });
  const { twice, withoutDecision, otherArguments, lost, lostAsUnknown } = counts;
  if (name === 'parley' && twice + withoutDecision + otherArguments + (lost - lostAsUnknown) > 0)
    isKept = false;
}
await stopBacking();
console.log(tableOf(rows));
process.exit(isKept ? 0 : 1);
