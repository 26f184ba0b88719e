/** The same job on other engines: programs that print one JSON object of figures as their last line. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const figures = z.looseObject({
  turns_per_s: z.number(),
  overhead_ms_p50: z.number(),
  ack_ms_p50: z.number(),
});
export type PeerFigures = z.infer<typeof figures>;

export const peerNames = ['plain-temporal', 'dbos', 'restate'] as const;

/** @returns the figures of those that are there; one that cannot be run is named on stderr and left out */
export async function measurePeers(folder: string): Promise<Record<string, PeerFigures>> {
  const found: Record<string, PeerFigures> = {};
  for (const name of peerNames) {
    const script = join(folder, name, 'run.sh');
    if (!existsSync(script)) continue;
    try {
      found[name] = lastLine(await output(script));
    } catch (error) {
      console.error(`${name} is left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
}

/** @throws where the last line is no object of figures */
export function lastLine(printed: string): PeerFigures {
  return figures.parse(JSON.parse(printed.trimEnd().split('\n').at(-1) ?? ''));
}

async function output(script: string): Promise<string> {
  const child = spawn('sh', [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return Buffer.concat(chunks).toString();
}
