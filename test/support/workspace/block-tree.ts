/** The children of one request: counted, measured and checked before anything is written. */
import type { Call } from './call.ts';
import { blockContent, headings, takesChildren, typeKey } from './block-content.ts';
import { invalid, shouldBe } from './errors.ts';
import { asArray, isObject, type Json, type JsonObject } from './json.ts';
import type { Block, Parent } from './state.ts';
import { stamps } from './world.ts';

export interface Draft {
  type: string;
  content: JsonObject;
  children: Draft[];
}

/** @throws ApiError for the first of: 100 per array, 1000 in all, depth, contents */
export function drafts(call: Call, value: Json | undefined, path: string): Draft[] {
  const count = { blocks: 0 };
  const found = level(call, value, path, 2, count);
  if (count.blocks > 1000) {
    throw invalid(
      `body failed validation: the number of block elements should be ≤ \`1000\`, instead was \`${count.blocks}\`.`,
    );
  }
  return found;
}

function level(
  call: Call,
  value: Json | undefined,
  path: string,
  below: number,
  count: { blocks: number },
): Draft[] {
  if (value === undefined) throw shouldBe(path, 'defined', value);
  if (!Array.isArray(value)) throw shouldBe(path, 'an array', value);
  if (value.length > 100) throw shouldBe(`${path}.length`, '≤ `100`', value.length);
  count.blocks += value.length;
  return value.map((item, index) => draft(call, item, `${path}[${index}]`, below, count));
}

/** Fields of an answered block beside its content are accepted and ignored. */
const answeredKeys = ['object', 'type', 'has_children', 'archived', 'in_trash'];

function draft(call: Call, item: Json, path: string, below: number, count: { blocks: number }): Draft {
  if (!isObject(item)) throw shouldBe(path, 'an object', item);
  const type = typeKey(item, path);
  for (const key of Object.keys(item)) {
    if (key !== type && !answeredKeys.includes(key))
      throw shouldBe(`${path}.${key}`, 'not present', item[key]);
  }
  const given = item[type];
  if (!isObject(given)) throw shouldBe(`${path}.${type}`, 'an object', given);
  const at = `${path}.${type}`;
  const rows = type === 'table' || type === 'column_list';
  const empty = Array.isArray(given['children']) && given['children'].length === 0;
  // Clients write `children: []` into every block; only tables and columns miss something then.
  const nested = empty && !rows ? undefined : given['children'];
  const toggle = headings.includes(type) && given['is_toggleable'] === true;
  if (nested !== undefined && !takesChildren.includes(type) && !toggle) {
    throw shouldBe(`${at}.children`, 'not present', nested);
  }
  if (nested !== undefined && below === 0) throw shouldBe(`${at}.children`, 'not present', nested);
  if (type === 'column_list' && below < 2) throw shouldBe(at, 'not present', given);
  if (rows && nested === undefined) throw shouldBe(`${at}.children`, 'defined', nested);
  const content = blockContent(call, type, given, at);
  const deeper = type === 'column_list' ? below : below - 1;
  const children = nested === undefined ? [] : level(call, nested, `${at}.children`, deeper, count);
  checkShape(type, content, children, at);
  return { type, content, children };
}

function checkShape(type: string, content: JsonObject, children: Draft[], path: string): void {
  if (type === 'table') {
    if (children.length === 0) throw shouldBe(`${path}.children.length`, '≥ `1`', 0);
    for (const child of children) {
      if (child.type !== 'table_row') throw invalid('Table children must be table_row blocks.');
      checkWidth(content, child);
    }
  }
  if (type === 'column_list') {
    if (children.length < 2) throw invalid('Column list must have at least 2 columns.');
    if (children.some((child) => child.type !== 'column'))
      throw invalid('Column list children must be column blocks.');
  }
}

export function checkWidth(table: JsonObject, row: { content: JsonObject }): void {
  const cells = asArray(row.content['cells']).length;
  if (cells !== table['table_width']) {
    throw invalid(
      'Content creation Failed. Fix the following: \nNumber of cells in table row must match the table width of the parent table',
    );
  }
}

/** @throws ApiError when this parent cannot hold these blocks */
export function checkParent(parent: Block | undefined, children: readonly Draft[]): void {
  const type = parent?.type ?? 'page';
  if (parent !== undefined) {
    const toggle = headings.includes(type) && parent.content['is_toggleable'] === true;
    if (!takesChildren.includes(type) && !toggle) throw invalid('Block does not support children');
  }
  for (const child of children) {
    if (type === 'table' && child.type !== 'table_row')
      throw invalid('Table children must be table_row blocks.');
    if (type === 'column_list' && child.type !== 'column')
      throw invalid('Column list children must be column blocks.');
    if (type !== 'table' && child.type === 'table_row')
      throw invalid('Table row blocks can only be children of a table.');
    if (type !== 'column_list' && child.type === 'column')
      throw invalid('Column blocks can only be children of a column_list.');
    if (type === 'table' && parent !== undefined) checkWidth(parent.content, child);
  }
}

/** Writes checked blocks; returns the ids of the first level, in order. */
export function plant(call: Call, parent: Parent, children: readonly Draft[]): string[] {
  return children.map((child) => {
    const id = call.world.newId();
    const block: Block = {
      ...stamps(call.world, call.bot),
      kind: 'block',
      id,
      parent,
      type: child.type,
      content: child.content,
      children: [],
    };
    call.world.state.entities.set(id, block);
    block.children = plant(call, { type: 'block_id', id }, child.children);
    return id;
  });
}
