import assert from 'node:assert/strict';
import { z } from 'zod';
import { inputSkeleton } from '../../src/console/pages/workspace/input-skeleton.ts';
import { textForProblem, textForField } from '../../src/console/messages/problems.ts';
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
import { fieldOf } from '../../src/console/components/form-values.ts';
import { PublicError } from '../../src/contract/errors.ts';

const anAgent = {
  ...{ id: crypto.randomUUID(), inbox_id: crypto.randomUUID(), name: 'Support', description: '' },
  ...{
    instructions: 'theirs and mine',
    model: 'a/b',
    active: true,
    uses_default_model: false,
    input_during_run: 'next_group',
  },
  ...{ grouping_window_seconds: 2, transfers_to: [], tools: ['DOCS_FETCH_DATA'] },
  follow_ups: [{ after_seconds: 60, instructions: 'Ask.' }],
  ...{ created_at: new Date().toISOString(), updated_at: new Date().toISOString() },
};

describe('Forms of the console', () => {
  it('find the field that a path of the API leads to, however deep', () => {
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

  it('send of an agent what differs alone, and move what is typed to a newer version', () => {
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
    const theirs = { ...saved, instructions: 'theirs', description: 'theirs', active: false };
    const onTop = moved({ from: saved, to: typed }, theirs);
    assert.deepEqual(changeOf(theirs, onTop), { instructions: 'mine', script: [{ reply: 'yes' }] });
    assert.deepEqual([onTop.description, onTop.active], ['theirs', false]);
    assert.deepEqual(differences(saved, theirs), ['description', 'instructions', 'active']);
    // A field that the table leaves out would never be saved.
    assert.deepEqual(Object.keys(saved).sort(), [...agentFields].sort());
    for (const field of agentFields) assert.equal(typeof texts.agent.conflict.fields[field], 'string');
    assert.ok(isDraft(JSON.parse(JSON.stringify(typed)), saved));
    for (const kept of [null, 'x', {}, { ...typed, tools: 'x' }, { ...typed, name: undefined }])
      assert.ok(!isDraft(kept, saved));
  });

  it('begin the trial of an action with what its schema requires', () => {
    const schema = {
      properties: {
        page_id: { type: 'string' },
        children: { type: 'array' },
        archive: { type: 'boolean', default: true },
        parent: { anyOf: [] },
        icon: { type: 'object' },
        count: { type: 'integer' },
      },
      required: ['page_id', 'children', 'archive', 'count', 'parent'],
    };
    assert.deepEqual(JSON.parse(inputSkeleton(schema)), {
      ...{ page_id: '', children: [], archive: true, count: 0, parent: '' },
    });
    assert.deepEqual(JSON.parse(inputSkeleton({ properties: {} })), {});
  });
});
