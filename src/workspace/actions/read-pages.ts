/** The actions that read a page: its properties, or its content as Markdown. */
import { propertyOf } from '../rows/read-properties.ts';
import { z } from 'zod';
import { startCursor, workspaceId } from '../../contract/workspace/actions.ts';
import { propertyItemList } from '../client/answers.ts';
import { WorkspaceRefused } from '../client/failures.ts';
import type { Workspace } from '../client/workspace.ts';
import { listResult } from '../compact.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { boundedText } from '../inputs.ts';
import { withTruncation } from '../pages/page-fields.ts';
import { expectKind } from '../resolve-ids.ts';
import { decoded } from '../text.ts';

export const retrievePage = defineAction({
  id: 'DOCS_RETRIEVE_PAGE',
  summary:
    "Reads a page's properties and metadata, not its content. Properties with more than 25 references need DOCS_GET_PAGE_PROPERTY_ACTION.",
  effect: 'read',
  input: z.strictObject({ page_id: workspaceId('A page, not a database.') }),
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs }, { page_id }) =>
    withTruncation(await expectKind(docs, 'page', page_id, () => docs.retrievePage(page_id))),
});

const maxParts = 10;

type Part = { block_id: string; markdown: string };

/**
 * Reads parts of a page that the workspace left out of the page's Markdown, at most `maxParts` of them.
 * @param ids ids of the blocks that were left out
 * @returns the Markdown of each block that could be read, and the ids of blocks that are still missing
 */
async function readParts(
  docs: Workspace,
  ids: readonly string[],
  transcript: boolean,
): Promise<{ parts: Part[]; left: string[] }> {
  const parts: Part[] = [];
  const left = ids.slice(maxParts);
  for (const id of ids.slice(0, maxParts)) {
    try {
      const { markdown, unknown_block_ids } = await docs.retrieveMarkdown(id, transcript);
      parts.push({ block_id: id, markdown });
      left.push(...unknown_block_ids);
    } catch (error) {
      if (!(error instanceof WorkspaceRefused)) throw error;
      left.push(id);
    }
  }
  return { parts, left };
}

export const getPageMarkdown = defineAction({
  id: 'DOCS_GET_PAGE_MARKDOWN',
  summary: "Reads a page's content as Markdown.",
  effect: 'read',
  input: z.strictObject({
    page_id: workspaceId('A page, not a database or a block.'),
    include_transcript: z.boolean().default(false).describe('true includes meeting-note transcripts.'),
  }),
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs, warn }, { page_id, include_transcript }) => {
    const answer = await expectKind(docs, 'page', page_id, () =>
      docs.retrieveMarkdown(page_id, include_transcript),
    );
    const { parts, left } = await readParts(docs, answer.unknown_block_ids, include_transcript);
    const truncated = left.length > 0 || (answer.truncated && answer.unknown_block_ids.length === 0);
    if (truncated)
      warn(
        'The Markdown is not the whole page; read the blocks in unknown_block_ids with DOCS_FETCH_BLOCK_CONTENTS.',
      );
    return {
      page_id,
      markdown: answer.markdown,
      truncated,
      unknown_block_ids: left,
      ...(parts.length === 0 ? {} : { further_parts: parts }),
      characters: answer.markdown.length,
    };
  },
});

/**
 * @returns the decoded id of the property with this id or name
 * @throws ActionError INVALID_INPUT if the page has no such property
 */
async function propertyIdOf(context: RunContext, pageId: string, given: string): Promise<string> {
  if (given === 'title') return given;
  const page = await expectKind(context.docs, 'page', pageId, () => context.docs.retrievePage(pageId));
  const properties = Object.entries(page.properties).map(([name, { id }]) => ({ name, id }));
  return decoded(propertyOf('property_id', given, properties).id ?? given);
}

export const getPageProperty = defineAction({
  id: 'DOCS_GET_PAGE_PROPERTY_ACTION',
  summary: 'Reads one property of a page, all of it, page by page for long ones.',
  effect: 'read',
  input: z.strictObject({
    page_id: workspaceId('The page.'),
    property_id: boundedText.name
      .min(1)
      .describe('The property id or its displayed name; the title property is always "title".'),
    page_size: z.int().min(1).max(100).optional().describe('1 to 100, for paginated property types.'),
    start_cursor: startCursor.optional(),
  }),
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', property_id: 'title' },
  run: async (context, { page_id, property_id, page_size, start_cursor }) => {
    const id = await propertyIdOf(context, page_id, property_id);
    const answer = await expectKind(context.docs, 'page', page_id, () =>
      context.docs.retrieveProperty(page_id, id, { page_size, start_cursor }),
    );
    const list = propertyItemList.safeParse(answer).data;
    return list === undefined ? answer : { ...listResult(list), property_item: list['property_item'] };
  },
});
