import { z } from 'zod';
import { propertyItemList } from '../../client/answers.ts';
import { maxText, startCursor, workspaceId } from '../../../contract/workspace/actions.ts';
import { listResult } from '../../compact.ts';
import type { RunContext } from '../../context.ts';
import { composed } from '../../blocks/composed.ts';
import { decoded } from '../../decoded.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';
import { expectKind } from '../../wrong-kind.ts';

/** Uses an id as it is and looks up a displayed name in the page. */
async function propertyIdOf(context: RunContext, pageId: string, given: string): Promise<string> {
  if (given === 'title') return given;
  const page = await expectKind(context.docs, 'page', pageId, () => context.docs.retrievePage(pageId));
  const entries = Object.entries(page.properties);
  const found =
    entries.find(([name]) => name === given) ??
    entries.find(([, property]) => property.id === given || decoded(property.id ?? '') === decoded(given)) ??
    entries.find(([name]) => composed(name) === composed(decoded(given)));
  if (found?.[1].id === undefined) {
    throw invalidInput(
      `property_id is ${JSON.stringify(given)}, which is no property of this page. Properties: ${entries.map(([name, { id }]) => `${name} (${id ?? ''})`).join(', ')}`,
    );
  }
  return decoded(found[1].id);
}

export const getPageProperty = defineAction({
  id: 'DOCS_GET_PAGE_PROPERTY_ACTION',
  summary: 'Reads one property of a page, all of it, page by page for long ones.',
  effect: 'read',
  input: z.strictObject({
    page_id: workspaceId('The page.'),
    property_id: z
      .string()
      .max(maxText.name)
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
