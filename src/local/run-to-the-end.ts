/** Runs a program until it is asked to stop: handles signals, output and exit code. */
import { StartProblem } from './start-problem.ts';

/** Maximum time of an orderly stop, after which the process exits anyway. Chosen. */
const stopWithinMs = 14_000;

/** Runs the program and exits the process, with code 0 after a requested stop and code 1 after an error. */
export async function runToTheEnd(
  run: (io: { print: (text: string) => void; signal: AbortSignal }) => Promise<void>,
): Promise<never> {
  // Ignores errors of the output: the terminal or pipe that reads it may close, and the program must continue.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const print = (text: string) => {
    process.stdout.write(`${text}\n`);
  };
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) return;
      print('Stopping …');
      stop.abort();
      // If a stop hangs, exiting kills the children (see spawn-logged.ts).
      setTimeout(() => process.exit(0), stopWithinMs).unref();
    });
  }
  try {
    await run({ print, signal: stop.signal });
    print('Stopped.');
    process.exit(0);
  } catch (error) {
    if (error instanceof StartProblem) process.stderr.write(`\n${error.message}\n`);
    else console.error(error);
    process.exit(1);
  }
}
