/** The append actions that differ only in the block types that they accept: one table row each. */
import { z } from 'zod';
import { appendContent } from '../../blocks/append-content.ts';
import { depthBelow, type Block } from '../../blocks/block.ts';
import { readRawBlocks } from '../../blocks/given-blocks.ts';
import { defineAction, type Action } from '../../define-action.ts';
import { after, autoSplit, fullBlocks, parentBlockId } from '../../inputs.ts';
import { invalidInput } from '../../failures.ts';
import { isObject } from '../../json-value.ts';
import type { RunContext } from '../../context.ts';

type Family = {
  id: `DOCS_${string}`;
  summary: string;
  types: readonly string[];
  aliases?: Readonly<Record<string, string>>;
  /** Converts this family's short forms to the full form. */
  widen?: (item: unknown) => unknown;
  check?: (block: Block, path: string) => string | undefined;
  /** Reads from the workspace what is needed to validate the blocks. */
  checkParent?: (context: RunContext, parentId: string, blocks: readonly Block[]) => Promise<void>;
  example: readonly Record<string, unknown>[];
};

const notOfFamily = (family: Family, block: Block, path: string): string | undefined =>
  family.types.includes(block.type)
    ? family.check?.(block, path)
    : `${path} is a ${block.type}; ${family.id} takes ${family.types.join(', ')}`;

function typedAppend(family: Family): Action {
  return defineAction({
    id: family.id,
    summary: family.summary,
    effect: 'create',
    input: z.strictObject({
      block_id: parentBlockId,
      children: fullBlocks(`Blocks of type ${family.types.join(', ')}.`),
      after,
      auto_split: autoSplit,
    }),
    aliases: family.aliases ?? {},
    example: { block_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', children: family.example },
    run: async (context, { block_id, children, after: place, auto_split }) => {
      const blocks = readRawBlocks(context, children.map(family.widen ?? ((item) => item)), 'children', {
        autoSplit: auto_split,
        check: (block, path) => notOfFamily(family, block, path),
      });
      await family.checkParent?.(context, block_id, blocks);
      return appendContent(context, { parentId: block_id, blocks, after: place });
    },
  });
}

const text = (content: string) => [{ type: 'text', text: { content } }];

export const appendTextBlocks = typedAppend({
  id: 'DOCS_APPEND_TEXT_BLOCKS',
  summary: 'Appends paragraphs, headings and list items.',
  types: ['paragraph', 'heading_1', 'heading_2', 'heading_3', 'bulleted_list_item', 'numbered_list_item'],
  aliases: { blocks: 'children' },
  example: [
    { object: 'block', type: 'heading_2', heading_2: { rich_text: text('Notes') } },
    { object: 'block', type: 'paragraph', paragraph: { rich_text: text('First line') } },
  ],
});

export const appendTaskBlocks = typedAppend({
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

export const appendCodeBlocks = typedAppend({
  id: 'DOCS_APPEND_CODE_BLOCKS',
  summary: 'Appends code, quotes and equations (LaTeX).',
  types: ['code', 'quote', 'equation'],
  example: [{ object: 'block', type: 'code', code: { rich_text: text('print(1)'), language: 'python' } }],
});

/** Converts `{type, url, caption?}` to the full block. */
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

export const appendMediaBlocks = typedAppend({
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

export const appendLayoutBlocks = typedAppend({
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
