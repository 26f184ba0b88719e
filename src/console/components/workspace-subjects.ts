/** Groups the document workspace's actions by what they work on. */
import { keysOf } from '../../contract/keys-of.ts';
import { texts } from '../messages.ts';

const actionsOf = {
  pages: [
    'DOCS_SEARCH_DOCS_PAGE',
    'DOCS_FETCH_DATA',
    'DOCS_GET_PAGE_MARKDOWN',
    'DOCS_RETRIEVE_PAGE',
    'DOCS_GET_PAGE_PROPERTY_ACTION',
    'DOCS_CREATE_DOCS_PAGE',
    'DOCS_UPDATE_PAGE',
    'DOCS_MOVE_PAGE',
    'DOCS_DUPLICATE_PAGE',
    'DOCS_REPLACE_PAGE_CONTENT',
    'DOCS_ARCHIVE_DOCS_PAGE',
  ],
  content: [
    'DOCS_FETCH_BLOCK_CONTENTS',
    'DOCS_FETCH_ALL_BLOCK_CONTENTS',
    'DOCS_FETCH_BLOCK_METADATA',
    'DOCS_ADD_MULTIPLE_PAGE_CONTENT',
    'DOCS_APPEND_TEXT_BLOCKS',
    'DOCS_APPEND_TASK_BLOCKS',
    'DOCS_APPEND_CODE_BLOCKS',
    'DOCS_APPEND_MEDIA_BLOCKS',
    'DOCS_APPEND_LAYOUT_BLOCKS',
    'DOCS_APPEND_TABLE_BLOCKS',
    'DOCS_UPDATE_BLOCK',
    'DOCS_DELETE_BLOCK',
    'DOCS_ADD_PAGE_CONTENT',
    'DOCS_APPEND_BLOCK_CHILDREN',
  ],
  databases: [
    'DOCS_QUERY_DATABASE',
    'DOCS_QUERY_DATABASE_WITH_FILTER',
    'DOCS_QUERY_DATA_SOURCE',
    'DOCS_FETCH_DATABASE',
    'DOCS_RETRIEVE_DATABASE_PROPERTY',
    'DOCS_FETCH_ROW',
    'DOCS_LIST_DATA_SOURCE_TEMPLATES',
    'DOCS_CREATE_DATABASE',
    'DOCS_INSERT_ROW_DATABASE',
    'DOCS_INSERT_ROW_FROM_NL',
  ],
  comments: ['DOCS_FETCH_COMMENTS', 'DOCS_RETRIEVE_COMMENT', 'DOCS_CREATE_COMMENT'],
  files: [
    'DOCS_RETRIEVE_FILE_UPLOAD',
    'DOCS_LIST_FILE_UPLOADS',
    'DOCS_CREATE_FILE_UPLOAD',
    'DOCS_SEND_FILE_UPLOAD',
  ],
  people: ['DOCS_LIST_USERS', 'DOCS_GET_ABOUT_USER', 'DOCS_GET_ABOUT_ME'],
} as const satisfies Record<
  keyof typeof texts.workspaceActions.subjects,
  readonly (keyof typeof texts.workspaceActions.actions)[]
>;

/** The subjects of the actions, in the order in which the console lists them. */
export const subjects = keysOf(actionsOf).map((subject) => ({
  name: texts.workspaceActions.subjects[subject],
  actions: actionsOf[subject],
}));
