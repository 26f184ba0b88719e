/** Texts that make readers of text slow: runs, alternations and nestings of every sign that some reader looks for. */

export type HostileText = { name: string; make: (size: number) => string };

const fill = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length));

const signs = [
  ...['*', '_', '`', '~', '#', '|', '[', ']', '(', ')', '<', '>', '-', '+', '=', '1', '\\', '/', ':', '.'],
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\r',
    '\u2028',
    '\u00a0',
    '&',
    '@',
    '$',
    '{',
    '}',
    '"',
    "'",
    '!',
    '?',
    ',',
    '%',
  ],
  ...['a', 'A1', 'é', '😀', '👩‍👩‍👧', '\ud83d', '\udc00', '\u0301', '\u200d', '\u2060', '\0'],
];

/** Each is repeated. */
const units = [
  ...[
    '*a ',
    '**a ',
    '_a ',
    '~~a ',
    '`a ',
    '``a `',
    '*a **b ',
    '**a*',
    '*a_b',
    '***a ',
    '* ',
    ' *',
    '** a',
    '\\*',
  ],
  ...[
    '[a](',
    '[a]( ',
    '[',
    '[a]',
    '](',
    '![',
    '[a](b) ',
    '[a](http://b ',
    '[a](<b',
    '[a](b "',
    '[](',
    "[a](b '",
    '[*a](b) ',
  ],
  ...[
    '[a](https://b.example) ',
    '*[a](https://b.example)* ',
    '[`a',
    '$`a',
    '$`a`$',
    '$$',
    '```\n',
    '~~~',
    '```js {',
    '````',
  ],
  ...[
    '<span ',
    '<span a="b">',
    '</span>',
    '<span underline="true">a',
    '<br>',
    '<',
    '<!--',
    '<a b="',
    '<mention-user id="',
  ],
  ...[
    '<details>\n',
    '</details>\n',
    '<details>\n</details>\n',
    '<callout>\n',
    '<columns>\n<column>\n',
    '<image src="a"/>\n',
  ],
  ...['{a="', ' {', ' {a="b" ', ' {a=" ', 'a="b" ', 'a=', 'a="', 'aA=', '&#1;', '&#', '\\`', '\\\\['],
  ...[
    '|a',
    '|a|\n',
    '| a | b |\n',
    '|-|\n',
    '\\|',
    '|*a ',
    '- a\n',
    '- a\n\n',
    '1. a\n',
    '> a\n',
    '>',
    '- [ ] ',
    '- ',
  ],
  ...[
    '# a\n',
    '# ',
    '## #',
    'a\n',
    'a\n\n',
    '\n \n',
    ' \n',
    '\t\n',
    '\r',
    'a ',
    'a. ',
    '." ',
    '. ',
    'a.',
    '.\u2019)',
  ],
  ...[
    'http',
    'https://a',
    'https://',
    'https://a ',
    '://',
    'TEL',
    'TEL:',
    'TEL:1\n',
    'a:TEL;',
    '1-',
    '+1 ',
    '1.',
    '@lid',
    '1@',
    '(a',
    '((',
    'a/',
    '/v1/webhooks/gateway/',
  ],
  ...[
    '{{',
    '}}',
    '{{a}}',
    '\ue000',
    '\ue0001\ue001',
    '\u0301\u0316',
    'a\u0301\u0316',
    '\u0316\u0301a',
    '👨🏽‍🚀',
    'ﬁ',
    'ß',
    'ÅÅ',
    '하',
  ],
];

/** An opening sign so many times, then as many closing ones. */
const pairs: [string, string][] = [
  ['[', ']'],
  ['(', ')'],
  ['{', '}'],
  ['<', '>'],
  ['**a ', ' b**'],
  ['*a **b ', ' c** d*'],
  ['~~a *b ', ' c* d~~'],
  ['[a ', '](b)'],
  ['[a *b ', ' c*](b)'],
  ['<span underline="true">', '</span>'],
  ['<span underline="true">*a ', ' b*</span>'],
  ['<details>\n', '</details>\n'],
  ['<callout>\n- a\n', '</callout>\n'],
  ['```', '``` a'],
  ['a', '  '],
  ['a', '\n'],
];

const letters = Array.from({ length: 5000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');

const rising = (sign: string, between: string) => (size: number) => {
  const runs: string[] = [];
  for (let count = 1; (count * count) / 2 < size; count += 1) runs.push(sign.repeat(count) + between);
  return runs.join('');
};

export const hostileTexts: HostileText[] = [
  ...signs.map((sign) => ({
    name: `a, ${JSON.stringify(sign)}…, b`,
    make: (size: number) => `a${fill(sign, size)}b`,
  })),
  ...[
    '#',
    '-',
    '|',
    '>',
    '1.',
    '```',
    '~~~',
    '$$',
    '<details>',
    '# a',
    '| a',
    '**a',
    '[a](',
    '[a](b',
  ].flatMap((head) =>
    [' ', '\t', head.slice(-1)].map((sign) => ({
      name: `${JSON.stringify(head)}, ${JSON.stringify(sign)}…, b`,
      make: (size: number) => `${head}${fill(sign, size)}b`,
    })),
  ),
  ...units.map((unit) => ({
    name: `${JSON.stringify(unit)}…`,
    make: (size: number) => fill(unit, size),
  })),
  ...pairs.map(([open, close]) => ({
    name: `${JSON.stringify(open)}… ${JSON.stringify(close)}…`,
    make: (size: number) => {
      const count = Math.ceil(size / (open.length + close.length));
      return open.repeat(count) + close.repeat(count);
    },
  })),
  ...['`', '*', '~', '_', '|', '#', '$'].map((sign) => ({
    name: `longer and longer runs of ${sign}`,
    make: rising(sign, ' a'),
  })),
  ...[' ', '\t'].map((sign) => ({
    name: `a list indented deeper and deeper by ${JSON.stringify(sign)}`,
    make: (size: number) => {
      const lines: string[] = [];
      for (let depth = 0; depth * depth < size; depth += 1) lines.push(`${sign.repeat(2 * depth)}- a\n`);
      return lines.join('');
    },
  })),
  {
    name: 'a letter in the middle of one half, and not in the other',
    make: (size) => `${fill('a', size / 4)}b${fill('a', size / 4)}${fill('a', size / 2)}`,
  },
  {
    name: 'a table of one wide row and many narrow ones',
    make: (size) => `${fill('|a', size / 2)}|\n${fill('|a|\n', size / 2)}`,
  },
  {
    name: 'distinct letters',
    make: (size) => fill(letters, size),
  },
];
