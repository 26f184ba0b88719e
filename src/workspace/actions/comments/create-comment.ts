import { z } from 'zod';
import { jsonObjectOrText, workspaceId, type JsonObject } from '../../../contract/workspace/actions.ts';
import { limits } from '../../blocks/block-limits.ts';
import { isWebUrl, ownWords, splitRichText } from '../../blocks/rich-text.ts';
import { newNotes } from '../../blocks/block-notes.ts';
import { cleanRichText } from '../../blocks/clean-fields.ts';
import type { RunContext } from '../../context.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';
import { isObject, shown } from '../../json-value.ts';
import { readInline } from '../../markdown/read-inline.ts';
import { oneNew } from '../../pages/create-page.ts';
import { createOnce } from '../../steps.ts';
import { expectKind } from '../../wrong-kind.ts';

const styles = ['bold', 'italic', 'strikethrough', 'underline', 'code'] as const;

function styled(items: readonly JsonObject[], comment: JsonObject): JsonObject[] {
  const link = comment['link'];
  if (link !== undefined && link !== null && (typeof link !== 'string' || !isWebUrl(link))) {
    throw invalidInput(
      `comment.link is ${shown(link)}; it is for external http or https URLs only. To mention a page, write its address in the content`,
    );
  }
  const flags = Object.fromEntries(
    styles.filter((style) => comment[style] === true).map((style) => [style, true]),
  );
  return items.map((item) => {
    const annotations = { ...(isObject(item['annotations']) ? item['annotations'] : {}), ...flags };
    const text = item['text'];
    return {
      ...item,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(typeof link === 'string' && isObject(text) ? { text: { link: { url: link }, ...text } } : {}),
    };
  });
}

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

/**
 * Ids of comments with the same text on the page, or in the page's discussion. The API finds a discussion by its
 * page only.
 */
async function lookalikes(context: RunContext, pageId: string, words: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const list = await context.docs.listComments(pageId, { page_size: 100, start_cursor: cursor });
    found.push(
      ...list.results.filter((comment) => ownWords(comment.rich_text) === words).map(({ id }) => id),
    );
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
  rules: [
    {
      text: 'Give exactly one of parent_page_id and discussion_id.',
      holds: ({ parent_page_id, discussion_id }) =>
        (parent_page_id === undefined) !== (discussion_id === undefined),
    },
  ],
  example: { comment: { content: 'Looks good' }, parent_page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: async (context, { comment, parent_page_id, discussion_id }) => {
    const rich_text = richTextOf(context, comment);
    if (rich_text.length > limits.richTextItems)
      throw invalidInput(`comment is longer than ${limits.richTextItems} pieces of text; shorten it`);
    const words = ownWords(rich_text);
    let answer: JsonObject | undefined;
    const place = parent_page_id === undefined ? { discussion_id } : { parent: { page_id: parent_page_id } };
    const create = () =>
      createOnce(context, 'create', {
        made: z.string(),
        before: z.array(z.string()),
        lookBefore: () =>
          parent_page_id === undefined ? Promise.resolve([]) : lookalikes(context, parent_page_id, words),
        send: async () => {
          const made = await context.docs.createComment({ ...place, rich_text });
          answer = made;
          return made.id;
        },
        find: async (before) =>
          parent_page_id === undefined
            ? { found: 'unclear', look: 'a discussion cannot be read by its id alone' }
            : oneNew(before, await lookalikes(context, parent_page_id, words)),
        what: 'the comment',
      });
    const id =
      parent_page_id === undefined
        ? await create()
        : await expectKind(context.docs, 'page', parent_page_id, create);
    return answer ?? context.docs.retrieveComment(id);
  },
});
