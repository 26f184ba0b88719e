/** The action that creates a page. */
import { z } from 'zod';
import { type JsonObject, maxListItems, workspaceId } from '../../contract/workspace/actions.ts';
import type { Block } from '../blocks/block.ts';
import { readContentBlocks } from '../blocks/given-blocks.ts';
import { splitBlock } from '../blocks/plan-append.ts';
import { plainText, splitRichText } from '../blocks/rich-text.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { contentBlock, coverUrl, emojiIcon, boundedText } from '../inputs.ts';
import { firstHeading, readBlocks } from '../markdown/read-blocks.ts';
import { createPage } from '../pages/create-page.ts';
import { coverOf, emojiOf, titleText } from '../pages/page-fields.ts';
import { resolveParent } from '../resolve-ids.ts';

/**
 * Maximum characters of Markdown in the request that creates the page. Longer Markdown is sent as batches of blocks,
 * because the workspace limits the size of a request. Chosen.
 */
const inlineMarkdownChars = 100_000;

/**
 * Determines the page's title and its Markdown. Without a given title, the first h1 becomes the title and is removed
 * from the Markdown. With a given title, an h1 at the top that repeats it is removed with a warning, so that the title
 * is not shown twice.
 */
function readMarkdown(
  context: RunContext,
  markdown: string | undefined,
  title: string,
): { title: readonly JsonObject[]; markdown: string | undefined } {
  const heading = markdown === undefined ? undefined : firstHeading(markdown);
  if (heading === undefined) return { title: titleText(title), markdown };
  const { words, before, behind } = heading;
  if (title === '')
    return { title: splitRichText(words), markdown: before === '' ? behind : `${before}\n${behind}` };
  if (before.trim() !== '' || plainText(words) !== title) return { title: titleText(title), markdown };
  context.warn('The first heading repeated the title and was left out of the body.');
  return { title: titleText(title), markdown: behind };
}

function withoutEmoji(title: string, icon: string | undefined): string {
  return icon !== undefined && title.startsWith(icon.trim()) ? title.slice(icon.trim().length).trim() : title;
}

function blocksOf(
  context: RunContext,
  input: { content?: string | undefined; children?: readonly unknown[] | undefined },
  longMarkdown: string | undefined,
): Block[] {
  if (input.children !== undefined) return readContentBlocks(context, input.children, 'children');
  if (input.content !== undefined) return readContentBlocks(context, [{ content: input.content }], 'content');
  if (longMarkdown === undefined) return [];
  const { blocks, warnings } = readBlocks(longMarkdown);
  for (const warning of warnings) context.warn(warning);
  return blocks.flatMap(splitBlock);
}

export const createDocsPage = defineAction({
  id: 'DOCS_CREATE_DOCS_PAGE',
  summary: 'Creates a page under a page or in a database.',
  effect: 'create',
  input: z.strictObject({
    title: boundedText.field.describe('Page title. Empty: the first h1 of markdown becomes the title.'),
    parent_id: workspaceId('The page or database that gets the new page.'),
    markdown: boundedText.body
      .optional()
      .describe('Page body as workspace-flavored Markdown. Not together with children or content.'),
    icon: emojiIcon,
    cover: coverUrl,
    children: z
      .array(contentBlock)
      .max(maxListItems)
      .optional()
      .describe('Page body as blocks, simplified or full.'),
    content: boundedText.body.optional().describe('Page body as text.'),
  }),
  aliases: { parent_page_id: 'parent_id' },
  rules: {
    'markdown is mutually exclusive with children and content: give one of the three.': (input) =>
      [input.markdown, input.children, input.content].filter((body) => body !== undefined).length <= 1,
  },
  example: {
    title: 'Release notes',
    parent_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    markdown: '## New\n- Faster search',
  },
  run: async (context, input) => {
    const icon = emojiOf(input.icon);
    const cover = coverOf(input.cover);
    const given = withoutEmoji(input.title.trim(), input.icon);
    const { title, markdown } = readMarkdown(context, input.markdown, given);
    const inline = markdown !== undefined && markdown.length <= inlineMarkdownChars;
    const blocks = blocksOf(context, input, inline ? undefined : markdown);
    const parent = await resolveParent(context, input.parent_id);
    return createPage(context, '', parent, {
      title,
      blocks,
      properties: { title: { title } },
      icon,
      cover,
      ...(inline && markdown.trim() !== '' ? { markdown } : {}),
    });
  },
});
