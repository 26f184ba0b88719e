/** Runs a program until a stop signal: handles signals, output and exit code. */
import { StartProblem } from './start-problem.ts';

/** Milliseconds from a stop signal until the process exits, even if some parts have not stopped by then. Chosen. */
const stopWithinMs = 14_000;

/** Runs the program and exits the process: with code 1 if the program throws an error, otherwise with code 0. */
export async function runToTheEnd(
  run: (io: { print: (text: string) => void; signal: AbortSignal }) => Promise<void>,
): Promise<never> {
  // Ignores errors of the output streams, because the program must continue if its terminal or pipe closes.
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
      // If the stop hangs, `exit` kills the children (see spawn-logged.ts).
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
