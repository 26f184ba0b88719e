/** The lint rules for patterns catch those that take more than linear time, wherever outside text is read. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { projectRoot } from '../../src/local/project-root.ts';

describe('Lint of patterns', function () {
  this.timeout(120_000);
  const eslint = new ESLint({ cwd: projectRoot, overrideConfigFile: 'test/lint/eslint.config.js' });
  const rulesBroken = async (file: string, pattern: string): Promise<(string | null)[]> => {
    const [result] = await eslint.lintText(
      `export const isBad = (text: string): boolean => ${pattern}.test(text);\n`,
      {
        filePath: join(projectRoot, file),
      },
    );
    return result!.messages.map(({ ruleId }) => ruleId);
  };

  for (const [file, pattern, rule] of [
    ['src/domain/trim-end.ts', '/^#[ \\t]+(.*?)[ \\t]*#*[ \\t]*$/', 'regexp/no-super-linear-backtracking'],
    ['src/api/app.ts', '/^(?:a|[^b])*$/', 'regexp/no-dupe-disjunctions'],
    ['src/workspace/markdown/lines.ts', '/[ \\t]+$/', 'regexp/no-super-linear-move'],
    ['workflows/index.ts', '/\\/+$/', 'regexp/no-super-linear-move'],
    ['src/adapters/whatsapp/gateway-call.ts', '/a+b/', 'regexp/no-super-linear-move'],
  ] as const) {
    it(`refuses ${pattern} in ${file}`, async () => {
      assert.ok((await rulesBroken(file, pattern)).includes(rule));
    });
  }

  it('takes a pattern of linear time', async () => {
    assert.deepEqual(await rulesBroken('src/domain/trim-end.ts', '/^ {0,3}#{1,6}[ \\t]/'), []);
  });
});
