/** Plain names and descriptions of the document workspace's actions, and the presets that contain them. */

export type PresetName = 'search' | 'read' | 'write';

export interface ActionText {
  name: string;
  text: string;
  /** The preset that contains the action; `none` if it must be chosen as a single action. */
  preset: PresetName | 'none';
  /** Why no preset contains the action. */
  why?: string;
}

export const search = (name: string, text: string): ActionText => ({ name, text, preset: 'search' });
export const read = (name: string, text: string): ActionText => ({ name, text, preset: 'read' });
export const write = (name: string, text: string): ActionText => ({ name, text, preset: 'write' });
export const single = (name: string, text: string, why: string): ActionText => ({
  name,
  text,
  preset: 'none',
  why,
});

const outdated = 'An older action, which another one replaces.';
const removes = 'It can remove what your team wrote.';
const people = 'It shows the names and email addresses of your team.';

export const actionTexts = {
  DOCS_SEARCH_DOCS_PAGE: search('Search by title', 'Finds pages and databases, with all their properties.'),
  DOCS_FETCH_DATA: search('List pages and databases', 'Finds pages and databases by title, in brief.'),
  DOCS_QUERY_DATABASE: search('List rows', 'Lists the rows of a database, sorted as you like.'),
  DOCS_QUERY_DATABASE_WITH_FILTER: search('Filter rows', 'Finds the rows of a database that fit a filter.'),
  DOCS_QUERY_DATA_SOURCE: search('Filter rows of a data source', 'Finds rows in one part of a database.'),

  DOCS_GET_PAGE_MARKDOWN: read('Read a page', 'Reads the text of a page.'),
  DOCS_RETRIEVE_PAGE: read('Read the properties of a page', 'Reads the title, dates and other properties.'),
  DOCS_GET_PAGE_PROPERTY_ACTION: read('Read one property', 'Reads a long property of a page in full.'),
  DOCS_FETCH_BLOCK_CONTENTS: read('Read blocks', 'Reads the blocks that are directly in a page or block.'),
  DOCS_FETCH_ALL_BLOCK_CONTENTS: read('Read all blocks', 'Reads the blocks of a page, also nested ones.'),
  DOCS_FETCH_BLOCK_METADATA: read('Read one block', 'Reads the type and properties of a block.'),
  DOCS_FETCH_DATABASE: read('Read the columns of a database', 'Reads which columns a database has.'),
  DOCS_RETRIEVE_DATABASE_PROPERTY: read('Read one column', 'Reads the settings of a column.'),
  DOCS_FETCH_ROW: read('Read a row', 'Reads the values of a row.'),
  DOCS_LIST_DATA_SOURCE_TEMPLATES: read('List templates', 'Lists the page templates of a database.'),
  DOCS_FETCH_COMMENTS: read('Read comments', 'Reads the open comments of a page or block.'),
  DOCS_RETRIEVE_COMMENT: read('Read one comment', 'Reads a comment.'),
  DOCS_RETRIEVE_FILE_UPLOAD: read('Check an upload', 'Reads whether the upload of a file is complete.'),
  DOCS_LIST_FILE_UPLOADS: read('List uploads', 'Lists the files that Parley has uploaded.'),

  DOCS_CREATE_DOCS_PAGE: write('Create a page', 'Adds a page under another one, or to a database.'),
  DOCS_ADD_MULTIPLE_PAGE_CONTENT: write('Add blocks to a page', 'Adds headings, paragraphs, lists and more.'),
  DOCS_APPEND_TEXT_BLOCKS: write('Add text', 'Adds paragraphs, headings and list items.'),
  DOCS_APPEND_TASK_BLOCKS: write('Add to-dos', 'Adds to-dos, toggles and callouts.'),
  DOCS_APPEND_CODE_BLOCKS: write('Add code', 'Adds code, quotes and equations.'),
  DOCS_APPEND_MEDIA_BLOCKS: write('Add media', 'Adds images, videos, files and bookmarks by their address.'),
  DOCS_APPEND_LAYOUT_BLOCKS: write('Add layout', 'Adds dividers, columns and tables of contents.'),
  DOCS_APPEND_TABLE_BLOCKS: write('Add tables', 'Adds tables with their rows.'),
  DOCS_UPDATE_BLOCK: write('Change a block', 'Replaces the text of a block.'),
  DOCS_UPDATE_PAGE: write(
    'Change a page or row',
    'Changes properties, icon and cover, or moves it to the trash.',
  ),
  DOCS_MOVE_PAGE: write('Move a page', 'Moves a page under another one, or into a database.'),
  DOCS_DUPLICATE_PAGE: write('Copy a page', 'Copies a page with its content.'),
  DOCS_CREATE_DATABASE: write('Create a database', 'Adds a database to a page.'),
  DOCS_INSERT_ROW_DATABASE: write('Add a row', 'Adds a row to a database.'),
  DOCS_CREATE_COMMENT: write('Write a comment', 'Comments on a page, or answers a comment.'),
  DOCS_CREATE_FILE_UPLOAD: write('Start an upload', 'Prepares the upload of a file.'),
  DOCS_SEND_FILE_UPLOAD: write('Upload a file', 'Sends the content of a file.'),

  DOCS_REPLACE_PAGE_CONTENT: single(
    'Replace a page',
    'Removes the content of a page, and adds new content.',
    removes,
  ),
  DOCS_DELETE_BLOCK: single(
    'Delete a block or page',
    'Moves a block, page or database to the trash.',
    removes,
  ),
  DOCS_ARCHIVE_DOCS_PAGE: single('Delete or restore a page', 'Moves a page to the trash, or back.', removes),
  DOCS_INSERT_ROW_FROM_NL: single(
    'Add a row from a sentence',
    'Reads the values of the row from a text.',
    'It makes a model call of its own, which costs credits.',
  ),
  DOCS_LIST_USERS: single('List people', 'Lists the people and bots of the workspace.', people),
  DOCS_GET_ABOUT_USER: single('Read a person', 'Reads a person or bot of the workspace.', people),
  DOCS_ADD_PAGE_CONTENT: single('Add one block', 'Adds one block to a page.', outdated),
  DOCS_APPEND_BLOCK_CHILDREN: single(
    'Add blocks in Notion’s own format',
    'Adds blocks of any type.',
    outdated,
  ),
  DOCS_GET_ABOUT_ME: single('Read the integration', 'Reads the name of the integration.', outdated),
} satisfies Record<string, ActionText>;

