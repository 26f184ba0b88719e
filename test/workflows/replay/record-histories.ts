/**
 * `npm run histories:record [-- STORY …]`: plays the stories on the real product and writes their histories for the
 * version in package.json. `-- --traces`: replays what is recorded, of every version, and writes the traces again.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { projectRoot } from '../../../src/local/project-root.ts';
import { backing, stopBacking } from '../../support/backing.ts';
import { startStack } from '../../support/stack.ts';
import { stories } from '../stories/index.ts';
import { Stage, stageSettings, suggestedHistory, warmSettings, type Story } from '../stories/stage.ts';
import { bundleForReplay } from './bundle-for-replay.ts';
import { Cleaner } from './clean-history.ts';
import { historiesFolder, recordedStories } from './recorded-stories.ts';
import { replayHistories } from './replay-histories.ts';

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
};
const folder = join(historiesFolder, version);

/** @returns the stories that could not be played to their end */
async function record(chosen: readonly Story[]): Promise<string[]> {
  await backing({ temporalSettings: [`limit.historyCount.suggestContinueAsNew=${suggestedHistory}`] });
  try {
    const cold = chosen.filter(({ warm }) => warm !== true);
    const warm = chosen.filter((story) => story.warm === true);
    return [...(await recordOn(stageSettings, cold)), ...(await recordOn(warmSettings, warm))];
  } finally {
    await stopBacking();
  }
}

async function recordOn(env: NodeJS.ProcessEnv, chosen: readonly Story[]): Promise<string[]> {
  if (chosen.length === 0) return [];
  const stack = await startStack({ env });
  try {
    const stage = new Stage(stack);
    const failed: string[] = [];
    for (const story of chosen) {
      const began = Date.now();
      const error = await recordOne(stage, story).catch((cause: unknown) => cause);
      await stage.afterwards();
      if (error !== undefined) failed.push(story.name);
      const took = `${((Date.now() - began) / 1000).toFixed(1)} s`;
      process.stdout.write(`${story.name}: ${error === undefined ? took : inspect(error)}\n`);
    }
    return failed;
  } finally {
    await stack.stop();
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
  const files = recorded.map(({ traceFile }) => traceFile);
  for await (const { name, error, trace } of replayHistories(await bundleForReplay(), recorded)) {
    if (error !== undefined) throw new Error(`${name} does not replay`, { cause: error });
    writeFileSync(files.shift()!, `${trace.join('\n')}\n`);
  }
  process.stdout.write(`${recorded.length} histories with their traces\n`);
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => name !== '--traces' && !stories.some((story) => story.name === name));
if (unknown.length > 0) throw new Error(`No such story: ${unknown.join(', ')}`);
if (!names.includes('--traces')) {
  if (names.length === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const failed = await record(stories.filter(({ name }) => names.length === 0 || names.includes(name)));
  if (failed.length > 0) throw new Error(`Not recorded: ${failed.join(', ')}`);
}
await writeTraces();
process.exit(0);
