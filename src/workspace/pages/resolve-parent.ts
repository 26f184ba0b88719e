/** Asks the workspace whether a parent id belongs to a page or a database. */
import { WorkspaceRefused } from '../client/failures.ts';
import type { DataSourceAnswer, PageAnswer } from '../client/answers.ts';
import type { RunContext } from '../context.ts';
import { readSchema } from '../data-source.ts';
import { ActionError } from '../failures.ts';

export type ResolvedParent =
  | { kind: 'page'; id: string; page: PageAnswer }
  | { kind: 'data_source'; id: string; dataSource: DataSourceAnswer };

/** @throws ActionError naming both possibilities if it is neither */
export async function resolveParent(context: RunContext, id: string): Promise<ResolvedParent> {
  try {
    const page = await context.docs.retrievePage(id);
    return { kind: 'page', id: page.id, page };
  } catch (error) {
    if (!(error instanceof WorkspaceRefused) || ![400, 404].includes(error.status)) throw error;
    return databaseParent(context, id, error);
  }
}

async function databaseParent(
  context: RunContext,
  id: string,
  original: WorkspaceRefused,
): Promise<ResolvedParent> {
  try {
    const { dataSource } = await readSchema(context, id);
    return { kind: 'data_source', id: dataSource.id, dataSource };
  } catch (error) {
    if (!(error instanceof WorkspaceRefused) || error.status !== 404) throw error;
    throw new ActionError(
      'NOT_FOUND_OR_NOT_SHARED',
      `No page or database with the id ${id} is visible to the connection. Check the id, and share the page or database with the connection`,
      { cause: original },
    );
  }
}
