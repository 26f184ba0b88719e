/** Creates a page or a row once: if the response was lost, searches for it by title before sending again. */
import { z } from 'zod';
import type { PageAnswer } from '../client/answers.ts';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { limits } from '../blocks/block-limits.ts';
import { readChildren } from '../blocks/children.ts';
import { isMention, isShownAs, ownWords, plainText } from '../blocks/rich-text.ts';
import type { RunContext } from '../context.ts';
import { listAt, objectAt, textAt } from '../json-value.ts';
import { createOnce, type Found } from '../steps.ts';
import { titleItems } from './page-fields.ts';

export type PageParent = { page_id: string } | { data_source_id: string };

const ids = z.array(z.string());

/** An exact filter finds the rows among any number, but it cannot match mentions or long titles. */
function titleFilter(title: readonly JsonObject[]): JsonObject {
  const words = plainText(title);
  if (title.some(isMention) || words.length > limits.textContent) return {};
  return { filter: { property: 'title', title: words === '' ? { is_empty: true } : { equals: words } } };
}

/** A list of rows shows this many runs of a title and leaves out the rest. */
const shownRuns = 25;

function hasTitle(row: PageAnswer, title: readonly JsonObject[]): boolean {
  const items = listAt({ items: titleItems(row) }, 'items');
  const [shown, wanted] = [ownWords(items), ownWords(title)];
  return items.length < shownRuns ? shown === wanted : wanted.startsWith(shown);
}

/** Ids of pages with this title below the parent; in a database, of the newest rows. */
async function lookalikes(
  context: RunContext,
  parent: PageParent,
  title: readonly JsonObject[],
): Promise<string[]> {
  if ('page_id' in parent) {
    const { blocks } = await readChildren(context.docs, parent.page_id);
    return blocks
      .filter(
        (block) =>
          block.type === 'child_page' &&
          isShownAs(title, textAt(objectAt(block, 'child_page'), 'title') ?? ''),
      )
      .map((block) => block.id);
  }
  const answer = await context.docs.queryDataSource(parent.data_source_id, {
    ...titleFilter(title),
    sorts: [{ timestamp: 'created_time', direction: 'descending' }],
    page_size: 100,
  });
  return answer.results.flatMap((row) => (row.object === 'page' && hasTitle(row, title) ? [row.id] : []));
}

export function oneNew(before: readonly string[], now: readonly string[]): Found<string> {
  const added = now.filter((id) => !before.includes(id));
  const [first, second] = added;
  if (first === undefined) return { found: 'none' };
  return second === undefined
    ? { found: 'one', value: first }
    : { found: 'unclear', look: `${added.length} that look like it are there: ${added.join(', ')}` };
}

/** @returns the page as the workspace returns it */
export async function createPageOnce(
  context: RunContext,
  step: string,
  parent: PageParent,
  title: readonly JsonObject[],
  body: JsonObject,
): Promise<PageAnswer> {
  let answer: PageAnswer | undefined;
  const wire = 'page_id' in parent ? { type: 'page_id', ...parent } : { type: 'data_source_id', ...parent };
  const id = await createOnce(context, step, {
    made: z.string(),
    before: ids,
    lookBefore: () => lookalikes(context, parent, title),
    send: async () => {
      answer = await context.docs.createPage({ parent: wire, ...body });
      return answer.id;
    },
    find: async (before) => oneNew(before, await lookalikes(context, parent, title)),
    what: `the creation of the page ${JSON.stringify(plainText(title))}`,
  });
  context.partial['created_page_id'] = id;
  return answer ?? context.docs.retrievePage(id);
}
