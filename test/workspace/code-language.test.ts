import assert from 'node:assert/strict';
import { codeLanguage } from '../../src/workspace/blocks/code-language.ts';

describe('The language of a code block', () => {
  it('is found by its name and its aliases, in any case', () => {
    assert.deepEqual(codeLanguage('TypeScript'), { language: 'typescript', known: true });
    assert.deepEqual(codeLanguage(' GoLang '), { language: 'go', known: true });
  });

  for (const name of ['constructor', '__proto__', 'cobol'])
    it(`is plain text for ${name}`, () => {
      assert.deepEqual(codeLanguage(name), { language: 'plain text', known: false });
    });
});
