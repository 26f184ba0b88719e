/**
 * Builds the console, the documentation and the API reference into dist/console. Writes a Brotli and a gzip version of
 * each text file, which the API sends to browsers that accept them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { documentation } from './build/documentation.ts';
import { firstStyles } from './build/first-styles.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const project = fileURLToPath(new URL('../..', import.meta.url));
const outDir = fileURLToPath(new URL('../../dist/console', import.meta.url));

function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle: () => {
      for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(?:js|css|html|svg|json|txt)$/.test(entry.name)) continue;
        const file = join(entry.parentPath, entry.name);
        const bytes = readFileSync(file);
        const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/**
 * Adds preload links to index.html, so that the browser fetches the application and the session while it fetches the
 * start module. Without the links, the browser would begin to fetch the application only when the start module runs,
 * and the session only when the application does.
 */
function applicationPreload(): Plugin {
  return {
    name: 'application-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const application = chunks.find(({ facadeModuleId }) => facadeModuleId === join(root, 'main.tsx'));
        if (application === undefined) throw new Error('the build has no chunk of main.tsx');
        const modules = [application.fileName, ...application.imports].map((file) => ({
          rel: 'modulepreload',
          href: `/${file}`,
        }));
        const session = { rel: 'preload', as: 'fetch', href: '/console/api/session' };
        return [...modules, session].map((attrs) => ({
          tag: 'link',
          attrs: { ...attrs, crossorigin: true },
          injectTo: 'head' as const,
        }));
      },
    },
  };
}

// eslint-disable-next-line no-restricted-syntax -- Vite reads the default export of its config file
export default defineConfig({
  root,
  plugins: [
    react(),
    documentation(project),
    firstStyles(join(root, 'main.tsx')),
    applicationPreload(),
    compressed(),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    rollupOptions: {
      input: {
        index: join(root, 'index.html'),
        documentation: join(root, 'documentation/pages.ts'),
        reference: join(root, 'documentation/reference.ts'),
      },
    },
    // Inlined files would require a Content-Security-Policy wider than 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
    // Writes the licence notices of all bundled packages.
    license: { fileName: 'licenses.txt' },
  },
});
