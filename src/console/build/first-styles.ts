import type { Plugin, Rolldown } from 'vite';

const styled = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;
const listed = /@mantine\/core\/styles\/(\w+)\.layer\.css$/;

/**
 * Checks that `first-styles.ts` lists the styles of every component that the first page can show.
 * @param application path of the module that the start module loads
 */
export function firstStyles(application: string): Plugin {
  return {
    name: 'first-styles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const modules = chunksAtFirst(chunks, application).flatMap(({ moduleIds }) => moduleIds);
      const names = (pattern: RegExp) =>
        modules.map((id) => pattern.exec(id)?.[1]).filter((name) => name !== undefined);
      const has = new Set(names(listed));
      const needed = names(styled);
      // The patterns follow the files of Mantine, which another version may name otherwise.
      if (needed.length === 0) this.error('The first page has no component of Mantine.');
      const missing = needed.filter((name) => !has.has(name));
      if (missing.length > 0) this.error(`first-styles.ts lacks the styles of ${missing.join(', ')}.`);
    },
  };
}

/** @returns the chunks that the browser fetches before the first page is shown */
function chunksAtFirst(chunks: readonly Rolldown.OutputChunk[], application: string): Rolldown.OutputChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const entries = chunks.filter(
    ({ facadeModuleId }) =>
      facadeModuleId === application || facadeModuleId?.endsWith('/index.html') === true,
  );
  const found = new Set(entries);
  for (const chunk of found)
    for (const name of chunk.imports) {
      const imported = byName.get(name);
      if (imported !== undefined) found.add(imported);
    }
  return [...found];
}
