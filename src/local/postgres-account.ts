/**
 * Chooses the user that runs Postgres, because Postgres refuses to run as root. Chooses a command with which that user
 * can enter the data folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { programsFor, type Programs } from './postgres-programs.ts';
import { StartProblem } from './start-problem.ts';

type Owner = { uid: number; gid: number };

/** The user that runs Postgres's programs, and how to start the programs. */
export type Account = Readonly<{
  programs: Programs;
  command: (program: string, args: readonly string[]) => [string, string[]];
  /**
   * User and group with which to spawn the command. Empty if the current user spawns it; the command itself may then
   * change the user, with `setpriv`.
   */
  ids: { uid?: number; gid?: number };
  /** The owner that the data folder must have; undefined for the current user. */
  owner: Owner | undefined;
}>;

const plain: Account['command'] = (program, args) => [program, [...args]];

/**
 * Chooses how to start Postgres: as this process's user or, if that is root, as another user.
 * @param cluster Postgres's data folder, which may not exist yet; if this process is root and the folder's owner is
 * not, the owner runs Postgres
 * @param parent the existing folder that contains `cluster`
 * @throws StartProblem if this process runs as root and no other user can run Postgres
 */
export function postgresAccount(cluster: string, parent: string, found: Programs): Account {
  if (process.getuid?.() !== 0) return { programs: found, command: plain, ids: {}, owner: undefined };
  const owner = existingOwner(cluster) ?? userIds('postgres') ?? userIds('nobody');
  if (owner === undefined) {
    throw new StartProblem(
      'Postgres does not run as root, and this machine has neither a user `postgres` nor `nobody`. Create one (useradd --system postgres), start as an ordinary user, or set DATABASE_URL.',
    );
  }
  const programs = programsFor(owner, found);
  if (spawnSync('/bin/sh', ['-c', 'cd "$0"', parent], { ...owner, cwd: '/' }).status === 0) {
    return { programs, command: plain, ids: owner, owner };
  }
  // The Postgres user cannot enter `parent`: it, or a folder above it such as /root, is closed to other users.
  // CAP_DAC_OVERRIDE lets Postgres enter it anyway.
  const prefix = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  const enters = spawnSync('setpriv', [...prefix, '/bin/sh', '-c', 'cd "$0"', parent], { cwd: '/' });
  if (enters.status !== 0) {
    throw new StartProblem(
      `Postgres does not run as root but as user ${owner.uid}, and that user cannot enter ${parent}. ` +
        'Set DATA_DIR to a folder below folders that everyone may enter (chmod o+x), start as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { programs, command: (name, args) => ['setpriv', [...prefix, name, ...args]], ids: {}, owner };
}

function existingOwner(folder: string): Owner | undefined {
  if (!existsSync(folder)) return undefined;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

function userIds(name: string): Owner | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
