import type { Plugin } from 'vite';

const styled = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;
const listed = /@mantine\/core\/styles\/(\w+)\.layer\.css$/;

/** A file of the build. */
export interface BuiltFile {
  fileName: string;
  /** Path of the module whose exports the file has; null if it is no entry. */
  facadeModuleId: string | null;
  /** Names of the files that it imports statically. */
  imports: readonly string[];
  moduleIds: readonly string[];
}

/**
 * Fails the build unless `first-styles.ts` lists the styles of every component that the first page can show.
 * @param application path of the module that the start module loads
 */
export function firstStyles(application: string): Plugin {
  return {
    name: 'first-styles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).filter((file) => file.type === 'chunk');
      const fault = faultOfStyles(files, application);
      if (fault !== undefined) this.error(fault);
    },
  };
}

/** @returns the error message about the styles of the first page; undefined if they are complete */
export function faultOfStyles(files: readonly BuiltFile[], application: string): string | undefined {
  const modules = filesAtFirst(files, application).flatMap(({ moduleIds }) => moduleIds);
  const names = (pattern: RegExp) =>
    modules.map((id) => pattern.exec(id)?.[1]).filter((name) => name !== undefined);
  const needed = names(styled);
  // The patterns follow the files of Mantine, which another version may name otherwise.
  if (needed.length === 0) return 'The first page has no component of Mantine.';
  const has = new Set(names(listed));
  const missing = needed.filter((name) => !has.has(name));
  return missing.length === 0 ? undefined : `first-styles.ts lacks the styles of ${missing.join(', ')}.`;
}

/** @returns the files that the browser fetches before the first page is shown */
function filesAtFirst(files: readonly BuiltFile[], application: string): BuiltFile[] {
  const byName = new Map(files.map((file) => [file.fileName, file]));
  const isEntry = ({ facadeModuleId: id }: BuiltFile) =>
    id === application || id?.endsWith('/index.html') === true;
  const found = new Set(files.filter(isEntry));
  // The iteration also visits the files that are added meanwhile.
  for (const { imports } of found) {
    for (const name of imports) {
      const imported = byName.get(name);
      if (imported !== undefined) found.add(imported);
    }
  }
  return [...found];
}
