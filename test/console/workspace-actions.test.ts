/** Names, presets and forms of the 45 actions of the document workspace, as the console shows them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  emptyValues,
  fieldsOf,
  inputFrom,
  partialInputFrom,
  valuesFrom,
  type Field,
} from '../../src/console/components/schema-form.ts';
import {
  actionsIn,
  isWorkspaceAction,
  toolLabel,
  withTools,
} from '../../src/console/components/workspace-presets.ts';
import { actionTexts } from '../../src/console/messages/workspace-actions.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { actions, findAction } from '../../src/workspace/registry.ts';

const presets = ['search', 'read', 'write'] as const;
const presetOf = (id: string) => new Map(Object.entries(actionTexts)).get(id)?.preset;

describe('Actions of the document workspace in the console', () => {
  it('have a plain name of their own and a sentence each, and there are no others', () => {
    assert.equal(actions.length, 45);
    assert.deepEqual(Object.keys(actionTexts).sort(), actions.map(({ id }) => id).sort());
    const names = Object.values(actionTexts).map(({ name }) => name);
    assert.equal(new Set(names).size, 45);
    for (const { name, text } of Object.values(actionTexts)) {
      assert.match(name, /^[A-Z][^_]{3,39}$/, name);
      assert.match(text, /^[A-Z][^_]{5,90}\.$/, text);
    }
  });

  it('are each in exactly one preset, or in none with the reason', () => {
    const placed = [...presets, 'none' as const].flatMap((preset) => actionsIn(preset));
    assert.deepEqual(placed.sort(), actions.map(({ id }) => id).sort());
    for (const preset of presets) assert.ok(actionsIn(preset).length > 0);
    for (const [id, { preset, why }] of Object.entries(actionTexts))
      assert.equal(why !== undefined, preset === 'none', id);
  });

  it('are counted by preset in docs/tools.md', () => {
    const page = readFileSync(join(projectRoot, 'docs', 'tools.md'), 'utf8');
    const counted = [...page.matchAll(/^\| (Search|Read|Write) +\|.*\| (\d+) +\|$/gm)];
    assert.deepEqual(
      counted.map(([, name, count]) => [name?.toLowerCase(), Number(count)]),
      presets.map((preset) => [preset, actionsIn(preset).length]),
    );
  });

  it('read in Search and Read, and write in Write', () => {
    for (const preset of presets)
      for (const id of actionsIn(preset))
        assert.equal(findAction(id)?.effect === 'read', preset !== 'write', `${id} in ${preset}`);
  });

  it('are in no preset if they are deprecated, delete, or show people', () => {
    for (const { id, deprecated } of actions)
      if (deprecated !== undefined) assert.equal(presetOf(id), 'none', id);
    for (const id of [
      ...['DOCS_DELETE_BLOCK', 'DOCS_ARCHIVE_DOCS_PAGE', 'DOCS_REPLACE_PAGE_CONTENT'],
      ...['DOCS_LIST_USERS', 'DOCS_GET_ABOUT_USER'],
    ])
      assert.equal(presetOf(id), 'none', id);
  });

  it('are selected and removed by preset, while other tools and their order stay', () => {
    const search = actionsIn('search');
    const [first = ''] = search;
    const tools = ['find_order', first, 'mcp_shop_refund', 'DOCS_DELETE_BLOCK'];
    assert.deepEqual(withTools(tools, search, true), [...tools, ...search.slice(1)]);
    assert.deepEqual(withTools(withTools(tools, search, true), search, false), [
      ...['find_order', 'mcp_shop_refund', 'DOCS_DELETE_BLOCK'],
    ]);
    for (const other of ['find_order', 'constructor', '__proto__', 'DOCS_UNKNOWN', '']) {
      assert.equal(isWorkspaceAction(other), false);
      assert.equal(toolLabel(other), other);
    }
  });

  for (const { id, inputSchema, example } of actions)
    it(`${id}: the form shows the example of the reference, and sends exactly it`, () => {
      const fields = fieldsOf(inputSchema);
      const values = valuesFrom(inputSchema, fields, example);
      assert.ok(values);
      assert.deepEqual(inputFrom(inputSchema, fields, values), { input: example });
      // Without a change, the form sends no more than the defaults that the action has anyway.
      const untouched = partialInputFrom(inputSchema, fields, emptyValues(inputSchema, fields)) ?? {};
      const properties = inputSchema['properties'] as Record<string, { default?: unknown }>;
      const defaults = Object.entries(untouched).map(([name]) => [name, properties[name]?.default ?? {}]);
      assert.deepEqual(untouched, Object.fromEntries(defaults));
    });

  it('need JSON for blocks, filters and what may be an object or a text, and for nothing else', () => {
    const jsonOf = (fields: readonly Field[]): string[] =>
      fields.flatMap((field) => (field.kind === 'json' ? [field.name] : jsonOf(field.fields)));
    const names = new Set(actions.flatMap(({ inputSchema }) => jsonOf(fieldsOf(inputSchema))));
    assert.deepEqual([...names].sort(), [
      ...['additional_properties', 'backup_parent', 'child_blocks', 'children', 'comment', 'content_block'],
      ...[
        'content_blocks',
        'cover',
        'filter',
        'icon',
        'new_children',
        'parent',
        'properties',
        'sorts',
        'tables',
      ],
    ]);
  });
});
