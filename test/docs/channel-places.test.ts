import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

/** An import from a folder of the channel, or its name in a literal, as a key or in a text; not in a comment. */
const namesChannel =
  /^(?!\s*(?:\*|\/\/|\/\*|--)).*(?:\/whatsapp\/|['"`]whatsapp[:'"`]|\bwhatsapp: |WhatsApp)/m;

describe('“Another channel” in docs/channels.md', () => {
  const page = readFileSync(join(projectRoot, 'docs/channels.md'), 'utf8');
  const section = page.slice(page.indexOf('## Another channel'));
  const named = new Set([...section.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
  const sources = globSync('{src,workflows,activities}/**/*.{ts,tsx,sql}', { cwd: projectRoot }).filter(
    (file) => !file.startsWith('src/client/'),
  );
  const isNamed = (file: string) =>
    named.has(file) ||
    named.has(file.replace(/\/messages\/(es|pt-BR)\//, '/messages/')) ||
    (file.endsWith('.sql') && (named.has(basename(file)) || file.includes('/postgres/schema/')));

  it('lists every folder of the channel and every shared file that names it', () => {
    const folders = new Set(sources.flatMap((file) => /^.*\/whatsapp(?=\/)/.exec(file)?.[0] ?? []));
    const shared = sources.filter(
      (file) =>
        !file.includes('/whatsapp/') && namesChannel.test(readFileSync(join(projectRoot, file), 'utf8')),
    );
    assert.ok(folders.size >= 9 && shared.length >= 10);
    assert.deepEqual(
      [...folders, ...shared].filter((file) => !isNamed(file)),
      [],
    );
  });

  it('lists no file that does not exist', () => {
    const files = [...named].filter((word) => /^(src|workflows|activities)\/\S+\.tsx?$/.test(word));
    assert.deepEqual(
      files.filter((file) => !sources.includes(file)),
      [],
    );
  });
});