export const workspaceActionTexts = {
  workspaceActions: {
    title: 'Notion',
    actions: actionTexts,
    subjects: {
      pages: 'Pages',
      content: 'Text of pages',
      databases: 'Databases and rows',
      comments: 'Comments',
      files: 'Files',
      people: 'People',
    },
    presets: {
      search: { name: 'Search', text: 'Finds pages, databases and rows.' },
      read: { name: 'Read', text: 'Reads pages, rows, comments and the columns of databases.' },
      write: {
        name: 'Write',
        text: 'Adds and changes pages, rows, comments and files. It can also move a page to the trash.',
      },
    },
    none: 'In no preset',
    count: (chosen: number, all: number) =>
      chosen === 0 || chosen === all
        ? `${String(all)} actions.`
        : `${String(chosen)} of ${String(all)} actions chosen.`,
    single: (chosen: number, all: number) => `Single actions: ${String(chosen)} of ${String(all)} chosen`,
    search: 'Search workspace actions',
    noMatch: 'No action matches your search.',
    connect: 'Connect a workspace',
    offer: 'This agent can search, read and write in Notion once a workspace is connected.',
    notConnected: 'No workspace is connected, so the chosen workspace actions fail.',
    refused: (workspaces: readonly string[]) =>
      `${workspaces.join(', ')} no longer ${workspaces.length === 1 ? 'accepts' : 'accept'} the access of Parley, so the chosen workspace actions fail.`,
    reconnect: 'Connect again',
    morePolicies: (count: number) =>
      `${String(count)} workspace ${count === 1 ? 'action runs' : 'actions run'} without asking`,
  },
} as const;
