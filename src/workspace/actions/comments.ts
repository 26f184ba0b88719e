/** The actions that create, list and read comments. */
import { z } from 'zod';
import { type JsonObject, jsonObjectOrText, workspaceId, paging } from '../../contract/workspace/actions.ts';
import { cleanRichText } from '../blocks/clean-fields.ts';
import { limits, newNotes } from '../blocks/limits.ts';
import { isWebUrl, ownText, readStyle, splitRichText, withStyle } from '../blocks/rich-text.ts';
import { listResult } from '../compact.ts';
import type { RunContext } from '../context.ts';
import { defineAction, exactlyOne } from '../define-action.ts';
import { invalidInput } from '../failures.ts';
import { shown } from '../json-value.ts';
import { readInline } from '../markdown/read-inline.ts';
import { expectKind, refuseDatabase } from '../resolve-ids.ts';
import { createObjectOnce } from '../steps.ts';

/**
 * Adds the styles of the comment to all items, and its link to the text items that have no link.
 * @throws ActionError INVALID_INPUT if the link is not an http or https URL
 */
function styled(items: readonly JsonObject[], comment: JsonObject): JsonObject[] {
  const link = comment['link'];
  if (link !== undefined && link !== null && (typeof link !== 'string' || !isWebUrl(link))) {
    throw invalidInput(
      `comment.link is ${shown(link)}; it is for external http or https URLs only. To mention a page, write its address in the content`,
    );
  }
  return withStyle(items, readStyle(comment), link ?? undefined);
}

/**
 * Reads the comment's text, which is inline Markdown or a list of rich text objects.
 * @throws ActionError INVALID_INPUT if the text is missing or not valid rich text, or if the comment's link is invalid
 */
function richTextOf(context: RunContext, comment: JsonObject | string): JsonObject[] {
  const given = typeof comment === 'string' ? { content: comment } : comment;
  const content = given['content'] ?? given['text'] ?? given['rich_text'];
  if (content === undefined || content === '')
    throw invalidInput(`comment is ${shown(comment)}; give {"content":"the text of the comment"}`);
  if (typeof content !== 'string') {
    const notes = newNotes();
    const items = cleanRichText(content, 'comment.content', notes);
    if (notes.problems.length > 0) throw invalidInput(notes.problems);
    return splitRichText(items);
  }
  const { items, warnings } = readInline(content);
  for (const warning of warnings) context.warn(warning);
  return splitRichText(styled(items, given));
}

/** @returns the ids of the page's comments that have this text (as `ownText` normalizes it) */
async function lookalikes(context: RunContext, pageId: string, words: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const list = await context.docs.listComments(pageId, { page_size: 100, start_cursor: cursor });
    found.push(...list.results.filter((comment) => ownText(comment.rich_text) === words).map(({ id }) => id));
    if (!list.has_more || list.next_cursor === null) return found;
    cursor = list.next_cursor;
  }
}

export const createComment = defineAction({
  id: 'DOCS_CREATE_COMMENT',
  summary: 'Comments on a page, or answers in a discussion. Cannot start new inline discussions on blocks.',
  effect: 'create',
  input: z.strictObject({
    comment: jsonObjectOrText(
      '{"content":"text"}; inline markdown is read. link is for external URLs only; bold, italic, strikethrough, underline and code style the whole text.',
    ),
    parent_page_id: workspaceId('The page to comment on. Required if discussion_id is absent.').optional(),
    discussion_id: workspaceId(
      'The discussion to answer in. Required if parent_page_id is absent.',
    ).optional(),
  }),
  rules: exactlyOne('parent_page_id', 'discussion_id'),
  example: { comment: { content: 'Looks good' }, parent_page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async (context, { comment, parent_page_id, discussion_id }) => {
    const rich_text = richTextOf(context, comment);
    if (rich_text.length > limits.richTextItems)
      throw invalidInput(`comment is longer than ${limits.richTextItems} pieces of text; shorten it`);
    const words = ownText(rich_text);
    const place = parent_page_id === undefined ? { discussion_id } : { parent: { page_id: parent_page_id } };
    const create = () =>
      createObjectOnce(context, 'create', {
        lookalikes: () =>
          parent_page_id === undefined ? Promise.resolve([]) : lookalikes(context, parent_page_id, words),
        find:
          parent_page_id === undefined
            ? () => Promise.resolve({ found: 'unclear', why: 'a discussion cannot be read by its id alone' })
            : undefined,
        send: () => context.docs.createComment({ ...place, rich_text }),
        read: (id) => context.docs.retrieveComment(id),
        what: 'the comment',
      });
    return parent_page_id === undefined ? create() : expectKind(context.docs, 'page', parent_page_id, create);
  },
});

export const fetchComments = defineAction({
  id: 'DOCS_FETCH_COMMENTS',
  summary:
    'Lists the unresolved comments of a page or block, not of the blocks inside it. The integration needs the read-comments capability.',
  effect: 'read',
  input: z.strictObject({
    block_id: workspaceId('The block or page. The same as page_id: give exactly one.').optional(),
    page_id: workspaceId('The page. The same as block_id: give exactly one.').optional(),
    ...paging,
  }),
  rules: exactlyOne('block_id', 'page_id'),
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async ({ docs }, { block_id, page_id, ...page }) => {
    if (page_id !== undefined) await refuseDatabase(docs, page_id);
    return listResult(await docs.listComments(block_id ?? page_id ?? '', page));
  },
});

export const retrieveComment = defineAction({
  id: 'DOCS_RETRIEVE_COMMENT',
  summary: 'Reads one comment.',
  effect: 'read',
  input: z.strictObject({ comment_id: workspaceId('The comment.') }),
  example: { comment_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: ({ docs }, { comment_id }) => docs.retrieveComment(comment_id),
});
