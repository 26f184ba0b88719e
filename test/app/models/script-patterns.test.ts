/** The expressions of scripts: whatever is written there, compiling and matching it stays cheap. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import {
  atMostInstructions,
  compilePattern,
  firstMatch,
  maxPatternInstructions,
  maxScriptInstructions,
  scriptInstructions,
  TimeShares,
} from '../../../src/adapters/models/scripted-model.ts';

/** CPU time of this thread: what else the machine does is not counted. */
async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const atom = fc.constantFrom(
  'a',
  '.',
  '\\d',
  '\\pL',
  '\\p{Greek}',
  '[a-z]',
  '[)(]',
  '\\)',
  '\\Qa{\\E',
  '\\x{41}',
  '^',
  'é',
  '{',
  '}',
  '(?i)',
);
const quantifier = fc.constantFrom('', '', '*', '+?', '?', '{2}', '{0,3}', '{2,}', '{1,9}', '{3}?');
const pattern = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.tuple(atom, quantifier).map(([one, times]) => one + times),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
    fc.tuple(tie('node'), tie('node'), quantifier).map(([a, b, times]) => `(${a}|${b})${times}`),
    fc.tuple(tie('node'), quantifier).map(([inner, times]) => `(?:${inner})${times}`),
  ),
})).node;

describe('The expressions of a script', () => {
  const planted = '(?:.?){1000}'.repeat(66);

  it('have no more instructions than was estimated before they were compiled', () => {
    let compiled = 0;
    fc.assert(
      fc.property(pattern, (text) => {
        if (atMostInstructions(text) > 100_000) return;
        let size: number;
        try {
          size = RE2JS.compile(text, RE2JS.DOTALL).programSize();
        } catch {
          return;
        }
        compiled += 1;
        assert.ok(size <= atMostInstructions(text), `${text}: ${size} > ${atMostInstructions(text)}`);
      }),
      { numRuns: 5000, seed: 16 },
    );
    assert.ok(compiled > 1000, `${compiled} compiled`);
  });

  for (const [title, text] of [
    ['a thousand of a choice, 66 times', planted],
    ['a thousand of a choice', '(?:.?){1000}'],
    ['repetitions within repetitions', '(?:(?:(?:a{9}){9}){9}){9}'],
    ['a repetition behind what looks like a class', '[(](?:(?:x{30}){30}){30}'],
    ['a counted one over its limit', '(?:ab){501}'],
  ] as const) {
    it(`are refused before they cost anything: ${title}`, async () => {
      const cpuMs = await cpuMsOf(() => {
        for (let rule = 0; rule < 200; rule++)
          assert.throws(() => compilePattern(`${text}|${rule}`), /is too large/);
      });
      assert.ok(cpuMs < 5000, `${cpuMs} ms`);
    });
  }

  for (const text of [
    '(?i)invoice (\\d+)',
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    '\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2}',
    '^\\+?[0-9 ()-]{7,20}$',
    '(?i)\\b(hello|good (morning|evening)|hi)\\b.{0,80}(price|cost){1,3}',
    'a{500}',
    'x'.repeat(900),
  ]) {
    it(`are taken as people write them: ${text.slice(0, 60)}`, () => {
      assert.ok(compilePattern(text).programSize() <= maxPatternInstructions);
      assert.equal(compilePattern(text), compilePattern(text));
    });
  }

  it('are taken up to 5,000 instructions in all', () => {
    const rules = Array.from({ length: 200 }, (_, index) => compilePattern(`(?i)invoice ${index} (\\d+)`));
    assert.ok(scriptInstructions(rules) < maxScriptInstructions);
    const large = Array.from({ length: 6 }, (_, index) => compilePattern(`${index}a{990}`));
    assert.throws(() => scriptInstructions(large), /over 5000/);
  });

  const costly = [
    '(?:a?){300}[b]{2}',
    '(?:.*a){300}z',
    '([^xy]{5,490})y',
    '[\\pL]{9,300}[0-9]z',
    '(?:([^z])([^z])?){140}z',
  ];
  for (const when of costly) {
    it(`cost no more on twice the text: ${when}`, async () => {
      const script = Array.from({ length: 5 }, (_, index) => ({ when: `${when}${index}`, reply: 'found' }));
      const hostile = (chars: number) => `zbyc z1 ${'a'.repeat(chars)}`;
      const cost = async (chars: number) => {
        firstMatch(script, 'message', hostile(100));
        return await cpuMsOf(() => firstMatch(script, 'message', hostile(chars)));
      };
      const [some, most] = [await cost(32_000), await cost(1_000_000)];
      assert.ok(most < 1000, `${some} ms, ${most} ms`);
    });
  }

  it('search the whole of a small message, and the beginning of a large one', () => {
    const end = `${'a'.repeat(31_990)}end`;
    assert.ok(firstMatch([{ when: 'end$', reply: 'x' }], 'message', end));
    const large = { when: 'b{900}', reply: 'never' };
    assert.equal(firstMatch([large, { when: 'end$', reply: 'x' }], 'message', end), undefined);
    assert.ok(firstMatch([large, { when: 'end$', reply: 'x' }], 'message', `${'a'.repeat(900)}end`));
  });

  it('fill no reply beyond the maximum length of a message', () => {
    const script = [{ when: '(.*)', reply: '$1'.repeat(16_000) }];
    const found = firstMatch(script, 'message', 'a'.repeat(32_000));
    const said = found?.expand(found.rule.reply ?? '') ?? '';
    assert.equal(said.length, 32_000);
    const pairs = firstMatch(script, 'message', `x${'\u{1f642}'.repeat(15_999)}`);
    assert.ok(pairs?.expand('$1$1').isWellFormed());
  });

  it('that were stored before they were bounded fail the call with their reason', () => {
    assert.throws(() => firstMatch([{ when: planted, reply: 'x' }], 'message', 'a'), {
      name: 'ModelFault',
      retryable: false,
      message: /^The script has an expression that is too large: .{1,200}$/,
    });
  });
});

describe('Shares of the thread', () => {
  it('let an organization wait for what it used beyond its own, and no other', async () => {
    let now = 0;
    const shares = new TimeShares({ shareMs: 100, burstMs: 300 }, () => now);
    const { signal } = new AbortController();
    const use = async (organization: string, ms: number) => {
      await shares.use(organization, signal, () => {
        now += ms;
      });
    };
    await use('one', 200);
    assert.equal(shares.waitMs('one'), 0);
    await use('one', 500);
    // 300 - 700 + 20 + 50 that came meanwhile.
    assert.ok(shares.waitMs('one') > 3000 && shares.waitMs('one') < 4000, String(shares.waitMs('one')));
    assert.equal(shares.waitMs('another'), 0);
    now += 60_000;
    assert.equal(shares.waitMs('one'), 0);
    await use('one', 300);
    assert.ok(shares.waitMs('one') > 0, 'a pause gives one burst, not more');
  });

  it('are given to nobody who stops waiting', async () => {
    const shares = new TimeShares({ shareMs: 1, burstMs: 1 }, () => performance.now());
    const stop = new AbortController();
    await shares.use('one', stop.signal, () => {
      const end = performance.now() + 20;
      while (performance.now() < end);
    });
    const waiting = shares.use('one', stop.signal, () => 'done');
    stop.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
  });
});
