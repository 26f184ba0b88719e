import { z } from 'zod';
import { jsonObjectOrText, workspaceId, type JsonObject } from '../../../contract/workspace/actions.ts';
import { readWorkspaceId } from '../../../contract/workspace/workspace-id.ts';
import type { RunContext } from '../../context.ts';
import { defineAction } from '../../define-action.ts';
import { WorkspaceRefused } from '../../client/failures.ts';
import type { DatabaseAnswer } from '../../client/answers.ts';
import { ActionError, invalidInput } from '../../failures.ts';
import { isObject, shown, textAt } from '../../json-value.ts';
import { expectKind } from '../../wrong-kind.ts';

const advice =
  'give {"type":"page_id","page_id":"…"} to move under a page, or {"type":"data_source_id","data_source_id":"…"} to move into a database';

type Target = { type: 'page_id' | 'data_source_id'; id: string };

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

async function databaseAt(context: RunContext, id: string): Promise<DatabaseAnswer | undefined> {
  try {
    return await context.docs.retrieveDatabase(id);
  } catch (error) {
    if (error instanceof WorkspaceRefused && [400, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** The workspace accepts the ids of some databases as pages. Moving into a database requires its data source. */
async function refuseDatabase(context: RunContext, id: string): Promise<void> {
  const database = await databaseAt(context, id);
  if (database === undefined) return;
  const sources = database.data_sources
    .map((source) => `${source.name ?? 'untitled'} (${source.id})`)
    .join(', ');
  throw new ActionError(
    'VALIDATION_ERROR',
    `parent.page_id ${id} is a database. To move into a database use type data_source_id with one of its data sources: ${sources}`,
  );
}

/** The API's form: `{type, [type]: id}`. */
const wire = ({ type, id }: Target): JsonObject => ({ type, [type]: id });

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
    return expectKind(context.docs, 'page', page_id, () => context.docs.movePage(page_id, wire(target)));
  },
});
