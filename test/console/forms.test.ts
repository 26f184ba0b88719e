import assert from 'node:assert/strict';
import { z } from 'zod';
import { textForProblem, textForField } from '../../src/console/problem-texts.ts';
import {
  agentFields,
  changeOf,
  differences,
  draftOf,
  isDraft,
  moved,
} from '../../src/console/pages/conversations/agent-draft.ts';
import { agent } from '../../src/contract/conversations/agents.ts';
import { texts } from '../../src/console/messages.ts';
import {
  emptyValues,
  fieldsOf,
  inputFrom,
  partialInputFrom,
  valuesFrom,
  type Field,
  type FieldValue,
} from '../../src/console/components/schema-form.ts';
import { fieldOf } from '../../src/console/components/form-values.ts';
import { PublicError } from '../../src/contract/errors.ts';

const anAgent = {
  ...{ id: crypto.randomUUID(), inbox_id: crypto.randomUUID(), name: 'Support', description: '' },
  ...{
    instructions: 'theirs and mine',
    model: 'a/b',
    active: true,
    uses_default_model: false,
    requires_rehearsal: false,
    input_during_run: 'next_group',
  },
  ...{ grouping_window_seconds: 2, transfers_to: [], tools: ['DOCS_FETCH_DATA'], tool_policies: [] },
  approvers: [],
  may_hand_over: false,
  follow_ups: [{ after_seconds: 60, instructions: 'Ask.' }],
  version: 1,
  ...{ created_at: new Date().toISOString(), updated_at: new Date().toISOString() },
};

