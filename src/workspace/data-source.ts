/**
 * Resolves a database id to the data source that holds its rows. If there are several, it names them instead of
 * choosing one.
 */
import type { DatabaseAnswer, DataSourceAnswer } from './client/answers.ts';
import { WorkspaceRefused } from './client/failures.ts';
import type { RunContext } from './context.ts';
import { ActionError } from './failures.ts';
import { isKind } from './wrong-kind.ts';

const isUnknownId = (error: unknown): error is WorkspaceRefused =>
  error instanceof WorkspaceRefused && (error.status === 404 || error.status === 400);

function ambiguous(database: DatabaseAnswer): ActionError {
  const list = database.data_sources
    .map((source) => `${source.name ?? 'untitled'} (${source.id})`)
    .join(', ');
  return new ActionError(
    'AMBIGUOUS_DATABASE',
    `The database ${database.id} has ${database.data_sources.length} data sources: ${list}. Give the id of one of them in place of the database id`,
  );
}

function only(database: DatabaseAnswer): string {
  const [first, second] = database.data_sources;
  if (first === undefined) {
    throw new ActionError(
      'VALIDATION_ERROR',
      `The database ${database.id} shows no data source. Linked databases and databases whose source is not shared are not supported: give the original database, shared with the connection`,
    );
  }
  if (second !== undefined) throw ambiguous(database);
  return first.id;
}

export type Resolved = { dataSourceId: string; database?: DatabaseAnswer; dataSource?: DataSourceAnswer };

/**
 * Also accepts a data source id, with a note.
 * @throws ActionError for several data sources, for none, and for the id of a page
 */
export async function resolveDataSource(context: RunContext, id: string): Promise<Resolved> {
  try {
    const database = await context.docs.retrieveDatabase(id);
    return { dataSourceId: only(database), database };
  } catch (error) {
    if (!isUnknownId(error)) throw error;
    return resolveOther(context, id, error);
  }
}

async function resolveOther(context: RunContext, id: string, original: WorkspaceRefused): Promise<Resolved> {
  try {
    const dataSource = await context.docs.retrieveDataSource(id);
    context.warn(`${id} is the id of a data source; it was used as such.`);
    return { dataSourceId: dataSource.id, dataSource };
  } catch (error) {
    if (!isUnknownId(error)) throw error;
  }
  if (await isKind(context.docs, 'page', id)) {
    throw new ActionError(
      'VALIDATION_ERROR',
      `The id ${id} is a page; a database id is required. DOCS_SEARCH_DOCS_PAGE with filter_value "database" lists databases`,
      { cause: original },
    );
  }
  throw original;
}

/** Resolves the data source and reads its schema, unless resolving has already read it. */
export async function readSchema(
  context: RunContext,
  id: string,
): Promise<{ dataSource: DataSourceAnswer; database?: DatabaseAnswer }> {
  const { dataSourceId, dataSource, database } = await resolveDataSource(context, id);
  const read = dataSource ?? (await context.docs.retrieveDataSource(dataSourceId));
  return database === undefined ? { dataSource: read } : { dataSource: read, database };
}

/** The data source with this id. A database id resolves if it has exactly one data source, with a note. */
export async function dataSourceOf(context: RunContext, id: string): Promise<DataSourceAnswer> {
  try {
    return await context.docs.retrieveDataSource(id);
  } catch (error) {
    if (!isUnknownId(error)) throw error;
    const { dataSource } = await readSchema(context, id);
    context.warn(`${id} is the id of a database; its only data source ${dataSource.id} was used.`);
    return dataSource;
  }
}
