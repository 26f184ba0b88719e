/**
 * The packages inside the bundle of the API reference, which the lock file does not list: read from their licence
 * notices.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

export const noticesPath = 'src/console/build/api-reference-notices.txt';

export interface BundledPackage {
  name: string;
  version: string;
  licence: string;
  /** The text below the heading: who holds the rights, and the licence. */
  notice: string;
}

/** Returns the packages of the notices: a heading `## name - version (licence)` and a text for each. */
export function bundledPackages(
  notices = readFileSync(join(projectRoot, noticesPath), 'utf8'),
): BundledPackage[] {
  return notices
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [, name = '', version = '', licence = ''] = /^(\S+) - (\S+) \((.+)\)\n/.exec(part) ?? [];
      return { name, version, licence, notice: part.slice(part.indexOf('\n') + 1).trim() };
    });
}

/** Returns a line for each package without a name, an allowed licence or a copyright line. */
export function bundledFaults(packages: readonly BundledPackage[], allowed: ReadonlySet<string>): string[] {
  return packages.flatMap(({ name, licence, notice }) => {
    if (name === '') return [`a heading is not read: ${notice.slice(0, 60)}`];
    if (!allowed.has(licence)) return [`${name}: its licence is ${licence}`];
    if (!/copyright|\(c\)|©|its author is/i.test(notice))
      return [`${name}: its notice names no holder of the rights`];
    return [];
  });
}
