import { z } from 'zod';
import type { PageAnswer, SchemaProperty } from '../../client/answers.ts';
import {
  jsonObject,
  maxListItems,
  maxText,
  workspaceId,
  type JsonObject,
} from '../../../contract/workspace/actions.ts';
import { ActionError } from '../../failures.ts';
import type { RunContext } from '../../context.ts';
import { defineAction } from '../../define-action.ts';
import { invalidInput } from '../../failures.ts';
import { isObject } from '../../json-value.ts';
import { coverObject, iconObject } from '../../pages/page-fields.ts';
import { setTrash } from '../../pages/set-trash.ts';
import { readNamedValues, readProperties } from '../../rows/read-properties.ts';
import { expectKind } from '../../wrong-kind.ts';

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (isObject(value) && Object.keys(value).length === 0) ||
  (Array.isArray(value) && value.length === 0);

/** The page has the types of its properties; only its data source has their options. */
async function schemaOf(context: RunContext, page: PageAnswer): Promise<SchemaProperty[]> {
  if (page.parent?.data_source_id !== undefined) {
    return Object.values((await context.docs.retrieveDataSource(page.parent.data_source_id)).properties);
  }
  return Object.entries(page.properties).map(([name, { id, type }]) => ({
    id: id ?? name,
    name,
    type: type ?? '',
  }));
}

async function propertiesOf(context: RunContext, pageId: string, given: unknown): Promise<JsonObject> {
  const values = readNamedValues(given);
  if (typeof values === 'string') throw invalidInput(values);
  const page = await expectKind(context.docs, 'page', pageId, () => context.docs.retrievePage(pageId));
  const read = readProperties(values, await schemaOf(context, page), 'clear');
  if (read.problems.length > 0)
    throw new ActionError('VALIDATION_ERROR', read.problems.join('; '), { status: 400 });
  for (const warning of read.warnings) context.warn(warning);
  return read.properties;
}

export const updatePage = defineAction({
  id: 'DOCS_UPDATE_PAGE',
  summary: "Changes a page's properties, icon or cover, archives or restores it.",
  effect: 'idempotent_write',
  input: z.strictObject({
    page_id: workspaceId('The page; named page_id, not id.'),
    icon: z
      .union([jsonObject, z.string().max(maxText.name)])
      .optional()
      .describe('{"emoji":"…"}, {"external":{"url":"…"}}, {"file_upload":{"id":"…"}}, or one emoji.'),
    cover: z
      .union([jsonObject, z.string().max(maxText.name)])
      .optional()
      .describe('{"external":{"url":"…"}} or {"file_upload":{"id":"…"}}.'),
    archived: z.boolean().optional().describe('true moves the page to the trash, false restores it.'),
    properties: z
      .union([jsonObject, z.array(jsonObject).max(maxListItems)])
      .optional()
      .describe(
        '{"Name":"new title","Status":"Done"}, or [{"name","type","value"}]; names are case-sensitive. null clears a value.',
      ),
  }),
  rules: [
    {
      text: 'At least one of properties, archived, icon, cover is required.',
      holds: ({ properties, archived, icon, cover }) =>
        archived !== undefined || [properties, icon, cover].some((value) => !isEmpty(value)),
    },
  ],
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', properties: { Status: 'Done' } },
  run: async (context, { page_id, icon, cover, archived, properties }) => {
    const newIcon = isEmpty(icon) ? undefined : iconObject(icon);
    const newCover = isEmpty(cover) ? undefined : coverObject(cover);
    const values = isEmpty(properties) ? undefined : await propertiesOf(context, page_id, properties);
    const body = {
      ...(values === undefined ? {} : { properties: values }),
      ...(newIcon === undefined ? {} : { icon: newIcon }),
      ...(newCover === undefined ? {} : { cover: newCover }),
      ...(archived === undefined ? {} : { in_trash: archived }),
    };
    return setTrash(context, page_id, body, Object.keys(body).length === 1 ? archived : undefined);
  },
});
