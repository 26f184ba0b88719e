import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cleanText } from '../../../src/adapters/models/model-text.ts';
import { StreamedText } from '../../../src/adapters/models/language-model.ts';

const characters = fc.constantFrom(' ', '\n', '\t', '\u3000', '\0', 'a', 'ü', '\ud83e', '\udd8a', '🦊');

describe('StreamedText', () => {
  it('passes on in pieces what `cleanText` keeps of the whole text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: characters, maxLength: 6 })), (pieces) => {
        const told: string[] = [];
        const text = new StreamedText((piece) => told.push(piece));
        for (const piece of pieces) text.push(piece);
        text.end();
        assert.equal(told.join(''), cleanText(pieces.join('')).trim());
        assert.ok(told.every((piece) => piece !== '' && piece.isWellFormed()));
      }),
      { numRuns: 2000 },
    );
  });
});
