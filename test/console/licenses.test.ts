/** The console is shipped as bundles: the notices of the packages in them go with it. */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureConsole } from '../../src/local/console-build.ts';
import { projectRoot } from '../../src/local/project-root.ts';

describe('dist/console/licenses.txt', () => {
  it('has the licence of every package that the console imports', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-licenses-'));
    await ensureConsole({ log: join(folder, 'log'), say: () => undefined });
    rmSync(folder, { recursive: true });
    const notices = readFileSync(join(projectRoot, 'dist/console/licenses.txt'), 'utf8');
    const sources = globSync('src/console/**/*.{ts,tsx}', {
      cwd: projectRoot,
      exclude: ['**/vite.config.ts', '**/build/**'],
    });
    const names = new Set(
      sources.flatMap((file) =>
        [
          ...readFileSync(join(projectRoot, file), 'utf8').matchAll(
            /^import (?!type)[^;]*?from '((?:@[\w-]+\/)?\w[\w.-]*)(?:\/[\w/.-]*)?';$/gm,
          ),
        ].map(([, name]) => name!),
      ),
    );
    assert.ok(names.size >= 8, [...names].join(' '));
    for (const name of names) {
      const title = notices.indexOf(`## ${name} - `);
      assert.ok(title >= 0, `${name} is missing`);
      assert.match(notices.slice(title, title + 2000), /permission|license/i, name);
    }
    // The icons are a file of ours with the paths of a package that is not installed.
    const icons = readFileSync(join(projectRoot, 'dist/console/tabler-icons-license.txt'), 'utf8');
    assert.match(icons, /Tabler Icons[^]*MIT License[^]*Permission is hereby granted/);
  });
});
