/**
 * An id of the wrong kind and an id that is not shared get the same answer from the workspace. One more read tells
 * them apart, so that the error says which it is.
 */
import { WorkspaceRefused } from '../../src/adapters/docs-failures.ts';
import type { Workspace } from '../../src/adapters/docs-workspace.ts';
import { ActionError } from './failures.ts';

type Kind = 'page' | 'database' | 'data source';

const couldBeKind = (error: unknown): error is WorkspaceRefused =>
  error instanceof WorkspaceRefused &&
  (error.status === 404 ||
    (error.status === 400 &&
      /not found|could not find|is a (page|database)|does not exist|valid uuid|not a (page|database)/i.test(
        error.message,
      )));

const readers: Readonly<Record<Kind, (docs: Workspace, id: string) => Promise<unknown>>> = {
  page: (docs, id) => docs.retrievePage(id),
  database: (docs, id) => docs.retrieveDatabase(id),
  'data source': (docs, id) => docs.retrieveDataSource(id),
};

/** @returns whether the id is of this kind; failures other than "no" are thrown */
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
  'database<page':
    'Give the id of the database itself; DOCS_SEARCH_DOCS_PAGE with filter_value "database" lists them',
  'data source<page': 'Give the id of a data source; DOCS_FETCH_DATABASE lists those of a database',
};

/** Does the work; where the workspace does not know the id, says what kind of id it is. */
export async function expectKind<T>(
  docs: Workspace,
  wanted: 'page' | 'database' | 'data source',
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!couldBeKind(error)) throw error;
    const others: Kind[] = wanted === 'page' ? ['database', 'data source'] : ['page'];
    for (const kind of others) {
      if (await isKind(docs, kind, id)) {
        throw new ActionError(
          'VALIDATION_ERROR',
          `The id ${id} is a ${kind}; a ${wanted} id is required. ${advice[`${wanted}<${kind}`] ?? ''}`,
          { cause: error },
        );
      }
    }
    throw error;
  }
}
