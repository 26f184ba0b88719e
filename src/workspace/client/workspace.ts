/** Client of the workspace's HTTP API. Only this file contains requests that depend on the version of the API. */
import type { z } from 'zod';
import type { JsonObject } from '../../contract/workspace/actions.ts';
import {
  createWorkspaceCall,
  type WorkspaceCall,
  type WorkspaceClientOptions,
  type WorkspaceRequest,
} from './call.ts';
import {
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

type PageOf = { page_size?: number | undefined; start_cursor?: string | undefined };

function requests(call: WorkspaceCall) {
  const get = <T>(path: readonly string[], answer: z.ZodType<T>, query: WorkspaceRequest['query'] = {}) =>
    call({ method: 'get', path, query }, answer);
  const post = <T>(path: readonly string[], body: JsonObject, answer: z.ZodType<T>) =>
    call({ method: 'post', path, body }, answer);
  const patch = <T>(path: readonly string[], body: JsonObject, answer: z.ZodType<T>) =>
    call({ method: 'patch', path, body }, answer);

  return {
    retrieveBlock: (id: string) => get(['blocks', id], blockAnswer),
    updateBlock: (id: string, body: JsonObject) => patch(['blocks', id], body, blockAnswer),
    /** Moves a block, a page or a database to the trash. */
    deleteBlock: (id: string) => call({ method: 'delete', path: ['blocks', id] }, blockAnswer),
    listChildren: (id: string, page: PageOf = {}) => get(['blocks', id, 'children'], blockList, page),
    /** With `after`, the response contains the created blocks, followed by the siblings after them. */
    appendChildren: (id: string, children: readonly JsonObject[], after?: string) =>
      patch(['blocks', id, 'children'], { children, after }, blockList),

    createPage: (body: JsonObject) => post(['pages'], body, pageAnswer),
    retrievePage: (id: string) => get(['pages', id], pageAnswer),
    updatePage: (id: string, body: JsonObject) => patch(['pages', id], body, pageAnswer),
    movePage: (id: string, parent: JsonObject) => post(['pages', id, 'move'], { parent }, pageAnswer),
    retrieveMarkdown: (id: string, includeTranscript: boolean) =>
      get(['pages', id, 'markdown'], markdownAnswer, { include_transcript: includeTranscript || undefined }),
    /** @param propertyId the decoded id, without percent-encoding */
    retrieveProperty: (pageId: string, propertyId: string, page: PageOf) =>
      get(['pages', pageId, 'properties', propertyId], propertyAnswer, page),

    createDatabase: (body: JsonObject) => post(['databases'], body, databaseAnswer),
    retrieveDatabase: (id: string) => get(['databases', id], databaseAnswer),
    retrieveDataSource: (id: string) => get(['data_sources', id], dataSourceAnswer),
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
    listTemplates: (id: string, page: PageOf) => get(['data_sources', id, 'templates'], templateList, page),
    search: (body: JsonObject) => post(['search'], body, pageList),

    createComment: (body: JsonObject) => post(['comments'], body, commentAnswer),
    listComments: (blockId: string, page: PageOf = {}) =>
      get(['comments'], commentList, { block_id: blockId, ...page }),
    retrieveComment: (id: string) => get(['comments', id], commentAnswer),

    listUsers: (page: PageOf) => get(['users'], userList, page),
    retrieveUser: (id: string) => get(['users', id], userAnswer),
    retrieveSelf: () => get(['users', 'me'], userAnswer),

    createFileUpload: (body: JsonObject) => post(['file_uploads'], body, fileUploadAnswer),
    sendFileUpload: (id: string, file: { filename: string; data: Blob }, partNumber?: number) => {
      const form = partNumber === undefined ? { file } : { file, part_number: String(partNumber) };
      return call({ method: 'post', path: ['file_uploads', id, 'send'], form }, fileUploadAnswer);
    },
    completeFileUpload: (id: string) =>
      call({ method: 'post', path: ['file_uploads', id, 'complete'] }, fileUploadAnswer),
    retrieveFileUpload: (id: string) => get(['file_uploads', id], fileUploadAnswer),
    listFileUploads: (page: PageOf & { status?: string | undefined }) =>
      get(['file_uploads'], fileUploadList, page),
  };
}

/** Creates a client with one method per endpoint. Its methods throw the errors that `createWorkspaceCall` lists. */
export const createWorkspace = (options: WorkspaceClientOptions) => requests(createWorkspaceCall(options));

export type Workspace = ReturnType<typeof createWorkspace>;
