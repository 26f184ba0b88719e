/** The workspace's HTTP API, one method per request. The only file that depends on the API version. */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { createWorkspaceCall, type WorkspaceCall, type WorkspaceClientOptions } from './call.ts';
import {
  asyncTaskAnswer,
  blockAnswer,
  blockList,
  commentAnswer,
  commentList,
  databaseAnswer,
  dataSourceAnswer,
  fileUploadAnswer,
  fileUploadList,
  markdownAnswer,
  pageAnswer,
  pageList,
  propertyAnswer,
  templateList,
  userAnswer,
  userList,
} from './answers.ts';

export type PageOf = { page_size?: number | undefined; start_cursor?: string | undefined };

const blocks = (call: WorkspaceCall) => ({
  retrieveBlock: (id: string) => call({ method: 'get', path: ['blocks', id] }, blockAnswer),
  updateBlock: (id: string, body: JsonObject) =>
    call({ method: 'patch', path: ['blocks', id], body }, blockAnswer),
  restoreBlock: (id: string) =>
    call({ method: 'patch', path: ['blocks', id], body: { in_trash: false } }, blockAnswer),
  /** Trashes a block, a page or a database. */
  deleteBlock: (id: string) => call({ method: 'delete', path: ['blocks', id] }, blockAnswer),
  listChildren: (id: string, query: PageOf = {}) =>
    call({ method: 'get', path: ['blocks', id, 'children'], query }, blockList),
  /** With `after`, the response lists the created blocks first and then the siblings that follow them. */
  appendChildren: (id: string, children: readonly JsonObject[], after?: string) =>
    call(
      {
        method: 'patch',
        path: ['blocks', id, 'children'],
        body: after === undefined ? { children } : { children, after },
      },
      blockList,
    ),
});

const pages = (call: WorkspaceCall) => ({
  createPage: (body: JsonObject) => call({ method: 'post', path: ['pages'], body }, pageAnswer),
  retrievePage: (id: string) => call({ method: 'get', path: ['pages', id] }, pageAnswer),
  updatePage: (id: string, body: JsonObject) =>
    call({ method: 'patch', path: ['pages', id], body }, pageAnswer),
  movePage: (id: string, parent: JsonObject) =>
    call({ method: 'post', path: ['pages', id, 'move'], body: { parent } }, pageAnswer),
  retrieveMarkdown: (id: string, includeTranscript: boolean) =>
    call(
      {
        method: 'get',
        path: ['pages', id, 'markdown'],
        query: { include_transcript: includeTranscript ? true : undefined },
      },
      markdownAnswer,
    ),
  /** `propertyId` is decoded, not percent-encoded. */
  retrieveProperty: (pageId: string, propertyId: string, query: PageOf) =>
    call({ method: 'get', path: ['pages', pageId, 'properties', propertyId], query }, propertyAnswer),
  retrieveAsyncTask: (id: string) => call({ method: 'get', path: ['async_tasks', id] }, asyncTaskAnswer),
});

const databases = (call: WorkspaceCall) => ({
  createDatabase: (body: JsonObject) => call({ method: 'post', path: ['databases'], body }, databaseAnswer),
  retrieveDatabase: (id: string) => call({ method: 'get', path: ['databases', id] }, databaseAnswer),
  retrieveDataSource: (id: string) => call({ method: 'get', path: ['data_sources', id] }, dataSourceAnswer),
  queryDataSource: (id: string, body: JsonObject, filterProperties?: readonly string[]) =>
    call(
      {
        method: 'post',
        path: ['data_sources', id, 'query'],
        body,
        query: { filter_properties: filterProperties },
      },
      pageList,
    ),
  listTemplates: (id: string, query: PageOf) =>
    call({ method: 'get', path: ['data_sources', id, 'templates'], query }, templateList),
  search: (body: JsonObject) => call({ method: 'post', path: ['search'], body }, pageList),
});

const people = (call: WorkspaceCall) => ({
  createComment: (body: JsonObject) => call({ method: 'post', path: ['comments'], body }, commentAnswer),
  listComments: (blockId: string, query: PageOf = {}) =>
    call({ method: 'get', path: ['comments'], query: { block_id: blockId, ...query } }, commentList),
  retrieveComment: (id: string) => call({ method: 'get', path: ['comments', id] }, commentAnswer),
  listUsers: (query: PageOf) => call({ method: 'get', path: ['users'], query }, userList),
  retrieveUser: (id: string) => call({ method: 'get', path: ['users', id] }, userAnswer),
  retrieveSelf: () => call({ method: 'get', path: ['users', 'me'] }, userAnswer),
});

const uploads = (call: WorkspaceCall) => ({
  createFileUpload: (body: JsonObject) =>
    call({ method: 'post', path: ['file_uploads'], body }, fileUploadAnswer),
  sendFileUpload: (id: string, file: { filename: string; data: Blob }, partNumber?: number) =>
    call(
      {
        method: 'post',
        path: ['file_uploads', id, 'send'],
        form: partNumber === undefined ? { file } : { file, part_number: String(partNumber) },
      },
      fileUploadAnswer,
    ),
  completeFileUpload: (id: string) =>
    call({ method: 'post', path: ['file_uploads', id, 'complete'] }, fileUploadAnswer),
  retrieveFileUpload: (id: string) => call({ method: 'get', path: ['file_uploads', id] }, fileUploadAnswer),
  listFileUploads: (query: PageOf & { status?: string | undefined }) =>
    call({ method: 'get', path: ['file_uploads'], query }, fileUploadList),
});

/** Each method makes exactly one HTTP request; for what it throws see createWorkspaceCall. */
export function createWorkspace(options: WorkspaceClientOptions) {
  const call = createWorkspaceCall(options);
  return { ...blocks(call), ...pages(call), ...databases(call), ...people(call), ...uploads(call) };
}

export type Workspace = ReturnType<typeof createWorkspace>;
