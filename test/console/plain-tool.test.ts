/** How the console shows the arguments of a tool call. */
import assert from 'node:assert/strict';
import { briefResult, plainArguments } from '../../src/console/components/plain-tool.ts';

describe('The arguments of a tool call', () => {
  const listed = (value: unknown, schemas = {}) => plainArguments(JSON.stringify(value), schemas);

  it('have the title of the schema as their label, or else their name in words', () => {
    const schemas = { amount: { title: 'Amount in R$' } };
    assert.deepEqual(listed({ amount: 80, order_number: 'A7' }, schemas), [
      { name: 'amount', label: 'Amount in R$', value: '80' },
      { name: 'order_number', label: 'Order number', value: 'A7' },
    ]);
    assert.deepEqual(listed({ constructor: 1 }), [{ name: 'constructor', label: 'Constructor', value: '1' }]);
  });

  it('show a number with the decimals of its multipleOf, and never round it', () => {
    const shown = (amount: unknown, multipleOf: number) =>
      listed({ amount }, { amount: { multipleOf } })?.[0];
    const of = { name: 'amount', label: 'Amount' };
    assert.deepEqual(shown(189.9, 0.01), { ...of, value: '189.90', json: '189.9' });
    assert.deepEqual(shown(420, 0.05), { ...of, value: '420.00', json: '420' });
    assert.deepEqual(shown(12.34, 0.01), { ...of, value: '12.34' });
    assert.deepEqual(shown(0.125, 0.01), { ...of, value: '0.125' });
    assert.deepEqual(shown(7, 1), { ...of, value: '7' });
    assert.deepEqual(shown(1e21, 0.01), { ...of, value: '1e+21' });
    assert.deepEqual(shown('189.9', 0.01), { ...of, value: '189.9' });
  });
});

describe('The result of a tool call in one line', () => {
  it('has the first three short values of an object, or the beginning of another text', () => {
    const order = { order: 4711, items: [1], note: 'x'.repeat(61), state: 'on its way', by: 'sea', fee: 3 };
    assert.equal(briefResult(JSON.stringify(order)), 'Order: 4711 · State: on its way · By: sea');
    assert.equal(briefResult('Not found.\n  Try again.'), 'Not found. Try again.');
    assert.equal(briefResult('{"orders":[ 1 ]}'), '{"orders":[ 1 ]}');
    assert.equal(briefResult('a'.repeat(200)), `${'a'.repeat(120)}…`);
  });
});
