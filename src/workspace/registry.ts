/** Lists all actions, and finds one by its id. */
import type { DocsToolDefinition } from '../contract/workspace/actions.ts';
import * as append from './actions/append.ts';
import * as blocks from './actions/blocks.ts';
import * as changePages from './actions/change-pages.ts';
import * as comments from './actions/comments.ts';
import { createDocsPage } from './actions/create-docs-page.ts';
import * as databases from './actions/databases.ts';
import { duplicatePage } from './actions/duplicate-page.ts';
import * as queries from './actions/queries.ts';
import * as readPages from './actions/read-pages.ts';
import { replacePageContent } from './actions/replace-page-content.ts';
import * as rows from './actions/rows.ts';
import * as search from './actions/search.ts';
import { sendFileUpload } from './actions/send-file-upload.ts';
import { updateBlock } from './actions/update-block.ts';
import * as uploads from './actions/uploads.ts';
import * as users from './actions/users.ts';
import type { Action } from './define-action.ts';

export const actions: readonly Action[] = [
  append.addMultiplePageContent,
  append.addPageContent,
  append.appendBlockChildren,
  append.appendTextBlocks,
  append.appendTaskBlocks,
  append.appendCodeBlocks,
  append.appendMediaBlocks,
  append.appendLayoutBlocks,
  append.appendTableBlocks,
  replacePageContent,
  updateBlock,
  createDocsPage,
  changePages.archiveDocsPage,
  duplicatePage,
  changePages.movePage,
  readPages.retrievePage,
  readPages.getPageMarkdown,
  readPages.getPageProperty,
  changePages.updatePage,
  blocks.deleteBlock,
  blocks.fetchBlockContents,
  blocks.fetchAllBlockContents,
  blocks.fetchBlockMetadata,
  databases.createDatabase,
  databases.fetchDatabase,
  databases.retrieveDatabaseProperty,
  rows.fetchRow,
  rows.insertRowDatabase,
  rows.insertRowFromNl,
  queries.queryDatabase,
  queries.queryDatabaseWithFilter,
  queries.queryDataSource,
  databases.listDataSourceTemplates,
  search.searchDocsPage,
  search.fetchData,
  comments.createComment,
  comments.fetchComments,
  comments.retrieveComment,
  uploads.createFileUpload,
  sendFileUpload,
  uploads.retrieveFileUpload,
  uploads.listFileUploads,
  users.listUsers,
  users.getAboutUser,
  users.getAboutMe,
];

const byId = new Map<string, Action>(actions.map((action) => [action.id, action]));

export const findAction = (id: string): Action | undefined => byId.get(id);

/** Returns the definitions of all actions, for models, the API and MCP clients. */
export function toolDefinitions(): DocsToolDefinition[] {
  return actions.map(({ id, summary, inputSchema, effect, deprecated }) => ({
    action: id,
    summary,
    input_schema: inputSchema,
    effect,
    ...(deprecated === undefined ? {} : { deprecated }),
  }));
}