describe('Forms of the console', () => {
  it('find the field to which a path of the API leads, however deep', () => {
    const values = { name: '', tools: ['a'], script: '- reply: x', follow_ups: [{ after_seconds: 1 }] };
    const cases = {
      name: 'name',
      'tools.0': 'tools',
      'script.0.reply': 'script',
      'follow_ups.0.after_seconds': 'follow_ups.0.after_seconds',
      'follow_ups.7.after_seconds': 'follow_ups',
      'unknown.field': 'unknown',
    };
    for (const [path, field] of Object.entries(cases)) assert.equal(fieldOf(values, path), field, path);
  });

  it('describe what is wrong with a field for each error of the schema', () => {
    const cases: [z.ZodType, unknown, string][] = [
      [z.string().min(1), '', 'must not be empty'],
      [z.string().min(10), 'a', 'must have at least 10 characters'],
      [z.string().max(3), 'four', 'must have at most 3 characters'],
      [z.number().min(0), -1, 'must be at least 0'],
      [z.number().int().max(60), 61, 'must be at most 60'],
      [z.array(z.string()).max(1), ['a', 'b'], 'may have at most 1'],
      [z.int(), 0.5, 'must be a whole number'],
      [z.number(), NaN, 'must be a number'],
      [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
      [z.email(), 'x', 'is not an email address'],
      [z.url(), 'x', 'is not a web address'],
      [z.string(), undefined, 'is missing'],
      [z.string().regex(/x/, 'must be provider/name'), 'y', 'must be provider/name'],
    ];
    for (const [schema, value, expected] of cases) {
      assert.equal(textForField(schema.safeParse(value).error?.issues[0]?.message ?? ''), expected);
    }
  });

  it('replace the server’s general message for programs, and keep a more specific one', () => {
    const { code, message } = new PublicError('validation_failed');
    assert.equal(textForProblem(code, message), 'Some values are not valid. Correct them and try again.');
    assert.equal(textForProblem(code, 'Line 3 is no YAML.'), 'Line 3 is no YAML.');
    assert.equal(textForProblem('conflict', 'The name is taken.'), 'The name is taken.');
    assert.equal(textForProblem('of tomorrow', 'A sentence.'), 'A sentence.');
  });

  it('send only the changed fields of an agent, and carry edits over to a newer version', () => {
    const saved = draftOf(agent.parse(anAgent));
    const typed = {
      ...saved,
      instructions: 'mine',
      name: ' Support ',
      grouping_window_seconds: '2',
      follow_ups: [{ key: 'other', after_seconds: '60', instructions: 'Ask.' }],
      script: '- reply: yes\n',
    };
    assert.deepEqual(changeOf(saved, typed), { instructions: 'mine', script: [{ reply: 'yes' }] });
    assert.deepEqual(changeOf(saved, saved), {});
    const limited = draftOf(agent.parse({ ...anAgent, model_timeout_seconds: 30 }));
    assert.deepEqual(changeOf(saved, { ...saved, model_timeout_seconds: '30' }), {
      model_timeout_seconds: 30,
    });
    assert.deepEqual(changeOf(limited, { ...limited, model_timeout_seconds: '' }), {
      model_timeout_seconds: null,
    });
    assert.deepEqual(changeOf(saved, { ...saved, fallback_model: ' openai/gpt-5-mini ' }), {
      fallback_model: 'openai/gpt-5-mini',
    });
    const spared = draftOf(agent.parse({ ...anAgent, fallback_model: 'openai/gpt-5-mini' }));
    assert.deepEqual(changeOf(spared, { ...spared, fallback_model: '' }), { fallback_model: null });
    const tuned = draftOf(agent.parse({ ...anAgent, temperature: 0, reasoning_effort: 'low' }));
    assert.deepEqual(changeOf(tuned, { ...tuned, temperature: '', max_output_tokens: '9' }), {
      temperature: null,
      max_output_tokens: 9,
    });
    assert.deepEqual(changeOf(tuned, { ...tuned, reasoning_effort: '' }), { reasoning_effort: null });
    const shaped = draftOf(agent.parse({ ...anAgent, output_schema: { type: 'object' } }));
    assert.deepEqual(changeOf(saved, { ...saved, output_schema: '{"type": "object"}' }), {
      output_schema: { type: 'object' },
    });
    assert.deepEqual(changeOf(shaped, { ...shaped, output_schema: ' ' }), { output_schema: null });
    assert.throws(() => changeOf(shaped, { ...shaped, output_schema: '{' }), /must be JSON/);
    const theirs = { ...saved, instructions: 'theirs', description: 'theirs', may_hand_over: true };
    const onTop = moved({ from: saved, to: typed }, theirs);
    assert.deepEqual(changeOf(theirs, onTop), { instructions: 'mine', script: [{ reply: 'yes' }] });
    assert.deepEqual([onTop.description, onTop.may_hand_over], ['theirs', true]);
    assert.deepEqual(differences(saved, theirs), ['description', 'instructions', 'may_hand_over']);
    // A field that the table leaves out would never be saved.
    assert.deepEqual(Object.keys(saved).sort(), [...agentFields].sort());
    for (const field of agentFields) assert.equal(typeof texts.agent.conflict.fields[field], 'string');
    assert.ok(isDraft(JSON.parse(JSON.stringify(typed)), saved));
    for (const kept of [null, 'x', {}, { ...typed, tools: 'x' }, { ...typed, name: undefined }])
      assert.ok(!isDraft(kept, saved));
  });

  const tried = {
    type: 'object',
    required: ['order_id', 'lines', 'tags'],
    properties: {
      note: { type: ['string', 'null'], maxLength: 5000, description: 'For the driver' },
      order_id: { type: 'string' },
      count: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      express: { type: 'boolean', default: false },
      size: { enum: [1, 2, 'large', null] },
      only: { const: 'x' },
      tags: { type: 'array', items: { type: 'string' } },
      days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] } },
      lines: { type: 'array', items: { type: 'object' } },
      either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      odd: { enum: ['1', 1] },
    },
  };

  it('have a field for each argument of a tool, with JSON for what no other field can show', () => {
    const fields = fieldsOf(tried);
    assert.deepEqual(
      fields.map(({ name, kind, isRequired }) => [name, kind, isRequired]),
      [
        ...[
          ['order_id', 'text', true],
          ['tags', 'texts', true],
          ['lines', 'json', true],
        ],
        ...[
          ['note', 'long_text', false],
          ['count', 'number', false],
          ['express', 'boolean', false],
        ],
        ...[
          ['size', 'choice', false],
          ['only', 'choice', false],
          ['days', 'texts', false],
        ],
        ...[
          ['either', 'json', false],
          ['odd', 'json', false],
        ],
      ],
    );
    assert.equal(fields[3]?.description, 'For the driver');
    assert.deepEqual(fields[6]?.options, ['1', '2', 'large']);
    assert.deepEqual(fields[8]?.options, ['mon', 'tue']);
    assert.deepEqual(emptyValues(tried, fields), ['', [], '', '', '', 'false', '', '', [], '', '']);
    const only = { ...tried, required: ['only'] };
    assert.deepEqual(emptyValues(only, fieldsOf(only))[0], 'x');
    for (const none of [{}, null, 'x', { properties: [] }]) assert.deepEqual(fieldsOf(none), []);
  });

  it('send the arguments of a tool with their types, and leave out what is empty', () => {
    const fields = fieldsOf(tried);
    const read = (values: FieldValue[]) => inputFrom(tried, fields, values);
    assert.deepEqual(read(['17', ['a', 'b'], '[{"sku": 1}]', '', 3, 'false', '2', '', ['mon'], '"a"', '']), {
      input: {
        ...{ order_id: '17', tags: ['a', 'b'], lines: [{ sku: 1 }], count: 3, express: false, size: 2 },
        ...{ days: ['mon'], either: 'a' },
      },
    });
    const wrong = read(['', [], '[{', '', '-', '', 'large', '', [], '', '']);
    assert.deepEqual('problems' in wrong && [...wrong.problems], [
      ...[
        ['0', 'missing'],
        ['2', 'not_json'],
        ['4', 'not_a_number'],
      ],
    ]);
  });

  const nested = {
    type: 'object',
    required: ['address'],
    properties: {
      address: {
        type: 'object',
        required: ['city'],
        properties: {
          city: { type: 'string' },
          country: { type: 'string', default: 'BR' },
          geo: { type: 'object', required: ['lat'], properties: { lat: { type: 'number' } } },
        },
      },
      gift: {
        type: ['object', 'null'],
        required: ['to'],
        properties: { to: { type: 'string' }, wrapped: { type: 'boolean', default: true } },
      },
      extra: { type: 'object' },
    },
  };

  it('have a group of fields for a nested object, which is left out while it is optional and empty', () => {
    const fields = fieldsOf(nested);
    const kinds = (list: readonly Field[]): unknown[] =>
      list.map((field) => (field.kind === 'group' ? [field.name, kinds(field.fields)] : field.name));
    assert.deepEqual(kinds(fields), [
      ...[['address', ['city', 'country', ['geo', ['lat']]]], ['gift', ['to', 'wrapped']], 'extra'],
    ]);
    const empty = emptyValues(nested, fields);
    // The default inside an optional group would send the group.
    assert.deepEqual(empty, [{ inner: ['', 'BR', { inner: [''] }] }, { inner: ['', ''] }, '']);
    const read = (values: FieldValue[]) => inputFrom(nested, fields, values);
    const unfilled = read(empty);
    assert.deepEqual('problems' in unfilled && [...unfilled.problems], [['0.inner.0', 'missing']]);
    assert.deepEqual(read([{ inner: ['Recife', '', { inner: [-8] }] }, { inner: ['', ''] }, '']), {
      input: { address: { city: 'Recife', geo: { lat: -8 } } },
    });
    const wrong = read([{ inner: ['Recife', '', { inner: ['-'] }] }, { inner: ['', 'true'] }, '{']);
    assert.deepEqual('problems' in wrong && [...wrong.problems], [
      ...[
        ['0.inner.2.inner.0', 'not_a_number'],
        ['1.inner.0', 'missing'],
      ],
      ['2', 'not_json'],
    ]);
  });

  it('end the groups of a schema that is nested without bound in a JSON field', () => {
    const deep = (depth: number): object =>
      depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(depth - 1) } };
    const kinds: string[] = [];
    for (let [field] = fieldsOf(deep(50)); field !== undefined; [field] = field.fields)
      kinds.push(field.kind);
    assert.deepEqual(kinds, ['group', 'group', 'group', 'json']);
  });

  it('show arguments that were edited as JSON only if they would send exactly these', () => {
    const fields = fieldsOf(nested);
    const kept = { address: { geo: { lat: 1 }, city: 'Recife' }, extra: { a: [1] } };
    const values = valuesFrom(nested, fields, kept);
    assert.ok(values);
    assert.deepEqual(inputFrom(nested, fields, values), { input: kept });
    assert.ok(valuesFrom(nested, fields, { address: {} }), 'what is missing can be typed into a field');
    for (const other of [
      { address: { city: 'Recife' }, unknown: 1 },
      { address: { city: 'Recife', street: 'x' } },
      { address: 'Recife' },
      { address: { city: 7 } },
      { address: { city: ['Recife'] } },
      { address: { city: 'Recife', geo: { lat: '1' } } },
      { address: { city: 'Recife' }, gift: null },
      { address: { city: 'Recife' }, gift: { to: 'Ana', wrapped: 'yes' } },
    ])
      assert.equal(valuesFrom(nested, fields, other), undefined, JSON.stringify(other));
  });

  it('keep what was typed before it is complete, but not what cannot be read', () => {
    const fields = fieldsOf(nested);
    const partial = (values: FieldValue[]) => partialInputFrom(nested, fields, values);
    assert.deepEqual(partial([{ inner: ['', '', { inner: [1] }] }, { inner: ['', ''] }, '']), {
      address: { geo: { lat: 1 } },
    });
    assert.equal(partial([{ inner: ['', '', { inner: [''] }] }, { inner: ['', ''] }, '{']), undefined);
  });
});
