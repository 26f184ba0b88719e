/** The command line of an emulator: a port, plain or as `--port`, and further arguments. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads the arguments of this process; with wrong ones, prints the usage and exits with 2. */
export function emulatorArguments<T extends Options>(
  usage: string,
  defaultPort: number,
  more: { options: T; maxPositionals: number },
) {
  try {
    const { values, positionals } = parseArgs({
      options: { ...more.options, port: { type: 'string' as const } },
      allowPositionals: true,
    });
    const [plain, ...rest] = positionals;
    if (positionals.length > more.maxPositionals) throw new Error(`What is ${positionals.at(-1)}?`);
    const given = (values as { port?: string }).port ?? plain ?? String(defaultPort);
    if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535) throw new Error(`${given} is not a port.`);
    return { port: Number(given), values, rest };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nusage: ${usage}\n`);
    process.exit(2);
  }
}

/** Starts it; if the port is taken, prints that and exits with 1. */
export async function startOn<T>(port: number, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    process.stderr.write(`Port ${port} is in use. Give another one as the first argument.\n`);
    process.exit(1);
  }
}
