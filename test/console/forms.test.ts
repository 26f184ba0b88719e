import assert from 'node:assert/strict';
import { inputSkeleton } from '../../src/console/pages/input-skeleton.ts';
import { fieldOf } from '../../src/console/pieces/field-of.ts';

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
