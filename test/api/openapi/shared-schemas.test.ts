import assert from 'node:assert/strict';
import { shareSchemas } from '../../../src/api/openapi/shared-schemas.ts';

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const shared = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('Schemas that share definitions', () => {
  it('point to one component each, also if one definition refers to another and to itself', () => {
    const $defs = {
      A: { items: ref('A'), also: ref('__schema0') },
      __schema0: { anyOf: [ref('__schema0')] },
    };
    const components = {};
    const node = { one: { ...ref('A'), $defs }, two: [{ of: ref('A'), $defs }] };
    assert.deepEqual(shareSchemas(node, components), { one: shared('A'), two: [{ of: shared('A') }] });
    // Any JSON value is an open schema: generators refuse one that refers to itself.
    assert.deepEqual(components, { A: { items: shared('A'), also: {} } });
  });

  it('of the same name but different form are refused', () => {
    const node = [1, 2].map((maximum) => ({ ...ref('A'), $defs: { A: { maximum } } }));
    assert.throws(() => shareSchemas(node, {}), /Two schemas are named A: give one of them another id/);
  });
});
