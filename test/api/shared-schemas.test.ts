import assert from 'node:assert/strict';
import { shareSchemas } from '../../src/api/shared-schemas.ts';

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const shared = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('Schemas that share definitions', () => {
  it('point to one component each, also where one definition refers to another and to itself', () => {
    const $defs = {
      A: { items: ref('A'), also: ref('__schema0') },
      __schema0: { anyOf: [ref('__schema0')] },
    };
    const components = {};
    const node = { one: { ...ref('A'), $defs }, two: [{ of: ref('A'), $defs }] };
    assert.deepEqual(shareSchemas(node, components), { one: shared('A'), two: [{ of: shared('A') }] });
    assert.deepEqual(components, {
      A: { items: shared('A'), also: shared('Json') },
      Json: { description: 'Any JSON value', anyOf: [shared('Json')] },
    });
  });

  it('of one name and another form stay apart', () => {
    const components = {};
    const node = [1, 2, 1].map((maximum) => ({ ...ref('A'), $defs: { A: { maximum } } }));
    assert.deepEqual(shareSchemas(node, components), [shared('A'), shared('A_2'), shared('A')]);
    assert.deepEqual(components, { A: { maximum: 1 }, A_2: { maximum: 2 } });
  });
});
