/** Each lint rule of our own catches a planted violation. That the product has none is in check.test.ts (`check:code`). */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { projectRoot } from '../../src/local/project-root.ts';

const patterns = [
  ['src/domain/trim-end.ts', '/^#[ \\t]+(.*?)[ \\t]*#*[ \\t]*$/', 'regexp/no-super-linear-backtracking'],
  ['src/api/app.ts', '/^(?:a|[^b])*$/', 'regexp/no-dupe-disjunctions'],
  ['src/workspace/text.ts', '/[ \\t]+$/', 'regexp/no-super-linear-move'],
  ['workflows/index.ts', '/\\/+$/', 'regexp/no-super-linear-move'],
  ['src/adapters/whatsapp/gateway-call.ts', '/a+b/', 'regexp/no-super-linear-move'],
] as const;

const page = 'src/console/components/states.tsx';
const client = 'src/app/conversations/post-callback.ts';
const supplied = '@typescript-eslint/no-restricted-imports';
const texts = [
  ['no-restricted-syntax', client, 'export default 1;'],
  ['no-restricted-syntax', client, "export * from './accept-input.ts';"],
  ['no-restricted-syntax', page, 'export const it = <p>Nothing here</p>;'],
  ['no-restricted-syntax', page, "export const it = <p>{'Nothing here'}</p>;"],
  ['no-restricted-syntax', page, 'export const it = <img alt="Nothing here" />;'],
  ['no-restricted-syntax', 'test/lint/check.test.ts', "it.skip('is skipped', () => undefined);"],
  ['no-restricted-syntax', 'test/lint/check.test.ts', "describe.only('is alone', () => undefined);"],
  ['no-restricted-imports', 'workflows/index.ts', "export { readFileSync } from 'node:fs';"],
  ['no-restricted-imports', 'workflows/index.ts', "export { z } from 'zod';"],
  ['no-restricted-imports', 'src/domain/trim-end.ts', "export { randomUUID } from 'node:crypto';"],
  ['no-restricted-imports', 'src/domain/trim-end.ts', "export { isIP } from 'node:net';"],
  ['no-restricted-imports', 'src/domain/http/address-rules.ts', "export { connect } from 'node:net';"],
  ['no-restricted-globals', 'src/domain/trim-end.ts', "export const it = fetch('http://a.test');"],
  ['no-restricted-globals', 'workflows/index.ts', 'export const it = process.pid;'],
  ['no-restricted-properties', 'src/api/app.ts', "export const it = process.env['HOME'];"],
  ['no-restricted-properties', 'workflows/index.ts', "export const it = process.env['HOME'];"],
  ['no-restricted-globals', client, "export const it = fetch('http://a.test');"],
  [supplied, client, "export { request } from 'node:http';"],
  [supplied, client, "export { resolve } from 'node:dns/promises';"],
  [supplied, client, "export { connect } from 'node:net';"],
  ['@typescript-eslint/consistent-type-assertions', client, 'export const it = JSON.parse("1") as number;'],
  ['@typescript-eslint/no-non-null-assertion', client, 'export const it = [1][0]!;'],
] as const;

const ours = new Set<string>([...patterns.map(([, , rule]) => rule), ...texts.map(([rule]) => rule)]);

describe('Lint rules', () => {
  // Only the rules planted here, which ask for no types: otherwise the whole tree would be typed first.
  const eslint = new ESLint({
    cwd: projectRoot,
    overrideConfigFile: 'test/lint/eslint.config.js',
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    ruleFilter: ({ ruleId }) => ours.has(ruleId),
  });
  /** @param file an existing file, whose rules are applied to the text */
  const rulesBroken = async (file: string, text: string): Promise<(string | null)[]> => {
    const [result] = await eslint.lintText(`${text}\n`, { filePath: join(projectRoot, file) });
    return result!.messages.map(({ ruleId }) => ruleId);
  };
  const testing = (pattern: string): string =>
    `export const isBad = (text: string): boolean => ${pattern}.test(text);`;

  for (const [file, pattern, rule] of patterns) {
    it(`${rule} refuses ${pattern} in ${file}: it takes more than linear time`, async () => {
      assert.ok((await rulesBroken(file, testing(pattern))).includes(rule));
    });
  }

  it('a pattern of linear time is allowed', async () => {
    assert.deepEqual(await rulesBroken('src/domain/trim-end.ts', testing('/^ {0,3}#{1,6}[ \\t]/')), []);
  });

  for (const [rule, file, text] of texts) {
    it(`${rule} refuses \`${text}\` in ${file}`, async () => {
      const broken = await rulesBroken(file, text);
      assert.ok(broken.includes(rule), `broken there: ${broken.join(', ')}`);
    });
  }
});
