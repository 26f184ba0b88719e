/**
 * Determines the kind of object to which an id belongs. The workspace gives the same response for an id of the wrong
 * kind and for an object that is not shared. Further reads distinguish these cases, so that the error names the right
 * cause.
 */
import type { DatabaseAnswer, DataSourceAnswer, PageAnswer } from './client/answers.ts';
import { isRefused, unknownId, unlessRefused, WorkspaceRefused } from './client/failures.ts';
import type { Workspace } from './client/workspace.ts';
import type { RunContext } from './context.ts';
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

/** True if the workspace returns an object of this kind for the id. @throws every failure other than a 400 or 404 */
async function isKind(docs: Workspace, kind: Kind, id: string): Promise<boolean> {
  return (await unlessRefused(() => readers[kind](docs, id), unknownId)) !== undefined;
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
  return (await unlessRefused(() => docs.retrieveBlock(id))) === undefined ? undefined : 'block';
}

const wrongKind = (wanted: Kind, found: Kind | 'block', id: string, cause?: unknown): ActionError =>
  new ActionError(
    'VALIDATION_ERROR',
    `The id ${id} is a ${found}; a ${wanted} id is required. ${advice[`${wanted}<${found}`] ?? ''}`,
    { cause },
  );

/**
 * Rejects the id of a database. Called before requests that need a page but for which the workspace also accepts a
 * database.
 * @throws ActionError VALIDATION_ERROR if the id belongs to a database; failures of the workspace other than 400, 403
 * and 404
 */
export async function refuseDatabase(docs: Workspace, id: string): Promise<void> {
  try {
    if (!(await isKind(docs, 'database', id))) return;
  } catch (error) {
    // Without the capability to read content, the kind cannot be determined, so the id is accepted.
    if (isRefused(error, [403])) return;
    throw error;
  }
  throw wrongKind('page', 'database', id);
}

/**
 * Does the work. If the workspace refuses the id, determines its kind.
 * @param wanted the kind that the work needs
 * @returns the result of the work
 * @throws ActionError VALIDATION_ERROR that names the kind if the id belongs to another kind of object; otherwise the
 * failure of the work, or of a read that should determine the kind
 */
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

/** Lists the names and ids of a database's data sources, for an error message. */
export const listSources = ({ data_sources }: DatabaseAnswer): string =>
  data_sources.map((source) => `${source.name ?? 'untitled'} (${source.id})`).join(', ');

/** Returns the id of the database's only data source. @throws ActionError if it has none or several */
function only(database: DatabaseAnswer): string {
  const [first, second] = database.data_sources;
  if (first === undefined) {
    throw new ActionError(
      'VALIDATION_ERROR',
      `The database ${database.id} shows no data source. Linked databases and databases whose source is not shared are not supported: give the original database, shared with the connection`,
    );
  }
  if (second !== undefined) {
    throw new ActionError(
      'AMBIGUOUS_DATABASE',
      `The database ${database.id} has ${database.data_sources.length} data sources: ${listSources(database)}. Give the id of one of them instead of the database id`,
    );
  }
  return first.id;
}

/**
 * Resolves the id of a database to its only data source. Accepts the id of a data source too, with a warning.
 * @returns the id of the data source, and the data source itself if it was read to resolve the id
 * @throws ActionError if the database has no data source or several, or if the id belongs to a page; otherwise the
 * failures of the workspace, for example WorkspaceRefused if it does not know the id
 */
export async function resolveDataSource(
  context: RunContext,
  id: string,
): Promise<{ id: string; read?: DataSourceAnswer }> {
  try {
    return { id: only(await context.docs.retrieveDatabase(id)) };
  } catch (error) {
    if (!isRefused(error, unknownId)) throw error;
    const dataSource = await unlessRefused(() => context.docs.retrieveDataSource(id), unknownId);
    if (dataSource !== undefined) {
      context.warn(`${id} is the id of a data source; it was used as such.`);
      return { id: dataSource.id, read: dataSource };
    }
    if (!(await isKind(context.docs, 'page', id))) throw error;
    throw new ActionError(
      'VALIDATION_ERROR',
      `The id ${id} is a page; a database id is required. DOCS_SEARCH_DOCS_PAGE with filter_value "database" lists databases`,
      { cause: error },
    );
  }
}

/** Resolves an id with resolveDataSource, and reads the data source with its schema. @throws the same errors */
export async function readSchema(context: RunContext, databaseId: string): Promise<DataSourceAnswer> {
  const { id, read } = await resolveDataSource(context, databaseId);
  return read ?? (await context.docs.retrieveDataSource(id));
}

/**
 * Reads a data source by its id or, with a warning, by the id of a database that has exactly one data source.
 * @throws the errors of resolveDataSource
 */
export async function dataSourceOf(context: RunContext, id: string): Promise<DataSourceAnswer> {
  const dataSource = await unlessRefused(() => context.docs.retrieveDataSource(id), unknownId);
  if (dataSource !== undefined) return dataSource;
  const onlyOne = await readSchema(context, id);
  context.warn(`${id} is the id of a database; its only data source ${onlyOne.id} was used.`);
  return onlyOne;
}

export type ResolvedParent =
  | { kind: 'page'; id: string; page: PageAnswer }
  | { kind: 'data_source'; id: string; dataSource: DataSourceAnswer };

/**
 * Resolves the parent of a new page from the id of a page, a database or a data source.
 * @returns the page or data source; for a database, its only data source
 * @throws ActionError NOT_FOUND_OR_NOT_SHARED if no page, database or data source with this id is visible; otherwise
 * the errors of resolveDataSource, for example if the database has several data sources
 */
export async function resolveParent(context: RunContext, id: string): Promise<ResolvedParent> {
  try {
    const page = await context.docs.retrievePage(id);
    return { kind: 'page', id: page.id, page };
  } catch (cause) {
    if (!isRefused(cause, unknownId)) throw cause;
    const dataSource = await unlessRefused(() => readSchema(context, id), [404]);
    if (dataSource !== undefined) return { kind: 'data_source', id: dataSource.id, dataSource };
    throw new ActionError(
      'NOT_FOUND_OR_NOT_SHARED',
      `No page or database with the id ${id} is visible to the connection. Check the id, and share the page or database with the connection`,
      { cause },
    );
  }
}
