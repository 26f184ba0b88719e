/** A database returns no blocks when its content is requested: it has rows. */
import { WorkspaceRefused } from './client/failures.ts';
import type { Workspace } from './client/workspace.ts';
import type { JsonObject } from '../contract/workspace/actions.ts';

/** @returns a hint for an empty result that has this cause */
export async function hintOfRows(docs: Workspace, id: string): Promise<JsonObject> {
  try {
    const { type } = await docs.retrieveBlock(id);
    return type === 'child_database'
      ? { hint: 'This is a database: it has rows instead of blocks. Read them with DOCS_QUERY_DATABASE.' }
      : {};
  } catch (error) {
    if (error instanceof WorkspaceRefused) return {};
    throw error;
  }
}
