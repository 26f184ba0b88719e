import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fitContext } from '../../../src/domain/conversations/fit-context.ts';

const turns = (...texts: string[]) => texts.map((text) => ({ text }));
const empty = { windowTokens: 4000, fixed: '', files: 0, texts: [], history: [] };

describe('Fitting a call into a model’s window', () => {
  it('leaves what fits as it is', () => {
    const given = { ...empty, texts: ['a', ''], history: turns('b', 'c') };
    assert.deepEqual(fitContext(given), { texts: ['a', ''], history: turns('b', 'c') });
  });

  it('leaves out the oldest turns, and none between two that are kept', () => {
    const history = turns('1', 'x'.repeat(9000), '2', '3');
    assert.deepEqual(fitContext({ ...empty, texts: ['a'], history }).history, turns('2', '3'));
  });

  it('leaves turns out for instructions and for files', () => {
    const history = turns('x'.repeat(5000));
    assert.equal(fitContext({ ...empty, history }).history.length, 1);
    assert.equal(fitContext({ ...empty, history, fixed: 'i'.repeat(5000) }).history.length, 0);
    assert.equal(fitContext({ ...empty, history, files: 1 }).history.length, 0);
  });

  it('cuts long texts alike, and no short one', () => {
    const texts = ['short', 'x'.repeat(20_000), 'y'.repeat(9000)];
    const [short, x = '', y = ''] = fitContext({ ...empty, texts }).texts;
    assert.equal(short, 'short');
    assert.equal(x.length, y.length);
    assert.match(x, /^x{4000,}\n\[The rest is left out: it is too long\.\]$/);
  });

  it('counts a character beyond ASCII as a token, and halves none', () => {
    const [text = ''] = fitContext({ ...empty, texts: ['\u{1f642}'.repeat(9000)] }).texts;
    assert.ok(text.isWellFormed() && text.length < 3100 && text.length > 2800, String(text.length));
  });

  it('is never over the window, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 9000, size: 'max' }), { maxLength: 5 }),
        fc.integer({ min: 2000, max: 5000 }),
        (texts, windowTokens) => {
          const fitted = fitContext({ ...empty, windowTokens, texts, history: turns(...texts) });
          const size = [...fitted.texts, ...fitted.history.map(({ text }) => text)].join('').length;
          assert.ok(size <= windowTokens * 3, `${size}`);
        },
      ),
      { numRuns: 50 },
    );
  });
});
