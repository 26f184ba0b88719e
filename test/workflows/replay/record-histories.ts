/** `npm run histories:record [-- STORY …]`: plays the stories on the real product and writes their histories for the
 *  version in package.json. `-- --traces`: replays what is recorded, of every version, and writes the traces anew. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { projectRoot } from '../../../src/local/project-root.ts';
import { backing, stopBacking } from '../../support/backing.ts';
import { startStack } from '../../support/stack.ts';
import { stories } from '../stories/index.ts';
import { Stage, suggestedHistory, type Story } from '../stories/stage.ts';
import { bundleForReplay } from './bundle-for-replay.ts';
import { Cleaner } from './clean-history.ts';
import { historiesFolder, recordedStories } from './recorded-stories.ts';
import { replayHistories } from './replay-histories.ts';

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
};
const folder = join(historiesFolder, version);

async function record(chosen: readonly Story[]): Promise<void> {
  await backing({ temporalSettings: [`limit.historyCount.suggestContinueAsNew=${suggestedHistory}`] });
  const stack = await startStack();
  try {
    const stage = new Stage(stack);
    for (const story of chosen) {
      const began = Date.now();
      await recordOne(stage, story);
      await stage.afterwards();
      process.stdout.write(`${story.name}: ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
    }
  } finally {
    await stack.stop();
    await stopBacking();
  }
}

async function recordOne(stage: Stage, story: Story): Promise<void> {
  const played = await story.play(stage);
  const { client } = stage.stack.temporal;
  const workflowId = typeof played === 'string' ? played : played.workflowId;
  const runIds = [(await client.workflow.getHandle(workflowId).describe()).runId];
  while (typeof played !== 'string') {
    const history = await client.workflow.getHandle(workflowId, runIds[0]).fetchHistory();
    const before = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    if (!before) break;
    runIds.unshift(before);
  }
  const cleaner = new Cleaner();
  for (const [index, runId] of runIds.entries()) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const file = index === 0 ? story.name : `${story.name}-${index + 1}`;
    writeFileSync(join(folder, `${file}.json`), cleaner.clean(historyToJSON(history)));
  }
}

async function writeTraces(): Promise<void> {
  const recorded = recordedStories();
  const replayed = await replayHistories(await bundleForReplay(), recorded);
  for (const [index, { name, error, trace }] of replayed.entries()) {
    if (error !== undefined) throw new Error(`${name} does not replay`, { cause: error });
    writeFileSync(recorded[index]!.traceFile, `${trace.join('\n')}\n`);
  }
  process.stdout.write(`${recorded.length} histories with their traces\n`);
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => name !== '--traces' && !stories.some((story) => story.name === name));
if (unknown.length > 0) throw new Error(`No such story: ${unknown.join(', ')}`);
if (!names.includes('--traces')) {
  if (names.length === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await record(stories.filter(({ name }) => names.length === 0 || names.includes(name)));
}
await writeTraces();
process.exit(0);
