/** Defines the form in which actions handle a block: type, own fields and children. Converts it to the API's form. */
import { isObject } from '../json-value.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';

export type Block = {
  readonly type: string;
  /** The fields below the type key, without `children`. */
  readonly body: JsonObject;
  readonly children: readonly Block[];
};

/** Types for which the API requires `children`, even if the list is empty. */
const holders: ReadonlySet<string> = new Set(['table', 'column_list', 'column', 'tab']);

/** @returns the block in the form of an API request, with its children under the type key */
export function toWire(block: Block): JsonObject {
  const none = block.children.length === 0 && !holders.has(block.type);
  const body = none ? block.body : { ...block.body, children: block.children.map(toWire) };
  return { object: 'block', type: block.type, [block.type]: body };
}

/** Counts the block and all blocks below it. */
export function countBlocks(block: Block): number {
  return block.children.reduce((sum, child) => sum + countBlocks(child), 1);
}

/** The types whose content is a `rich_text` array. */
export const textTypes: ReadonlySet<string> = new Set([
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'heading_4',
  'bulleted_list_item',
  'numbered_list_item',
  'to_do',
  'toggle',
  'quote',
  'callout',
  'code',
  'template',
]);

export const fileTypes: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'file', 'pdf']);
export const urlTypes: ReadonlySet<string> = new Set(['embed', 'bookmark']);

export const creatableTypes: ReadonlySet<string> = new Set([
  ...textTypes,
  ...fileTypes,
  ...urlTypes,
  'equation',
  'divider',
  'breadcrumb',
  'table_of_contents',
  'table',
  'table_row',
  'column_list',
  'column',
  'link_to_page',
  'synced_block',
  'tab',
]);

/** Block types that the API returns but cannot create, each with advice for the model. */
export const notCreatable: Readonly<Record<string, string>> = {
  child_page: 'create pages with DOCS_CREATE_DOCS_PAGE',
  child_database: 'create databases with DOCS_CREATE_DATABASE',
  link_preview: 'use a bookmark with the same url',
  meeting_notes: 'meeting notes cannot be created through the API',
  transcription: 'meeting notes cannot be created through the API',
  unsupported: 'the API does not show this block',
};

export const isHeading = (type: string): boolean => /^heading_[1-4]$/.test(type);

const childless = new Set([
  ...fileTypes,
  ...urlTypes,
  'code',
  'equation',
  'divider',
  'breadcrumb',
  'table_of_contents',
  'table_row',
  'link_to_page',
]);

/** @returns an error message if the API does not accept the block with its children; undefined if it does */
export function childrenProblem(block: Block): string | undefined {
  const { type, children } = block;
  const only = { table: 'table_row', column_list: 'column', tab: 'paragraph' }[type];
  if (only !== undefined) {
    const other = children.find((child) => child.type !== only);
    return other === undefined ? undefined : `a ${type} holds ${only} blocks only, not ${other.type}`;
  }
  const orphan = children.find((child) => child.type === 'table_row' || child.type === 'column');
  if (orphan !== undefined) {
    return `a ${orphan.type} belongs into a ${orphan.type === 'column' ? 'column_list' : 'table'}`;
  }
  if (children.length === 0) return undefined;
  if (isHeading(type) && block.body['is_toggleable'] !== true) {
    return `${type} cannot have children unless is_toggleable is true`;
  }
  return childless.has(type) ? `a ${type} cannot have children` : undefined;
}

/** Counts the levels of blocks below the block; 0 without children. */
export function depthBelow(block: Block): number {
  return block.children.reduce((deepest, child) => Math.max(deepest, 1 + depthBelow(child)), 0);
}

export function richTextOf(block: Block, field = 'rich_text'): readonly JsonObject[] {
  const items = block.body[field];
  return Array.isArray(items) ? items.filter(isObject) : [];
}
