/** Finds mistakes in package.json, the lock file and what was installed by it. */
import { z } from 'zod';

const versions = z.record(z.string(), z.string()).default({});

export const packageFileSchema = z.looseObject({
  version: z.string(),
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  allowScripts: z.record(z.string(), z.boolean()).default({}),
});
export type PackageFile = z.output<typeof packageFileSchema>;

const entry = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
});
export const lockFileSchema = z.looseObject({
  lockfileVersion: z.literal(3),
  packages: z.record(z.string(), entry),
});
export type LockFile = z.output<typeof lockFileSchema>;

/**
 * Licences that Parley may be shipped or built with, in the words of the packages. A new one is a decision: read it,
 * then add it.
 */
export const allowedLicences: ReadonlySet<string> = new Set([
  '(AFL-2.1 OR BSD-3-Clause)',
  '(BSD-2-Clause OR MIT OR Apache-2.0)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND MIT',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
]);
/** Packages whose package.json names no licence, and the one of their file LICENSE. */
const licencesRead: Readonly<Record<string, string>> = { unionfs: 'Unlicense' };

/** The one registry that packages may come from. npm puts the registry of each machine in its place. */
const registry = 'https://registry.npmjs.org/';

/** Every package of the lock file with its path there; the first entry is the project itself. */
const packagesOf = (lock: LockFile) => Object.entries(lock.packages).filter(([path]) => path !== '');

/** `@scope/name` of `node_modules/a/node_modules/@scope/name`. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);

/** Returns the licence of a package of the lock file; undefined if nothing names one. */
export const licenceOf = (path: string, { license }: { license?: string | undefined }): string | undefined =>
  license ?? licencesRead[nameOf(path)];

/** Returns a line for each direct dependency without an exact version. */
export function versionFaults(file: PackageFile): string[] {
  return Object.entries({ ...file.dependencies, ...file.devDependencies, ...file.optionalDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name}: ${version} is no exact version`);
}

/**
 * Returns a line for each package that could be another one than was locked, or comes from elsewhere than the registry.
 */
export function integrityFaults(lock: LockFile): string[] {
  return packagesOf(lock).flatMap(([path, { integrity, resolved }]) => {
    if (resolved?.startsWith(registry) === false) return [`${path}: comes from ${resolved}`];
    if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) {
      return [`${path}: its SHA-512 is not in the lock file (${integrity ?? 'no integrity'})`];
    }
    return [];
  });
}

/**
 * Returns a line for each package with an install script that nobody decided on, and each decision without such a
 * package.
 */
export function scriptFaults(file: PackageFile, lock: LockFile): string[] {
  const withScript = new Set(
    packagesOf(lock).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript === true ? [nameOf(path)] : [],
    ),
  );
  const decided = Object.keys(file.allowScripts);
  return [
    ...[...withScript]
      .filter((name) => !decided.includes(name))
      .map((name) => `${name}: has an install script that allowScripts does not list`),
    ...decided
      .filter((name) => !withScript.has(name))
      .map((name) => `${name}: allowScripts lists it, and it has no install script`),
  ];
}

/** Returns a line for each package whose licence is not allowed. */
export function licenceFaults(lock: LockFile): string[] {
  return packagesOf(lock).flatMap(([path, one]) => {
    const licence = licenceOf(path, one);
    if (licence !== undefined && allowedLicences.has(licence)) return [];
    return [`${path}: its licence is ${licence ?? 'named nowhere'}`];
  });
}

/** Returns a line for each installed package that is not the one of the lock file. */
export function installedFaults(lock: LockFile, installed: LockFile): string[] {
  return packagesOf(installed).flatMap(([path, { version, integrity }]) => {
    const locked = lock.packages[path];
    if (locked === undefined) return [`${path}: installed, and not in the lock file`];
    if (locked.version === version && locked.integrity === integrity) return [];
    return [`${path}: installed ${version} (${integrity}), locked ${locked.version} (${locked.integrity})`];
  });
}
