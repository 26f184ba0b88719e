/** Postgres refuses to run as root: who runs it instead, and how its files stay within reach of that user. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { StartProblem } from './start-problem.ts';

/** How to start one of Postgres's programs: the command, and the options of spawn. */
export type Account = Readonly<{
  command: (program: string, args: readonly string[]) => [string, string[]];
  options: { uid?: number; gid?: number };
  /** The owner that the data folder must have, when it is not who runs this. */
  owner: { uid: number; gid: number } | undefined;
}>;

/**
 * @param cluster Postgres's data folder, which may not exist yet; its owner runs it from then on
 * @param parent the folder that holds it, which exists
 * @param program a program of Postgres, which that user must be able to start
 * @throws StartProblem when started as root and no user can reach both
 */
export function postgresAccount(cluster: string, parent: string, program: string): Account {
  if (process.getuid?.() !== 0) {
    return { command: (name, args) => [name, [...args]], options: {}, owner: undefined };
  }
  const owner = existingOwner(cluster) ?? userIds('postgres') ?? userIds('nobody');
  if (owner === undefined) {
    throw new StartProblem(
      'Postgres does not run as root, and this machine has neither a user `postgres` nor `nobody`. Create one (useradd --system postgres), start as an ordinary user, or set DATABASE_URL.',
    );
  }
  if (canReach(owner, parent, program)) {
    return { command: (name, args) => [name, [...args]], options: owner, owner };
  }
  // A folder of root's alone lies above (/root, or one of mktemp's). The user may pass it with this one capability.
  const prefix = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  const passes = spawnSync('setpriv', [...prefix, program, '--version'], { cwd: '/' });
  if (passes.status !== 0) {
    throw new StartProblem(
      `Postgres does not run as root but as user ${owner.uid}, and that user cannot enter ${parent} or start ${program}. ` +
        'Put the project and DATA_DIR below folders that everyone may enter (chmod o+x), start as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { command: (name, args) => ['setpriv', [...prefix, name, ...args]], options: {}, owner };
}

function existingOwner(folder: string): { uid: number; gid: number } | undefined {
  if (!existsSync(folder)) return undefined;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

function userIds(name: string): { uid: number; gid: number } | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function canReach(user: { uid: number; gid: number }, folder: string, program: string): boolean {
  const script = 'cd "$0" && "$1" --version';
  return spawnSync('/bin/sh', ['-c', script, folder, program], { ...user, cwd: '/' }).status === 0;
}
