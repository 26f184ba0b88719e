/** Reads a database with the schema of each of its data sources. */
import type { DatabaseAnswer, DataSourceAnswer } from './client/answers.ts';
import { WorkspaceRefused } from './client/failures.ts';
import type { RunContext } from './context.ts';
import { expectKind } from './wrong-kind.ts';

const maxDataSources = 10;

type NamedDataSource = DataSourceAnswer & { name: string | null };

/** Also accepts a data source id, which leads to its database, with a note. */
async function databaseOf(context: RunContext, id: string): Promise<DatabaseAnswer> {
  try {
    return await expectKind(context.docs, 'database', id, () => context.docs.retrieveDatabase(id));
  } catch (error) {
    if (!(error instanceof WorkspaceRefused) || ![400, 404].includes(error.status)) throw error;
    const databaseId = await parentOfDataSource(context, id);
    if (databaseId === undefined) throw error;
    context.warn(`${id} is the id of a data source; its database ${databaseId} was read.`);
    return context.docs.retrieveDatabase(databaseId);
  }
}

async function parentOfDataSource(context: RunContext, id: string): Promise<string | undefined> {
  try {
    return (await context.docs.retrieveDataSource(id)).parent?.database_id;
  } catch (error) {
    if (error instanceof WorkspaceRefused) return undefined;
    throw error;
  }
}

export async function readDatabase(
  context: RunContext,
  id: string,
): Promise<{ database: DatabaseAnswer; dataSources: NamedDataSource[]; left: number }> {
  const database = await databaseOf(context, id);
  const dataSources: NamedDataSource[] = [];
  for (const { id: sourceId, name } of database.data_sources.slice(0, maxDataSources)) {
    dataSources.push({ ...(await context.docs.retrieveDataSource(sourceId)), name: name ?? null });
  }
  const left = Math.max(0, database.data_sources.length - maxDataSources);
  if (left > 0)
    context.warn(
      `The database has ${database.data_sources.length} data sources; the first ${maxDataSources} are shown with their properties.`,
    );
  return { database, dataSources, left };
}
