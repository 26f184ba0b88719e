/** Replays histories on a bundle of workflow code, and keeps what the code did. */
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker, type InjectedSinks } from '@temporalio/worker';
import { commandTrace } from './command-trace.ts';
import type { Shown, TraceSinks } from './trace-sinks.ts';

export type Replayed = {
  name: string;
  /** Absent: the code made the same decisions. */
  error?: Error;
  /** The trace: a line for each command. */
  trace: string[];
};

// The finding of a replay is its result, not a line in a log.
Runtime.install({
  logger: new DefaultLogger('ERROR', () => undefined),
  telemetryOptions: { logging: { filter: 'off', forward: {} } },
});

/** @param code of bundleForReplay @param stories replayed one after another, as far as they are asked for */
export async function* replayHistories(
  code: string,
  stories: readonly { name: string; workflowId: string; history: History }[],
): AsyncGenerator<Replayed> {
  const shown: Shown[] = [];
  const sinks: InjectedSinks<TraceSinks> = {
    trace: { line: { fn: (_, line) => void shown.push(line), callDuringReplay: true } },
  };
  let index = 0;
  const replays = Worker.runReplayHistories({ workflowBundle: { code }, sinks }, stories);
  for await (const { error } of replays) {
    const { name } = stories[index++]!;
    yield { name, ...(error && { error }), trace: commandTrace(shown.splice(0)) };
  }
}
