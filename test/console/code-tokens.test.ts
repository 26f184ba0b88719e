import assert from 'node:assert/strict';
import { codeTokens } from '../../src/console/pages/developers/code-tokens.ts';
import { languages, snippets, type Language } from '../../src/console/pages/developers/snippets.ts';

const call = { baseUrl: 'https://parley.example/v1', agentId: '01a2' };
const of = (kind: string, code: string, language: Language) =>
  codeTokens(code, language)
    .filter((token) => token.kind === kind)
    .map(({ start, end }) => code.slice(start, end));

describe('The tokens of the quick start’s programs', () => {
  it('are the comments, strings, options and keywords of each language', () => {
    const [curl, typescript, python] = languages.map((language) => snippets[language](call)) as [
      string,
      string,
      string,
    ];
    assert.deepEqual(of('key', curl, 'curl'), ['-sS', '-H', '-H', '-d']);
    assert.deepEqual(of('text', curl, 'curl').at(-1), '\'{"message": "Hello!", "sync": true}\'');
    assert.deepEqual(of('comment', curl, 'curl'), []);
    assert.deepEqual(of('comment', typescript, 'typescript'), [
      '// With the same key, a repeated call is accepted only once.',
    ]);
    assert.deepEqual(of('word', typescript, 'typescript'), [
      ...['const', 'await', 'true', 'const', 'await', 'if', 'throw', 'new'],
    ]);
    assert.ok(of('text', typescript, 'typescript').includes('`Bearer ${process.env.PARLEY_TOKEN}`'));
    assert.deepEqual(of('comment', python, 'python'), ['# The same key makes a repeated call safe.']);
    assert.ok(of('text', python, 'python').includes(`f"Bearer {os.environ['PARLEY_TOKEN']}"`));
    assert.deepEqual(of('number', python, 'python'), ['150']);
  });

  it('are found at once in a long text whose strings do not end', () => {
    // In quadratic time, this would take minutes.
    for (const language of languages)
      for (const quote of ['"', "'", '`', '#', '//', '-'])
        codeTokens(`${quote}${`\\${quote}`.repeat(300_000)}`, language);
  });
});
