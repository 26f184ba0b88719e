/** The actions that change, trash, restore or move a page. */
import { z } from 'zod';
import {
  type JsonObject,
  jsonObject,
  jsonObjectOrText,
  maxListItems,
  workspaceId,
} from '../../contract/workspace/actions.ts';
import { readWorkspaceId } from '../../contract/workspace/workspace-id.ts';
import type { PageAnswer, SchemaProperty } from '../client/answers.ts';
import { WorkspaceRefused, unlessRefused, unknownId } from '../client/failures.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { boundedText } from '../inputs.ts';
import { ActionError, invalidInput } from '../failures.ts';
import { isObject, shown, textAt } from '../json-value.ts';
import { coverObject, iconObject } from '../pages/page-fields.ts';
import { expectKind, listSources } from '../resolve-ids.ts';
import { checkedProperties, readNamedValues } from '../rows/read-properties.ts';

const isTrashed = (page: PageAnswer): boolean => page.in_trash ?? page.archived ?? false;

/**
 * Updates a page. A repeated request to trash or to restore the page succeeds, although the workspace may refuse it.
 * @param trash true if the update only trashes the page, false if it only restores it; otherwise undefined
 * @returns the updated page; if the workspace refuses the update and the page is already in the state that `trash`
 * requests, the unchanged page
 */
async function setTrash(
  context: RunContext,
  pageId: string,
  body: JsonObject,
  trash?: boolean,
): Promise<PageAnswer> {
  return expectKind(context.docs, 'page', pageId, async () => {
    try {
      return await context.docs.updatePage(pageId, body);
    } catch (error) {
      const settled =
        trash !== undefined &&
        error instanceof WorkspaceRefused &&
        error.status === 400 &&
        /archived|trash/i.test(error.message);
      if (!settled) throw error;
      const page = await context.docs.retrievePage(pageId);
      if (isTrashed(page) !== trash) throw error;
      return page;
    }
  });
}

export const archiveDocsPage = defineAction({
  id: 'DOCS_ARCHIVE_DOCS_PAGE',
  summary: 'Moves a page to the trash, or restores it. Workspace-level pages must be archived by hand.',
  effect: 'idempotent_write',
  input: z.strictObject({
    page_id: workspaceId('A page, not a database.'),
    archive: z.boolean().default(true).describe('false restores the page from the trash.'),
  }),
  example: { page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10', archive: true },
  run: (context, { page_id, archive }) => setTrash(context, page_id, { in_trash: archive }, archive),
});

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (isObject(value) && Object.keys(value).length === 0) ||
  (Array.isArray(value) && value.length === 0);

/**
 * Returns the schema of the page's properties. For a row, reads it from the data source, with the options of each
 * property. For any other page, returns only the ids, names and types of its properties.
 */
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

/**
 * Converts the given values to properties of the page, by the schema of `schemaOf`. An empty value clears its property.
 * @throws ActionError INVALID_INPUT if the values are neither an object nor a list of named values, VALIDATION_ERROR if
 * a value does not match the schema; the failures of the workspace
 */
async function propertiesOf(context: RunContext, pageId: string, given: unknown): Promise<JsonObject> {
  const values = readNamedValues(given);
  const page = await expectKind(context.docs, 'page', pageId, () => context.docs.retrievePage(pageId));
  return checkedProperties(context, values, await schemaOf(context, page), 'clear');
}

export const updatePage = defineAction({
  id: 'DOCS_UPDATE_PAGE',
  summary: "Changes a page's properties, icon or cover, archives or restores it.",
  effect: 'idempotent_write',
  input: z.strictObject({
    page_id: workspaceId('The page; named page_id, not id.'),
    icon: z
      .union([jsonObject, boundedText.name])
      .optional()
      .describe('{"emoji":"…"}, {"external":{"url":"…"}}, {"file_upload":{"id":"…"}}, or one emoji.'),
    cover: z
      .union([jsonObject, boundedText.name])
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
  rules: {
    'At least one of properties, archived, icon, cover is required.': ({
      properties,
      archived,
      icon,
      cover,
    }) => archived !== undefined || [properties, icon, cover].some((value) => !isEmpty(value)),
  },
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

const advice =
  'give {"type":"page_id","page_id":"…"} to move under a page, or {"type":"data_source_id","data_source_id":"…"} to move into a database';

type Target = { type: 'page_id' | 'data_source_id'; id: string };

/**
 * Reads the new parent of a page: `{page_id}` or `{data_source_id}`, with or without the matching `type`.
 * @throws ActionError INVALID_INPUT for any other value, and for an id that is not a UUID
 */
function readTarget(parent: unknown): Target {
  if (!isObject(parent)) throw invalidInput(`parent is ${shown(parent)}; ${advice}`);
  const keys = ['page_id', 'data_source_id', 'database_id'].filter((key) => parent[key] !== undefined);
  const type = parent['type'];
  if (type === 'database_id' || keys.includes('database_id')) {
    throw invalidInput(
      `parent of type database_id is not accepted: use data_source_id; DOCS_FETCH_DATABASE shows the data sources of a database`,
    );
  }
  const [key, second] = keys;
  if (
    (key !== 'page_id' && key !== 'data_source_id') ||
    second !== undefined ||
    (type !== undefined && type !== key)
  ) {
    throw invalidInput(`parent is ${shown(parent)}; ${advice}`);
  }
  const id = readWorkspaceId(textAt(parent, key) ?? '');
  if (id === undefined) throw invalidInput(`parent.${key} is ${shown(parent[key])}; give a UUID`);
  return { type: key, id };
}

/**
 * Rejects the id of a database as the new parent. The workspace sometimes accepts it as the id of a page, but a page is
 * moved into a database by the id of one of its data sources.
 * @throws ActionError VALIDATION_ERROR that lists the data sources; failures of the workspace other than 400 and 404
 */
async function refuseDatabase({ docs }: RunContext, id: string): Promise<void> {
  const database = await unlessRefused(() => docs.retrieveDatabase(id), unknownId);
  if (database === undefined) return;
  throw new ActionError(
    'VALIDATION_ERROR',
    `parent.page_id ${id} is a database. To move into a database use type data_source_id with one of its data sources: ${listSources(database)}`,
  );
}

export const movePage = defineAction({
  id: 'DOCS_MOVE_PAGE',
  summary: 'Moves a page under another page or into a database.',
  effect: 'idempotent_write',
  input: z.strictObject({
    page_id: workspaceId('The page to move.'),
    parent: jsonObjectOrText(`Where to: ${advice}. A database id with type page_id fails.`),
  }),
  example: {
    page_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    parent: { type: 'page_id', page_id: '0a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9' },
  },
  run: async (context, { page_id, parent }) => {
    const target = readTarget(parent);
    if (target.id === page_id)
      throw invalidInput('parent is the page itself; a page cannot be moved under itself');
    if (target.type === 'page_id') await refuseDatabase(context, target.id);
    return expectKind(context.docs, 'page', page_id, () =>
      context.docs.movePage(page_id, { type: target.type, [target.type]: target.id }),
    );
  },
});
