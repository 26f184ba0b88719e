import assert from 'node:assert/strict';
import { historyOf, toolsOf, chatRequest } from '../../../src/local/model/chat-request.ts';
import { grammarSchema } from '../../../src/local/model/grammar-schema.ts';

describe('what the small model is given', () => {
  it('a schema keeps names, types and required fields, and loses what makes a grammar large', () => {
    assert.deepEqual(
      grammarSchema({
        type: 'object',
        properties: {
          id: { type: 'string', maxLength: 1e9, pattern: '(a+)+$', description: 'number' },
          size: { type: ['integer', 'null'] },
          tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1e9 },
          other: { allOf: [{ type: 'string' }] },
        },
        required: ['id', 'unknown'],
      }),
      {
        type: 'object',
        properties: {
          id: { type: 'string', maxLength: 100, description: 'number' },
          size: { oneOf: [{ type: 'integer' }, { type: 'null' }] },
          tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 20 },
          other: { type: 'string', maxLength: 100 },
        },
        required: ['id'],
        additionalProperties: false,
      },
    );
  });

  it('a deep or wide schema ends at the limits', () => {
    const deep = Array.from({ length: 50 }).reduce<object>(
      (inner) => ({ type: 'object', properties: { inner } }),
      {},
    );
    assert.ok(JSON.stringify(grammarSchema(deep)).length < 2000);
    const properties = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [
        `p${n}`,
        { oneOf: Array.from({ length: 50 }, () => ({ type: 'object' })) },
      ]),
    );
    const wide = grammarSchema({ type: 'object', properties });
    assert.ok(JSON.stringify(wide).split('"object"').length <= 202);
  });

  it('a tool result belongs to its call, and a choice of one tool leaves the others out', () => {
    const request = chatRequest.parse({
      messages: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'c', function: { name: 'find', arguments: '{"n":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'found' },
        { role: 'assistant', content: 'There.' },
      ],
      tools: ['find', 'other'].map((name) => ({ type: 'function', function: { name } })),
      tool_choice: { type: 'function', function: { name: 'other' } },
    });
    assert.deepEqual(historyOf(request), [
      { type: 'system', text: 'Be kind.' },
      { type: 'user', text: 'a\nb' },
      {
        type: 'model',
        response: [
          'I look.',
          { type: 'functionCall', name: 'find', params: { n: 1 }, result: 'found' },
          'There.',
        ],
      },
    ]);
    assert.deepEqual(
      [toolsOf(request).isForced, toolsOf(request).tools.map(({ name }) => name)],
      [true, ['other']],
    );
  });
});
