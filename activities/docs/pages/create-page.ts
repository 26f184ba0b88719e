/** Creates a page or a row, once: after a lost answer it is looked for by its title before it is sent again. */
import { z } from 'zod';
import type { PageAnswer } from '../../../src/adapters/docs-answers.ts';
import type { JsonObject } from '../../../src/contract/docs.ts';
import { readChildren } from '../blocks/children.ts';
import type { RunContext } from '../context.ts';
import { objectAt, textAt } from '../json-value.ts';
import { createOnce, type Found } from '../steps.ts';
import { titleOf } from './page-fields.ts';

export type PageParent = { page_id: string } | { data_source_id: string };

const ids = z.array(z.string());

/** Ids of what stands under the parent with this title. */
async function lookalikes(context: RunContext, parent: PageParent, title: string): Promise<string[]> {
  if ('page_id' in parent) {
    const { blocks } = await readChildren(context.docs, parent.page_id);
    return blocks
      .filter(
        (block) => block.type === 'child_page' && textAt(objectAt(block, 'child_page'), 'title') === title,
      )
      .map((block) => block.id);
  }
  const answer = await context.docs.queryDataSource(parent.data_source_id, {
    filter: {
      property: 'title',
      title: title === '' ? { is_empty: true } : { equals: title.slice(0, 2000) },
    },
    sorts: [{ timestamp: 'created_time', direction: 'descending' }],
    page_size: 100,
  });
  return answer.results.filter((row) => row.object === 'page' && titleOf(row) === title).map((row) => row.id);
}

export function oneNew(before: readonly string[], now: readonly string[]): Found<string> {
  const added = now.filter((id) => !before.includes(id));
  const [first, second] = added;
  if (first === undefined) return { found: 'none' };
  return second === undefined
    ? { found: 'one', value: first }
    : { found: 'unclear', look: `${added.length} that look like it are there: ${added.join(', ')}` };
}

/** @returns the page as the workspace shows it */
export async function createPageOnce(
  context: RunContext,
  step: string,
  parent: PageParent,
  title: string,
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
    what: `the creation of the page ${JSON.stringify(title)}`,
  });
  context.partial['created_page_id'] = id;
  return answer ?? context.docs.retrievePage(id);
}
