/** The form of an HTTP tool: which JSON Schemas its rows show, and what it sends. */
import assert from 'node:assert/strict';
import { argumentsIn, parametersOf, placeOf } from '../../src/console/pages/http-tools/tool-draft.ts';

const request = { method: 'POST', url: 'https://shop.example/{id}/items?lang={lang}' };

describe('The arguments of an HTTP tool in rows', () => {
  it('become the same JSON Schema again', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Number' },
        lang: { type: 'string' },
        count: { type: 'integer' },
        price: { type: 'number' },
        express: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' }, description: 'Words' },
      },
      required: ['id', 'count'],
    };
    const rows = argumentsIn(schema);
    assert.ok(rows);
    assert.deepEqual(parametersOf({ ...request, arguments: rows }), schema);
  });

  it('are sent where the URL names them, else by the method, and are required in the path', () => {
    assert.deepEqual(
      ['id', 'lang', 'count'].map((name) => placeOf(name, request)),
      ['path', 'query', 'body'],
    );
    assert.equal(placeOf('count', { ...request, method: 'DELETE' }), 'query');
    const optional = { name: 'id', type: 'string', isRequired: false, description: '' } as const;
    assert.deepEqual(parametersOf({ ...request, arguments: [optional] })['required'], ['id']);
  });

  it('do not show a schema of which they would lose a part', () => {
    for (const more of [
      { additionalProperties: false },
      { description: 'An order' },
      { properties: { id: { type: 'string', maxLength: 3 } } },
      { properties: { id: { enum: ['a'] } } },
      { properties: { id: { type: ['string', 'null'] } } },
      { properties: { id: { type: 'string', items: { type: 'string' } } } },
      { properties: { id: { type: 'array' } } },
      { properties: { id: { type: 'array', items: { type: 'string', maxLength: 3 } } } },
      { properties: { id: true } },
      { properties: [] },
      { required: 'id' },
    ])
      assert.equal(argumentsIn({ type: 'object', properties: {}, ...more }), undefined, JSON.stringify(more));
  });
});
