/**
 * The workspace gives the same response for an id of the wrong kind and for one that is not shared. One more read
 * distinguishes them, so that the error can say which it is.
 */
import { WorkspaceRefused } from './client/failures.ts';
import type { Workspace } from './client/workspace.ts';
import { ActionError } from './failures.ts';

type Kind = 'page' | 'database' | 'data source';

const couldBeKind = (error: unknown): error is WorkspaceRefused =>
  error instanceof WorkspaceRefused &&
  (error.status === 404 ||
    (error.status === 400 &&
      !error.message.includes('start_cursor') &&
      /not found|could not find|is a (page|database)|does not exist|valid uuid|not a (page|database)/i.test(
        error.message,
      )));

const readers: Readonly<Record<Kind, (docs: Workspace, id: string) => Promise<unknown>>> = {
  page: (docs, id) => docs.retrievePage(id),
  database: (docs, id) => docs.retrieveDatabase(id),
  'data source': (docs, id) => docs.retrieveDataSource(id),
};

/** @returns whether the id is of this kind; throws failures other than "no" */
export async function isKind(docs: Workspace, kind: Kind, id: string): Promise<boolean> {
  try {
    await readers[kind](docs, id);
    return true;
  } catch (error) {
    if (error instanceof WorkspaceRefused && (error.status === 404 || error.status === 400)) return false;
    throw error;
  }
}

const advice: Readonly<Record<string, string>> = {
  'page<database':
    'This action works on pages. Rows of a database are found with DOCS_QUERY_DATABASE; its structure with DOCS_FETCH_DATABASE',
  'page<data source':
    'This action works on pages. Rows of a data source are found with DOCS_QUERY_DATA_SOURCE',
  'page<block':
    'A block is read with DOCS_FETCH_BLOCK_METADATA; content goes under it by its id as block_id or parent_block_id',
  'database<page':
    'Give the id of the database itself; DOCS_SEARCH_DOCS_PAGE with filter_value "database" lists them',
  'data source<page': 'Give the id of a data source; DOCS_FETCH_DATABASE lists those of a database',
  'data source<database': 'DOCS_FETCH_DATABASE lists the data sources of a database',
};

const others: Readonly<Record<Kind, readonly Kind[]>> = {
  page: ['database', 'data source'],
  database: ['page'],
  'data source': ['page', 'database'],
};

async function kindOf(
  docs: Workspace,
  wanted: Kind,
  id: string,
  error: WorkspaceRefused,
): Promise<Kind | 'block' | undefined> {
  for (const kind of others[wanted]) if (await isKind(docs, kind, id)) return kind;
  if (wanted !== 'page' || !/find page/i.test(error.message)) return undefined;
  try {
    await docs.retrieveBlock(id);
    return 'block';
  } catch (failure) {
    if (failure instanceof WorkspaceRefused) return undefined;
    throw failure;
  }
}

const wrongKind = (wanted: Kind, found: Kind | 'block', id: string, cause?: unknown): ActionError =>
  new ActionError(
    'VALIDATION_ERROR',
    `The id ${id} is a ${found}; a ${wanted} id is required. ${advice[`${wanted}<${found}`] ?? ''}`,
    { cause },
  );

/** For requests that the workspace answers for a database as it does for a page. */
export async function refuseDatabase(docs: Workspace, id: string): Promise<void> {
  try {
    if (!(await isKind(docs, 'database', id))) return;
  } catch (error) {
    // An integration without permission to read content cannot distinguish them either.
    if (error instanceof WorkspaceRefused && error.status === 403) return;
    throw error;
  }
  throw wrongKind('page', 'database', id);
}

/** Does the work. If the workspace does not know the id, the error says what kind of id it is. */
export async function expectKind<T>(
  docs: Workspace,
  wanted: Kind,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!couldBeKind(error)) throw error;
    const found = await kindOf(docs, wanted, id, error);
    if (found === undefined) throw error;
    throw wrongKind(wanted, found, id, error);
  }
}
