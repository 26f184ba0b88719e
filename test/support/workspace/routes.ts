/** Every path and method that the emulator knows; all others are `invalid_request_url`. */
import { appendChildren, deleteBlock, listChildren, retrieveBlock, updateBlock } from './blocks.ts';
import type { Handler } from './call.ts';
import { createComment, listComments, retrieveComment } from './comments.ts';
import { createDataSource, listTemplates, retrieveDataSource, updateDataSource } from './data-sources.ts';
import { createDatabase, retrieveDatabase, updateDatabase } from './databases.ts';
import { completeUpload, createUpload, listUploads, retrieveUpload, sendUpload } from './file-uploads.ts';
import { retrieveMarkdown, retrieveTask, updateMarkdown } from './markdown.ts';
import { createPage, movePage, retrievePage, updatePage } from './pages.ts';
import { pageProperty, queryDataSource } from './query.ts';
import { search } from './search.ts';
import { listUsers, retrieveSelf, retrieveUser } from './users.ts';

const routes: [method: string, path: string, handler: Handler][] = [
  ['GET', '/v1/blocks/:block_id', retrieveBlock],
  ['PATCH', '/v1/blocks/:block_id', updateBlock],
  ['DELETE', '/v1/blocks/:block_id', deleteBlock],
  ['GET', '/v1/blocks/:block_id/children', listChildren],
  ['PATCH', '/v1/blocks/:block_id/children', appendChildren],
  ['POST', '/v1/pages', createPage],
  ['GET', '/v1/pages/:page_id', retrievePage],
  ['PATCH', '/v1/pages/:page_id', updatePage],
  ['POST', '/v1/pages/:page_id/move', movePage],
  ['GET', '/v1/pages/:page_id/markdown', retrieveMarkdown],
  ['PATCH', '/v1/pages/:page_id/markdown', updateMarkdown],
  ['GET', '/v1/pages/:page_id/properties/:property_id', pageProperty],
  ['POST', '/v1/databases', createDatabase],
  ['GET', '/v1/databases/:database_id', retrieveDatabase],
  ['PATCH', '/v1/databases/:database_id', updateDatabase],
  ['POST', '/v1/data_sources', createDataSource],
  ['GET', '/v1/data_sources/:data_source_id', retrieveDataSource],
  ['PATCH', '/v1/data_sources/:data_source_id', updateDataSource],
  ['POST', '/v1/data_sources/:data_source_id/query', queryDataSource],
  ['GET', '/v1/data_sources/:data_source_id/templates', listTemplates],
  ['POST', '/v1/search', search],
  ['POST', '/v1/comments', createComment],
  ['GET', '/v1/comments', listComments],
  ['GET', '/v1/comments/:comment_id', retrieveComment],
  ['GET', '/v1/users/me', retrieveSelf],
  ['GET', '/v1/users', listUsers],
  ['GET', '/v1/users/:user_id', retrieveUser],
  ['POST', '/v1/file_uploads', createUpload],
  ['GET', '/v1/file_uploads', listUploads],
  ['GET', '/v1/file_uploads/:file_upload_id', retrieveUpload],
  ['POST', '/v1/file_uploads/:file_upload_id/send', sendUpload],
  ['POST', '/v1/file_uploads/:file_upload_id/complete', completeUpload],
  ['GET', '/v1/async_tasks/:task_id', retrieveTask],
];

export interface Match {
  handler: Handler;
  params: Record<string, string>;
}

export function matchRoute(method: string, path: string): Match | undefined {
  const parts = path.split('/');
  for (const [verb, pattern, handler] of routes) {
    const wanted = pattern.split('/');
    if (verb !== method || wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((each, index) => {
      const got = parts[index] ?? '';
      if (!each.startsWith(':')) return each === got;
      params[each.slice(1)] = decoded(got);
      return got !== '';
    });
    if (fits) return { handler, params };
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
