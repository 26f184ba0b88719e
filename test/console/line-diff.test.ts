import assert from 'node:assert/strict';
import { diffLines, shortened, type DiffLine } from '../../src/console/components/line-diff.ts';

const marks = { same: ' ', removed: '-', added: '+' } as const;
const shown = (lines: readonly DiffLine[]) => lines.map(({ kind, text }) => `${marks[kind]}${text}`);
const compared = (before: string, after: string) => shown(diffLines(before, after));

describe('The lines in which two texts differ', () => {
  it('are removed and added at their place', () => {
    assert.deepEqual(compared('a\nb\nc', 'a\nx\nc'), [' a', '-b', '+x', ' c']);
    assert.deepEqual(compared('a\nb\nc\nd', 'b\nc\ne\nd'), ['-a', ' b', ' c', '+e', ' d']);
    assert.deepEqual(compared('', 'a\nb'), ['+a', '+b']);
    assert.deepEqual(compared('a\n\nb', ''), ['-a', '-', '-b']);
    assert.deepEqual(compared('same', 'same'), [' same']);
    assert.deepEqual(compared('a\na', 'a'), [' a', '-a']);
  });

  it('give both texts back, and at most as many changes as lines', () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    const text = () => Array.from({ length: 1 + random(12) }, () => String(random(5))).join('\n');
    for (let round = 0; round < 500; round++) {
      const [before, after] = [text(), text()];
      const lines = diffLines(before, after);
      const side = (without: DiffLine['kind']) =>
        lines.flatMap(({ kind, text: line }) => (kind === without ? [] : [line])).join('\n');
      assert.deepEqual([side('added'), side('removed')], [before, after]);
    }
  });

  it('of two long texts without a common line are found at once', () => {
    const long = (word: string) => Array.from({ length: 50_000 }, (_, line) => `${word} ${line}`).join('\n');
    const lines = diffLines(long('old'), long('new'));
    assert.equal(lines.length, 100_000);
    assert.deepEqual([lines[0]?.kind, lines.at(-1)?.kind], ['removed', 'added']);
  });

  it('are shown with three lines around them, and a gap for the others', () => {
    const lines = Array.from({ length: 20 }, (_, line) => String(line));
    const parts = shortened(diffLines(lines.join('\n'), lines.with(10, 'x').join('\n')));
    assert.deepEqual(
      parts.map((part) => (part.kind === 'gap' ? part.lines : part.text)),
      [7, '7', '8', '9', '10', 'x', '11', '12', '13', 6],
    );
    assert.deepEqual(shortened(diffLines('a\nb', 'a\nb')), [{ kind: 'gap', lines: 2 }]);
    assert.deepEqual(shortened(diffLines('a\nb\nc\nd\ne', 'a\nb\nc\nd\nx'))[0], { kind: 'same', text: 'a' });
  });
});
