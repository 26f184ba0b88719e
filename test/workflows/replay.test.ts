/** The gate of every change to workflow code: what has been recorded must still be done, command by command. */
import assert from 'node:assert/strict';
import { blockCoverage } from './replay/block-coverage.ts';
import { bundleForReplay } from './replay/bundle-for-replay.ts';
import { recordedStories } from './replay/recorded-stories.ts';
import { replayHistories, type Replayed } from './replay/replay-histories.ts';

const recorded = recordedStories();

/** The event that a command of workflow code leads to. */
const commands: Record<string, string> = {
  ACTIVITY_TASK_SCHEDULED: 'scheduleActivity',
  TIMER_STARTED: 'startTimer',
  TIMER_CANCELED: 'cancelTimer',
  UPSERT_WORKFLOW_SEARCH_ATTRIBUTES: 'upsertWorkflowSearchAttributes',
  MARKER_RECORDED: 'setPatchMarker',
  WORKFLOW_EXECUTION_COMPLETED: 'completeWorkflowExecution',
  WORKFLOW_EXECUTION_FAILED: 'failWorkflowExecution',
  WORKFLOW_EXECUTION_CANCELED: 'cancelWorkflowExecution',
  WORKFLOW_EXECUTION_CONTINUED_AS_NEW: 'continueAsNewWorkflowExecution',
};

/** Blocks that no history can reach. */
const outOfReach = [
  // A replay asks no validator: what was refused left no event.
  /^workflows\/whatsapp\/channel\.ts:\d+: \(checkId\)=>\{ if /,
  // Of `details?.[0]`: a RunFailed always has the id of its run.
  /^workflows\/conversations\/conversation\.ts:\d+: \? void 0$/,
];

describe('Recorded histories', () => {
  const replayed = new Map<string, Replayed>();
  let coverage: { blocks: number; missed: string[] };

  before(async () => {
    const code = await bundleForReplay();
    coverage = await blockCoverage(
      code,
      (file) => file.startsWith('workflows/'),
      async () => {
        for await (const one of replayHistories(code, recorded)) replayed.set(one.name, one);
      },
    );
  });

  it('are at least 20, with open ones among them', () => {
    assert.ok(recorded.length >= 20, `${recorded.length} histories`);
    const open = recorded.filter(
      ({ json }) => !/EVENT_TYPE_WORKFLOW_EXECUTION_(COMPLETED|CANCELED|CONT)/.test(json),
    );
    assert.ok(open.length >= 3, `${open.length} open histories`);
  });

  for (const { name, trace, json } of recorded) {
    it(`${name} replays, with the same commands and the same texts for operators`, () => {
      const result = replayed.get(name);
      assert.ok(result);
      assert.equal(
        result.error,
        undefined,
        `the code decides otherwise than it did: ${String(result.error)}`,
      );
      assert.deepEqual(result.trace, trace);
      // Temporal adds a list of the patches beside each patch marker.
      const own = json.split('\n').filter((event) => !event.includes('"TemporalChangeVersion"'));
      const happened = [...own.join('\n').matchAll(/"eventType":"EVENT_TYPE_(\w+)"/g)].flatMap(
        ([, type]) => commands[type!] ?? [],
      );
      const issued = result.trace.flatMap((line) => /^\{"(\w+)"/.exec(line)?.[1] ?? []);
      // A last task that no worker had begun is begun by the replay: more commands, no events.
      assert.deepEqual(
        issued.filter((name) => Object.values(commands).includes(name)).slice(0, happened.length),
        happened,
        'the commands in the trace are those of the history',
      );
    });
  }

  it('enter every block of every workflow', () => {
    assert.deepEqual(
      coverage.missed.filter((block) => !outOfReach.some((one) => one.test(block))),
      [],
    );
    assert.ok(coverage.blocks > 100, `only ${coverage.blocks} blocks were counted`);
  });
});
