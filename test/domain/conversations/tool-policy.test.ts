import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ConditionProblem,
  holds,
  parseCondition,
} from '../../../src/domain/conversations/argument-condition.ts';
import { decideCall, policyProblem } from '../../../src/domain/conversations/tool-policy.ts';

const met = (condition: string, input: unknown) => holds(parseCondition(condition), input);

describe('A condition on arguments', () => {
  for (const [condition, input, expected] of [
    ['amount <= 50', { amount: 50 }, true],
    ['amount <= 50', { amount: 50.01 }, false],
    ['amount < 50', { amount: 50 }, false],
    ['amount >= -1.5', { amount: -1.5 }, true],
    ['amount > 1', { amount: 1 }, false],
    ['amount<=50', { amount: 7 }, true],
    ['amount <= 50', { amount: '7' }, false],
    ['amount <= 50', { amount: [7] }, false],
    ['amount <= 50', { amount: null }, false],
    ['amount <= 50', {}, false],
    ['amount <= 50', null, false],
    ['amount <= 50', [7], false],
    ['amount <= 50', { amount: Number.NaN }, false],
    ['currency = "EUR"', { currency: 'EUR' }, true],
    ['currency == "EUR"', { currency: 'eur' }, false],
    ['currency != "EUR"', { currency: 'USD' }, true],
    ['currency != "EUR"', {}, false],
    ['currency != "EUR"', { currency: 1 }, false],
    ['currency in ["EUR", "USD"]', { currency: 'USD' }, true],
    ['currency in ["EUR", "USD"]', { currency: 'GBP' }, false],
    ['test = true', { test: true }, true],
    ['test = true', { test: 'true' }, false],
    ['order.total <= 50', { order: { total: 3 } }, true],
    ['order.total <= 50', { order: [{ total: 3 }] }, false],
    ['constructor.name = "Object"', {}, false],
    ['__proto__.x = 1', {}, false],
    ['a = 1 and b = 2', { a: 1, b: 2 }, true],
    ['a = 1 and b = 2', { a: 1, b: 3 }, false],
    ['a = 1 or b = 2 and c = 3', { a: 1 }, true],
    ['a = 1 or b = 2 and c = 3', { b: 2 }, false],
    ['a = 1 or b = 2 and c = 3', { b: 2, c: 3 }, true],
    ['text = "a \\"b\\" and c"', { text: 'a "b" and c' }, true],
  ] as const)
    it(`${condition} of ${JSON.stringify(input)} is ${expected}`, () => {
      assert.equal(met(condition, input), expected);
    });

  for (const condition of [
    ...[
      '',
      'amount',
      'amount <=',
      '<= 50',
      'amount <= fifty',
      'amount <= "50"',
      'amount <= 50 and',
      'a = 1 b = 2',
    ],
    ...[
      'a in []',
      'a in [1',
      'process.exit()',
      'a = 1; b = 2',
      'a = `x`',
      '(a = 1)',
      'in = 1',
      'a.b.c.d.e.f = 1',
    ],
    ...['a = 1 or '.repeat(25) + 'a = 1', 'a = "' + 'x'.repeat(500) + '"', 'a = 1e400', 'a = .5', 'a => 5'],
  ])
    it(`refuses ${condition.slice(0, 40)}`, () => {
      assert.throws(() => parseCondition(condition), ConditionProblem);
    });

  it('never throws anything but a problem, and is never true for arguments that it does not name', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.jsonValue(), (text, input) => {
        try {
          assert.equal(typeof met(text, input), 'boolean');
        } catch (error) {
          assert.ok(error instanceof ConditionProblem);
        }
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        const amount = (input as { amount?: unknown } | null)?.amount;
        assert.equal(met('amount <= 50', input), typeof amount === 'number' && amount <= 50);
      }),
    );
  });
});

describe('A policy of a tool', () => {
  it('runs without one, asks, refuses, and lets its condition run', () => {
    const of = (policy: 'always' | 'ask' | 'never', unless?: string) => ({ tool: 'refund', policy, unless });
    assert.equal(decideCall(undefined, {}), 'run');
    assert.equal(decideCall(of('always'), {}), 'run');
    assert.equal(decideCall(of('ask'), { amount: 1 }), 'ask');
    assert.equal(decideCall(of('ask', 'amount <= 50'), { amount: 1 }), 'run');
    assert.equal(decideCall(of('ask', 'amount <= 50'), { amount: 51 }), 'ask');
    assert.equal(decideCall(of('never', 'amount <= 50'), { amount: 51 }), 'refuse');
    assert.equal(decideCall(of('never'), {}), 'refuse');
    assert.equal(decideCall(of('ask', 'no condition'), { amount: 1 }), 'ask');
  });

  it('names the field that is invalid', () => {
    const field = (policy: object) => policyProblem({ tool: 'refund', policy: 'ask', ...policy })?.field;
    assert.equal(
      field({ unless: 'amount <= 50', expires_after_seconds: 5, on_expiry: 'approve' }),
      undefined,
    );
    assert.equal(field({ unless: 'amount' }), 'unless');
    assert.equal(field({ policy: 'always', unless: 'amount <= 50' }), 'unless');
    assert.equal(field({ policy: 'never', expires_after_seconds: 5 }), 'expires_after_seconds');
    assert.equal(field({ policy: 'never', on_expiry: 'approve' }), 'on_expiry');
  });
});
