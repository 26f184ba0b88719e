/** Every action, one line each. */
import type { DocsToolDefinition } from '../contract/workspace/actions.ts';
import { deleteBlock } from './actions/blocks/delete-block.ts';
import { fetchAllBlockContents } from './actions/blocks/fetch-all-block-contents.ts';
import { fetchBlockContents } from './actions/blocks/fetch-block-contents.ts';
import { fetchBlockMetadata } from './actions/blocks/fetch-block-metadata.ts';
import { createComment } from './actions/comments/create-comment.ts';
import { fetchComments } from './actions/comments/fetch-comments.ts';
import { retrieveComment } from './actions/comments/retrieve-comment.ts';
import { addMultiplePageContent } from './actions/content/add-multiple-page-content.ts';
import { addPageContent } from './actions/content/add-page-content.ts';
import { appendBlockChildren } from './actions/content/append-block-children.ts';
import { appendTableBlocks } from './actions/content/append-table-blocks.ts';
import { replacePageContent } from './actions/content/replace-page-content.ts';
import {
  appendCodeBlocks,
  appendLayoutBlocks,
  appendMediaBlocks,
  appendTaskBlocks,
  appendTextBlocks,
} from './actions/content/typed-appends.ts';
import { updateBlock } from './actions/content/update-block.ts';
import { createDatabase } from './actions/databases/create-database.ts';
import { fetchDatabase } from './actions/databases/fetch-database.ts';
import { fetchRow } from './actions/databases/fetch-row.ts';
import { insertRowDatabase } from './actions/databases/insert-row-database.ts';
import { insertRowFromNl } from './actions/databases/insert-row-from-nl.ts';
import { listDataSourceTemplates } from './actions/databases/list-data-source-templates.ts';
import { queryDataSource } from './actions/databases/query-data-source.ts';
import { queryDatabaseWithFilter } from './actions/databases/query-database-with-filter.ts';
import { queryDatabase } from './actions/databases/query-database.ts';
import { retrieveDatabaseProperty } from './actions/databases/retrieve-database-property.ts';
import { archiveDocsPage } from './actions/pages/archive-docs-page.ts';
import { createDocsPage } from './actions/pages/create-docs-page.ts';
import { duplicatePage } from './actions/pages/duplicate-page.ts';
import { getPageMarkdown } from './actions/pages/get-page-markdown.ts';
import { getPageProperty } from './actions/pages/get-page-property.ts';
import { movePage } from './actions/pages/move-page.ts';
import { retrievePage } from './actions/pages/retrieve-page.ts';
import { updatePage } from './actions/pages/update-page.ts';
import { fetchData } from './actions/search/fetch-data.ts';
import { searchDocsPage } from './actions/search/search-docs-page.ts';
import { createFileUpload } from './actions/uploads/create-file-upload.ts';
import { listFileUploads } from './actions/uploads/list-file-uploads.ts';
import { retrieveFileUpload } from './actions/uploads/retrieve-file-upload.ts';
import { sendFileUpload } from './actions/uploads/send-file-upload.ts';
import { getAboutMe } from './actions/users/get-about-me.ts';
import { getAboutUser } from './actions/users/get-about-user.ts';
import { listUsers } from './actions/users/list-users.ts';
import type { Action } from './define-action.ts';

export const actions: readonly Action[] = [
  addMultiplePageContent,
  addPageContent,
  appendBlockChildren,
  appendTextBlocks,
  appendTaskBlocks,
  appendCodeBlocks,
  appendMediaBlocks,
  appendLayoutBlocks,
  appendTableBlocks,
  replacePageContent,
  updateBlock,
  createDocsPage,
  archiveDocsPage,
  duplicatePage,
  movePage,
  retrievePage,
  getPageMarkdown,
  getPageProperty,
  updatePage,
  deleteBlock,
  fetchBlockContents,
  fetchAllBlockContents,
  fetchBlockMetadata,
  createDatabase,
  fetchDatabase,
  retrieveDatabaseProperty,
  fetchRow,
  insertRowDatabase,
  insertRowFromNl,
  queryDatabase,
  queryDatabaseWithFilter,
  queryDataSource,
  listDataSourceTemplates,
  searchDocsPage,
  fetchData,
  createComment,
  fetchComments,
  retrieveComment,
  createFileUpload,
  sendFileUpload,
  retrieveFileUpload,
  listFileUploads,
  listUsers,
  getAboutUser,
  getAboutMe,
];

const byId = new Map(actions.map((action) => [action.id, action]));

export const findAction = (id: string): Action | undefined => byId.get(id);

/** The definitions for models, the API and MCP clients. */
export function toolDefinitions(): DocsToolDefinition[] {
  return actions.map(({ id, summary, inputSchema, effect, deprecated }) => ({
    action: id,
    summary,
    input_schema: inputSchema,
    effect,
    ...(deprecated === undefined ? {} : { deprecated }),
  }));
}
