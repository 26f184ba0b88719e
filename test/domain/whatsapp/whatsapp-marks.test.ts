import assert from 'node:assert/strict';
import { whatsappMarks } from '../../../src/domain/whatsapp/marks.ts';

describe('WhatsApp marks', () => {
  for (const [markdown, expected, title] of [
    ['a **bold** word', 'a *bold* word', 'bold'],
    ['**a** and **b**', '*a* and *b*', 'two bolds on a line'],
    ['__bold__ but not my__var__name', '*bold* but not my__var__name', 'underscored bold, not inside words'],
    ['***both***', '*_both_*', 'bold and italic'],
    ['~~gone~~', '~gone~', 'struck through'],
    ['## Prices **now** ##', '*Prices now*', 'a heading'],
    ['#hashtag', '#hashtag', 'no heading without a space'],
    ['[our site](https://x.test/a_b__c__d)', 'our site (https://x.test/a_b__c__d)', 'a link'],
    ['[https://x.test](https://x.test)', 'https://x.test', 'a link named by its address, once'],
    ['**[site](https://x.test/p)**', '*site (https://x.test/p)*', 'a link in bold'],
    ['![plan](https://x.test/p.png)', 'plan (https://x.test/p.png)', 'an image'],
    ['[wiki](https://x.test/A_(b))', 'wiki (https://x.test/A_(b))', 'parentheses in an address'],
    ['**https://x.test/__init__/~a/*b**', '*https://x.test/__init__/~a/*b*', 'bold around a bare address'],
    ['`**x**` and **y**', '`**x**` and *y*', 'inline code stays'],
    [
      '```js\nlet a = "**b**";\n```',
      '```\nlet a = "**b**";\n```',
      'a code block stays, its language name goes',
    ],
    ['2 ** 3 ** 4', '2 ** 3 ** 4', 'loose stars stay'],
    ['- one\n- two', '- one\n- two', 'lists stay'],
    ['\ue0000\ue001 **x**', '\ue0000\ue001 **x**', 'a text with our own place signs stays whole'],
  ] as const) {
    it(`converts ${title}`, () => {
      assert.equal(whatsappMarks(markdown), expected);
    });
  }

  it('needs linear time on hostile text', () => {
    const hostile = ['** a ', '[', '`', '~~x ', '![](', '__ a', '*** ', '# '].map((piece) =>
      piece.repeat(20_000),
    );
    const start = performance.now();
    for (const text of hostile) whatsappMarks(text);
    assert.ok(performance.now() - start < 5000);
  });
});
