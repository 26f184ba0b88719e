/** The actions that append blocks below a page or block. */
import { z } from 'zod';
import { type JsonObject, jsonObject, maxListItems } from '../../contract/workspace/actions.ts';
import { appendTree } from '../blocks/append-tree.ts';
import { type Block, depthBelow } from '../blocks/block.ts';
import { cleanBlock } from '../blocks/clean-block.ts';
import { readContentBlocks, readOneContentBlock, readRawBlocks } from '../blocks/given-blocks.ts';
import { checkBlockText, limits, newNotes } from '../blocks/limits.ts';
import type { RunContext } from '../context.ts';
import { type About, type Action, defineAction } from '../define-action.ts';
import { invalidInput } from '../failures.ts';
import { after, autoSplit, contentBlocks, fullBlocks, parentBlockId, singleContentBlock } from '../inputs.ts';
import { isObject, listAt } from '../json-value.ts';
import { expectKind } from '../resolve-ids.ts';

/**
 * Appends blocks below a page or block.
 * @param place id of the child after which the blocks are placed; undefined: at the end
 * @returns the created top-level blocks, the number of all created blocks, and the number of requests
 */
async function appendContent(
  context: RunContext,
  parentId: string,
  blocks: readonly Block[],
  place: string | undefined,
): Promise<JsonObject> {
  const appended = await expectKind(context.docs, 'page', parentId, () =>
    appendTree(context, { parentId, blocks, after: place, step: 'append' }),
  );
  return {
    results: appended.created,
    count: appended.created.length,
    blocks_created: appended.blocks,
    requests: appended.requests,
    has_more: false,
    next_cursor: null,
  };
}

/** The aliases and the rule that both actions for simplified blocks have. */
const underParent = {
  aliases: { page_id: 'parent_block_id', block_id: 'parent_block_id' },
  rules: {
    'after is a child of parent_block_id, so the two differ.': (input: {
      parent_block_id: string;
      after?: string | undefined;
    }) => input.after !== input.parent_block_id,
  },
};

export const addMultiplePageContent = defineAction({
  id: 'DOCS_ADD_MULTIPLE_PAGE_CONTENT',
  summary:
    'Adds many blocks to a page or block. Markdown in text is read; text over 2000 characters is split.',
  effect: 'create',
  input: z.strictObject({ parent_block_id: parentBlockId, content_blocks: contentBlocks, after }),
  ...underParent,
  example: {
    parent_block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    content_blocks: [
      { content: 'Agenda', block_property: 'heading_2' },
      { content: 'Review the **budget**', block_property: 'to_do' },
    ],
  },
  run: (context, { parent_block_id, content_blocks, after: place }) => {
    const blocks = readContentBlocks(context, content_blocks, 'content_blocks');
    return appendContent(context, parent_block_id, blocks, place);
  },
});

export const addPageContent = defineAction({
  id: 'DOCS_ADD_PAGE_CONTENT',
  summary: 'Adds one block to a page, toggle, to-do, list item, callout or quote.',
  effect: 'create',
  input: z.strictObject({ parent_block_id: parentBlockId, content_block: singleContentBlock, after }),
  ...underParent,
  example: {
    parent_block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    content_block: { content: 'A short note', block_property: 'paragraph' },
  },
  deprecated: { use: 'DOCS_ADD_MULTIPLE_PAGE_CONTENT' },
  run: (context, { parent_block_id, content_block, after: place }) => {
    const blocks = readOneContentBlock(context, content_block, 'content_block');
    return appendContent(context, parent_block_id, blocks, place);
  },
});

type Family = Omit<About, 'effect' | 'example'> & {
  /** The block types that the action accepts; all types if absent. */
  types?: readonly string[];
  aliases?: Readonly<Record<string, string>>;
  /** Converts an item from the family's short form to a full block. Returns any other item unchanged. */
  widen?: (item: unknown) => unknown;
  check?: (block: Block, path: string) => string | undefined;
  /** May read the parent from the workspace. @throws ActionError INVALID_INPUT if the parent cannot have the blocks */
  checkParent?: (context: RunContext, parentId: string, blocks: readonly Block[]) => Promise<void>;
  example: readonly JsonObject[];
};

