/** The same job on other engines: programs that print one JSON object of figures as their last line. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ensureTemporalCli } from '../../src/local/temporal-binary.ts';
import { median } from './numbers.ts';

const figures = z.object({
  turns_per_s: z.number(),
  overhead_ms_p50: z.number(),
  ack_ms_p50: z.number(),
});
export type PeerFigures = z.infer<typeof figures>;

export const peerNames = ['plain-temporal', 'dbos', 'restate'] as const;

export interface InstalledPeers {
  /** The script of each peer that is there. */
  scripts: [name: string, script: string][];
  env: NodeJS.ProcessEnv;
}

/**
 * Installs what the peers need, so that none of them installs anything while it is measured.
 * @param folder has a folder of each peer, with its `run.sh` and lock file
 * @throws Error if a package or Temporal's CLI cannot be installed
 */
export async function installPeers(folder: string, say: (line: string) => void): Promise<InstalledPeers> {
  const present = peerNames.filter((name) => existsSync(join(folder, name, 'run.sh')));
  if (present.length === 0) throw new Error(`${folder} has no ${peerNames.join('/run.sh, ')}/run.sh`);
  for (const name of present) {
    const place = join(folder, name);
    if (existsSync(join(place, 'node_modules/.package-lock.json'))) continue;
    say(`the packages of ${name} are installed`);
    await output('npm', ['ci', '--no-audit', '--no-fund'], { cwd: place, env: withoutNpm(process.env) });
  }
  return {
    scripts: present.map((name) => [name, join(folder, name, 'run.sh')]),
    // plain-temporal runs this program instead of installing one of its own.
    env: { ...process.env, TEMPORAL_CLI: await ensureTemporalCli(say) },
  };
}

/** @returns the environment without the settings of this project's `.npmrc`, which `npm run` passes on */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.toLowerCase().startsWith('npm_')));
}

/**
 * Measures the peers in rounds, one after another in each. Reports one that fails, or that lost a turn, and measures
 * the others.
 * @returns the median of each figure over the rounds in which the peer succeeded
 */
export async function measurePeers(
  { scripts, env }: InstalledPeers,
  rounds: number,
  say: (line: string) => void,
): Promise<Record<string, PeerFigures>> {
  const found: Record<string, PeerFigures[]> = {};
  for (let round = 1; round <= rounds; round++) {
    for (const [name, script] of scripts) {
      try {
        const figures = lastLine(await output('sh', [script], { env }));
        (found[name] ??= []).push(figures);
        say(
          `round ${round} ${name}: ${figures.turns_per_s} turns/s, overhead p50 ${figures.overhead_ms_p50} ms`,
        );
      } catch (error) {
        say(`${name} has no figures: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, medianFigures(all)]));
}

function medianFigures(all: readonly PeerFigures[]): PeerFigures {
  const of = (figure: keyof PeerFigures) => median(all.map((one) => one[figure]));
  return {
    turns_per_s: of('turns_per_s'),
    overhead_ms_p50: of('overhead_ms_p50'),
    ack_ms_p50: of('ack_ms_p50'),
  };
}

/** @throws if the last line is no object of figures */
export function lastLine(printed: string): PeerFigures {
  return figures.parse(JSON.parse(printed.trimEnd().split('\n').at(-1) ?? ''));
}

/** @returns what the command printed */
async function output(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}`);
  return Buffer.concat(chunks).toString();
}
