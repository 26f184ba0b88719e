/**
 * Chooses the ports of local mode, and stores them in DATA_DIR. The next start uses the same ports if they are free, so
 * that URLs stay valid.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere, writePrivately } from './data-dir.ts';
import { freePort, probePort } from './ports.ts';
import { StartProblem } from './start-problem.ts';

/**
 * Chooses the port of a setting, such as POSTGRES_PORT.
 * @param asked the port that the setting requests; 0: the port of the last start or, if that is not free, a free port
 * @throws StartProblem if the requested port cannot be bound; Error if there is no free port
 */
export type ChoosePort = (variable: string, asked: number, host?: string) => Promise<number>;

const book = z.record(z.string(), z.int().min(1).max(65_535));

/** Reads the ports of the last start from the folder. Returns the function that chooses the ports of this start. */
export function keptPorts(dataDir: string): ChoosePort {
  const file = join(dataDir, 'ports.json');
  const kept = readBook(readIfThere(file));
  const given = new Set<number>();

  return async (variable, asked, host = '127.0.0.1') => {
    if (asked !== 0) {
      const state = await probePort(asked, host);
      if (state !== 'free') throw new StartProblem(whyNot(variable, asked, host, state));
      given.add(asked);
      return asked;
    }
    let port = kept[variable];
    while (port === undefined || given.has(port) || (await probePort(port, host)) !== 'free')
      port = await freePort();
    given.add(port);
    kept[variable] = port;
    writePrivately(file, JSON.stringify(kept));
    return port;
  };
}

function whyNot(variable: string, port: number, host: string, state: string): string {
  if (state === 'EADDRINUSE') {
    return `Port ${port} of ${host} is taken by another program. Stop that one, or set ${variable} to a free port.`;
  }
  if (state === 'EACCES')
    return `This user may not listen on port ${port}. Set ${variable} to one above 1023.`;
  return `Nothing can listen on ${host}, port ${port} (${state}). Set HOST to an address of this machine, or leave it out.`;
}

function readBook(text: string | undefined): Record<string, number> {
  try {
    return book.parse(JSON.parse(text ?? '{}'));
  } catch {
    return {}; // The file is damaged; new ports are chosen.
  }
}