/** Defines an action that appends full blocks of one family. */
function appendOf(family: Family): Action {
  const { types, widen = (item: unknown) => item, check, checkParent, example, ...about } = family;
  const taken =
    types === undefined
      ? 'Blocks with object, type and the type key.'
      : `Blocks of type ${types.join(', ')}.`;
  return defineAction({
    ...about,
    effect: 'create',
    input: z.strictObject({
      block_id: parentBlockId,
      children: fullBlocks(taken),
      after,
      auto_split: autoSplit,
    }),
    example: { block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', children: example },
    run: async (context, { block_id, children, after: place, auto_split }) => {
      const blocks = readRawBlocks(context, children.map(widen), 'children', {
        autoSplit: auto_split,
        check: (block, path) =>
          types === undefined || types.includes(block.type)
            ? check?.(block, path)
            : `${path} is a ${block.type}; ${about.id} takes ${types.join(', ')}`,
      });
      await checkParent?.(context, block_id, blocks);
      return appendContent(context, block_id, blocks, place);
    },
  });
}

const text = (content: string) => [{ type: 'text', text: { content } }];

export const appendBlockChildren = appendOf({
  id: 'DOCS_APPEND_BLOCK_CHILDREN',
  summary: 'Appends raw blocks to a page or block.',
  example: [{ object: 'block', type: 'paragraph', paragraph: { rich_text: text('Hello') } }],
  deprecated: { use: 'the typed append actions, such as DOCS_APPEND_TEXT_BLOCKS' },
});

export const appendTextBlocks = appendOf({
  id: 'DOCS_APPEND_TEXT_BLOCKS',
  summary: 'Appends paragraphs, headings and list items.',
  types: ['paragraph', 'heading_1', 'heading_2', 'heading_3', 'bulleted_list_item', 'numbered_list_item'],
  aliases: { blocks: 'children' },
  example: [
    { object: 'block', type: 'heading_2', heading_2: { rich_text: text('Notes') } },
    { object: 'block', type: 'paragraph', paragraph: { rich_text: text('First line') } },
  ],
});

export const appendTaskBlocks = appendOf({
  id: 'DOCS_APPEND_TASK_BLOCKS',
  summary: 'Appends to-dos, toggles and callouts, with up to 2 levels nested inside.',
  types: ['to_do', 'toggle', 'callout'],
  check: (block, path) =>
    depthBelow(block) > 2
      ? `${path} is nested ${depthBelow(block)} levels deep; at most 2 levels are allowed`
      : undefined,
  example: [
    { object: 'block', type: 'to_do', to_do: { rich_text: text('Call the supplier'), checked: false } },
  ],
});

export const appendCodeBlocks = appendOf({
  id: 'DOCS_APPEND_CODE_BLOCKS',
  summary: 'Appends code, quotes and equations (LaTeX).',
  types: ['code', 'quote', 'equation'],
  example: [{ object: 'block', type: 'code', code: { rich_text: text('print(1)'), language: 'python' } }],
});

/** Converts `{type, url, caption?}` to the full block. Returns any other item unchanged. */
function widenMedia(item: unknown): unknown {
  if (
    !isObject(item) ||
    typeof item['type'] !== 'string' ||
    isObject(item[item['type']]) ||
    item['url'] === undefined
  )
    return item;
  return {
    type: item['type'],
    [item['type']]: {
      url: item['url'],
      ...(item['caption'] === undefined ? {} : { caption: item['caption'] }),
    },
  };
}

export const appendMediaBlocks = appendOf({
  id: 'DOCS_APPEND_MEDIA_BLOCKS',
  summary: 'Appends images, videos, audio, files, PDFs, embeds and bookmarks, each with an external URL.',
  types: ['image', 'video', 'audio', 'file', 'pdf', 'embed', 'bookmark'],
  widen: widenMedia,
  example: [
    {
      object: 'block',
      type: 'image',
      image: { type: 'external', external: { url: 'https://example.com/plan.png' } },
    },
  ],
});

function checkLayout(block: Block, path: string): string | undefined {
  if (block.type === 'column' && block.children.length === 0) return `${path} needs at least one child block`;
  if (block.type !== 'column_list') return undefined;
  if (block.children.length < 2)
    return `${path} has ${block.children.length} columns; a column_list needs 2 or more, in the same request`;
  const empty = block.children.findIndex((column) => column.children.length === 0);
  return empty === -1
    ? undefined
    : `${path}.column_list.children[${empty}] is empty; each column needs at least one child block, in the same request`;
}

/**
 * Checks that columns are appended only to a column list. Reads the parent only if there is a column.
 * @throws ActionError INVALID_INPUT if the parent of a column is not a column list; the failures of the workspace
 */
async function checkColumnParent(
  context: RunContext,
  parentId: string,
  blocks: readonly Block[],
): Promise<void> {
  if (!blocks.some((block) => block.type === 'column')) return;
  const parent = await context.docs.retrieveBlock(parentId);
  if (parent.type !== 'column_list') {
    throw invalidInput(
      `a column can only be appended to a column_list, and ${parentId} is a ${parent.type}. Append a column_list that holds the columns`,
    );
  }
}

export const appendLayoutBlocks = appendOf({
  id: 'DOCS_APPEND_LAYOUT_BLOCKS',
  summary: 'Appends dividers, tables of contents, breadcrumbs and columns.',
  types: ['divider', 'table_of_contents', 'breadcrumb', 'column_list', 'column'],
  check: checkLayout,
  checkParent: checkColumnParent,
  example: [
    { object: 'block', type: 'divider', divider: {} },
    { object: 'block', type: 'table_of_contents', table_of_contents: { color: 'gray' } },
  ],
});

const row = z.union([jsonObject, z.array(z.unknown()).max(maxListItems)]);

const table = z.strictObject({
  table_width: z
    .int()
    .min(1)
    .max(limits.tableWidth)
    .optional()
    .describe(
      'Number of columns; the cells of every row must be as many. Default: the cells of the first row.',
    ),
  has_column_header: z.boolean().default(false),
  has_row_header: z.boolean().default(false),
  rows: z
    .array(row)
    .min(1)
    .max(maxListItems)
    .describe('{"cells":[cell,…]}; a cell is a list of rich text objects, or text.'),
});
type Table = z.output<typeof table>;

const cellsOf = (given: Table['rows'][number] | undefined): readonly unknown[] =>
  Array.isArray(given) ? given : listAt(given, 'cells');

const asBlock = ({ rows, table_width = cellsOf(rows[0]).length, ...flags }: Table) => ({
  type: 'table',
  table: {
    table_width,
    ...flags,
    children: rows.map((each) => ({
      type: 'table_row',
      table_row: { cells: Array.isArray(each) ? each : (each['cells'] ?? []) },
    })),
  },
});

/** Replaces paths of the table block with paths of the action's input, because the caller knows only the input. */
const asGiven = (problem: string): string =>
  problem
    .replaceAll(/\.table\.children(\[\d+\])(?:\.table_row)?/g, '.rows$1')
    .replaceAll('.table.table_width', '.table_width');

export const appendTableBlocks = defineAction({
  id: 'DOCS_APPEND_TABLE_BLOCKS',
  summary: 'Appends tables with their rows; a table may have more than 100 rows.',
  effect: 'create',
  input: z.strictObject({
    block_id: parentBlockId,
    after,
    tables: z.array(table).min(1).max(limits.tables).describe('1 to 100 tables.'),
  }),
  example: {
    block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    tables: [
      {
        table_width: 2,
        has_column_header: true,
        rows: [{ cells: [text('Item'), text('Price')] }, { cells: [text('Pen'), text('2')] }],
      },
    ],
  },
  run: async (context, { block_id, after: place, tables }) => {
    const notes = newNotes();
    const blocks = tables.flatMap(
      (given, index) => cleanBlock(asBlock(given), `tables[${index}]`, notes) ?? [],
    );
    for (const [index, block] of blocks.entries()) checkBlockText(block, `tables[${index}]`, notes);
    if (notes.problems.length > 0) throw invalidInput(notes.problems.map(asGiven));
    const result = await appendContent(context, block_id, blocks, place);
    return { ...result, rows: blocks.map((block) => block.children.length) };
  },
});
