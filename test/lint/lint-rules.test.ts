/** Each lint rule of our own catches a planted violation. That the product has none is in check.test.ts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
const queries = 'src/adapters/postgres/conversations/agents.ts';
const supplied = '@typescript-eslint/no-restricted-imports';
const texts = [
  ['no-restricted-syntax', client, 'export default 1;'],
  ['no-restricted-syntax', client, "export * from './accept-input.ts';"],
  ['no-restricted-syntax', client, 'export const it = { ...{ a: 1, b: 2 }, c: 3 };'],
  ['no-restricted-syntax', client, "export const it = [...['a', 'b'], 'c'];"],
  ['no-restricted-syntax', client, "export const it = { ...({ a: 'b' } as const), c: 3 };"],
  ['no-restricted-syntax', client, "export const it = [...(['a', 'b'] as const), 'c'];"],
  ['no-restricted-syntax', 'workflows/index.ts', 'export const it = [...[1, 2], 3];'],
  ['no-restricted-syntax', 'activities/index.ts', 'export const it = [...[1, 2], 3];'],
  ['no-restricted-syntax', 'examples/reconcile.ts', 'export const it = [...[1, 2], 3];'],
  ['no-restricted-syntax', page, 'export const it = [...[1, 2], 3];'],
  ['no-restricted-syntax', page, 'export const it = <p>Nothing here</p>;'],
  ['no-restricted-syntax', page, "export const it = <p>{'Nothing here'}</p>;"],
  ['no-restricted-syntax', page, 'export const it = <img alt="Nothing here" />;'],
  ['no-restricted-syntax', 'test/lint/check.test.ts', "it.skip('is skipped', () => undefined);"],
  ['no-restricted-syntax', 'test/lint/check.test.ts', "describe.only('is alone', () => undefined);"],
  ['no-restricted-syntax', queries, "export const it = async () => await pool.query<Row>('select 1');"],
  ['no-restricted-syntax', queries, "export const it = db.knex('agents').select<Row[]>('id');"],
  ['no-restricted-syntax', queries, "export const it = async () => await db.knex('agents').first('id');"],
  ['no-restricted-syntax', queries, 'export const it = z.custom<Row>();'],
  ['no-restricted-syntax', queries, 'export const it = `select id as "agentId" from agents`;'],
  ['no-restricted-syntax', 'src/cli/setup.ts', 'export const it = z.custom<Row>();'],
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
  const eslint = new ESLint({
    cwd: projectRoot,
    overrideConfigFile: 'test/lint/eslint.config.js',
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

describe('Rules that need types', () => {
  const planted = [
    ['TS2322', "export const it: number = 'a text';"],
    ['no-floating-promises', 'export const it = (): void => { Promise.resolve(1); };'],
    ['no-unsafe-assignment', "export const it: number = JSON.parse('1');"],
    [
      'switch-exhaustiveness-check',
      "export const it = (one: 'a' | 'b'): void => { switch (one) { case 'a': break; } };",
    ],
  ] as const;
  for (const [rule, text] of planted) {
    it(`${rule} refuses \`${text}\``, () => {
      const folder = mkdtempSync(join(tmpdir(), 'parley-lint-'));
      try {
        const ofTheTree = join(projectRoot, 'tsconfig.json');
        const settings = { extends: ofTheTree, compilerOptions: { types: [] }, include: ['.'], exclude: [] };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
        writeFileSync(join(folder, 'planted.ts'), `${text}\n`);
        const program = join(projectRoot, 'node_modules/.bin/oxlint');
        const options = ['--config', join(projectRoot, '.oxlintrc.json'), '--deny-warnings', folder];
        const { status, stdout } = spawnSync(program, options, { cwd: projectRoot, encoding: 'utf8' });
        assert.equal(status, 1, stdout);
        assert.match(stdout, new RegExp(`typescript\\(${rule}\\)`));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
