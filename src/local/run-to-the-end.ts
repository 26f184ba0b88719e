/** A program that runs until it is told to stop: signals, output, exit code. */
import { StartProblem } from './start-problem.ts';

const stopWithinMs = 14_000;

/** Runs it and leaves the process: 0 after a stop (once or more often asked for), 1 when it could not start. */
export async function runToTheEnd(
  run: (io: { print: (text: string) => void; signal: AbortSignal }) => Promise<void>,
): Promise<never> {
  // Whoever reads the output may go away; what runs here does not depend on it.
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
      // Should a stop hang, leaving ends the children outright (see spawn-logged.ts).
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
