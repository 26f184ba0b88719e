import assert from 'node:assert/strict';
import { z } from 'zod';
import { maxListItems, maxText } from '../../../src/contract/workspace/actions.ts';
import { actions, findAction } from '../../../src/workspace/registry.ts';
import { readInput } from '../../../src/workspace/read-input.ts';

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  maxItems?: number;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
};

/** Paths of texts and lists without an upper bound. */
function unbounded(schema: Schema, path: string): string[] {
  const own =
    (schema.type === 'string' &&
      schema.maxLength === undefined &&
      schema.enum === undefined &&
      schema.const === undefined) ||
    (schema.type === 'array' && schema.maxItems === undefined);
  return [
    ...(own ? [path] : []),
    ...(schema.anyOf ?? []).flatMap((one) => unbounded(one, path)),
    ...(schema.items === undefined ? [] : unbounded(schema.items, `${path}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => unbounded(one, `${path}.${name}`)),
  ];
}

describe('Bounds of the inputs of document actions', () => {
  for (const { id, inputSchema } of actions) {
    it(`${id} bounds each text and each list`, () => {
      assert.deepEqual(unbounded(inputSchema, ''), []);
    });
  }

  it('catches a planted text and a planted list without a bound, in lists and choices too', () => {
    const planted = z.toJSONSchema(
      z.strictObject({
        text: z.string(),
        list: z.array(z.string().max(1)),
        inner: z.array(z.union([z.strictObject({ deep: z.string() }), z.literal('a')])).max(1),
      }),
    ) as Schema;
    assert.deepEqual(unbounded(planted, ''), ['.text', '.list', '.inner[].deep']);
  });

  const nested = (levels: number): unknown => (levels === 0 ? 'a' : [nested(levels - 1)]);
  const id = '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10';
  const action = findAction('DOCS_REPLACE_PAGE_CONTENT')!;
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const [given, problem] of [
    [[nested(100)], /nested deeper than 64 levels/],
    [deep, /nested deeper than 64 levels/],
    [JSON.parse(deep) as unknown, /nested deeper than 64 levels/],
    [[{ content: 'a'.repeat(maxText.body + 1) }], /holds a text of 1000001 characters; give at most 1000000/],
    [[{ children: Array(maxListItems + 1).fill('a') }], /holds a list of 10001 items; give at most 10000/],
    [Array(60).fill({ a: Array(maxListItems).fill(1) }), /holds more than 500000 values/],
  ] as const) {
    it(`refuses free-form values beyond a bound: ${problem.source}`, () => {
      assert.throws(() => readInput(action, { page_id: id, new_children: given }), problem);
    });
  }

  it('takes blocks that are within the bounds', () => {
    const { input } = readInput(action, {
      page_id: id,
      new_children: [nested(60), { content: 'a'.repeat(maxText.body) }],
    });
    assert.equal((input['new_children'] as unknown[]).length, 2);
  });
});
