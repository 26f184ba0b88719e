import { z } from 'zod';
import { WorkspaceRefused } from '../../client/failures.ts';
import type { Workspace } from '../../client/workspace.ts';
import { workspaceId } from '../../../contract/workspace/actions.ts';
import { defineAction } from '../../define-action.ts';
import { expectKind } from '../../wrong-kind.ts';

const maxParts = 10;

type Part = { block_id: string; markdown: string };

/** The workspace leaves out large subtrees; each is read as a markdown page of its own. */
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
