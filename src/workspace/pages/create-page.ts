/**
 * Creates a page or a row at most once. If the response to an earlier request was lost, searches for a page with the
 * same title before another request is sent.
 */
import type { PageAnswer } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { limits } from '../blocks/limits.ts';
import { appendTree } from '../blocks/append-tree.ts';
import type { Block } from '../blocks/block.ts';
import { readChildren } from '../blocks/read-tree.ts';
import { isMention, isShownAs, ownText, plainText } from '../blocks/rich-text.ts';
import type { RunContext } from '../context.ts';
import { listAt, objectAt, textAt } from '../json-value.ts';
import { createObjectOnce } from '../steps.ts';
import { titleItems } from './page-fields.ts';

type PageParent = { kind: 'page' | 'data_source'; id: string };

/**
 * Returns a filter for the exact title, so that a row is found among any number of rows. Returns an empty object for a
 * title that is too long or has mentions, because no filter matches such a title.
 */
function titleFilter(title: readonly JsonObject[]): JsonObject {
  const words = plainText(title);
  if (title.some(isMention) || words.length > limits.textContent) return {};
  return { filter: { property: 'title', title: words === '' ? { is_empty: true } : { equals: words } } };
}

/** Maximum runs of rich text that the workspace returns for the title of a row in a list. */
const shownRuns = 25;

function hasTitle(row: PageAnswer, title: readonly JsonObject[]): boolean {
  const items = listAt({ items: titleItems(row) }, 'items');
  const [shown, wanted] = [ownText(items), ownText(title)];
  return items.length < shownRuns ? shown === wanted : wanted.startsWith(shown);
}

/**
 * @returns the ids of the pages with this title directly below the parent. Of the rows of a data source, only the 100
 * newest that match the filter are compared.
 */
async function lookalikes(
  context: RunContext,
  parent: PageParent,
  title: readonly JsonObject[],
): Promise<string[]> {
  if (parent.kind === 'page') {
    const { blocks } = await readChildren(context.docs, parent.id);
    return blocks
      .filter(
        (block) =>
          block.type === 'child_page' &&
          isShownAs(title, textAt(objectAt(block, 'child_page'), 'title') ?? ''),
      )
      .map((block) => block.id);
  }
  const answer = await context.docs.queryDataSource(parent.id, {
    ...titleFilter(title),
    sorts: [{ timestamp: 'created_time', direction: 'descending' }],
    page_size: 100,
  });
  return answer.results.flatMap((row) => (row.object === 'page' && hasTitle(row, title) ? [row.id] : []));
}

/**
 * Creates a page or a row, and then appends its blocks. A repeated call with the same step log creates nothing twice.
 * @param step prefix of the step names
 * @returns the workspace's page, with `blocks_created` if there were blocks
 * @throws the failures of createObjectOnce and appendTree
 */
export async function createPage(
  context: RunContext,
  step: string,
  parent: PageParent,
  { title, blocks, ...fields }: { title: readonly JsonObject[]; blocks: readonly Block[] } & JsonObject,
): Promise<PageAnswer> {
  const { kind, id } = parent;
  const page = await createObjectOnce(context, `${step}create`, {
    lookalikes: () => lookalikes(context, parent, title),
    send: () => context.docs.createPage({ parent: { type: `${kind}_id`, [`${kind}_id`]: id }, ...fields }),
    read: (pageId) => context.docs.retrievePage(pageId),
    partial: 'created_page_id',
    what: `the creation of the page ${JSON.stringify(plainText(title))}`,
  });
  const appended = await appendTree(context, {
    parentId: page.id,
    blocks,
    step: `${step}content`,
    tail: { last: null },
  });
  return blocks.length === 0 ? page : { ...page, blocks_created: appended.blocks };
}
