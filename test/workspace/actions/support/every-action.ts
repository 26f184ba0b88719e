/**
 * An input for each of the 45 actions, on a workspace that holds what they need: each works, in any order, again and
 * again.
 */
type Run = (action: string, input: object) => Promise<Record<string, unknown>>;

export type EveryAction = {
  inputs: Record<string, Record<string, unknown>>;
  /** A uniquely named thing of it, to see that an answer is of this workspace. */
  databaseId: string;
  pageId: string;
};

const text = (content: string) => [{ type: 'text', text: { content } }];
const block = (type: string, body: object) => ({ object: 'block', type, [type]: body });
const paragraph = (content: string) => block('paragraph', { rich_text: text(content) });

/** @param home a page that is shared with the connection */
export async function everyAction(run: Run, home: string, person: string): Promise<EveryAction> {
  const id = async (action: string, input: object) => String((await run(action, input))['id']);
  const page = (title: string) => id('DOCS_CREATE_DOCS_PAGE', { title, parent_id: home });
  const pageId = await page('Work');
  const other = await page('Other');
  const moved = await page('Moved');
  const archived = await page('Archived');
  const database = await run('DOCS_CREATE_DATABASE', {
    title: 'Tasks',
    parent_id: home,
    properties: [
      { name: 'Name', type: 'title' },
      { name: 'Priority', type: 'select', options: ['High', 'Low'] },
      { name: 'Points', type: 'number' },
    ],
  });
  const databaseId = String(database['id']);
  const dataSourceId = String(database['data_source_id']);
  const values = [
    { name: 'Name', type: 'title', value: 'First' },
    { name: 'Points', type: 'number', value: '3' },
  ];
  const row = await id('DOCS_INSERT_ROW_DATABASE', { database_id: databaseId, properties: values });
  const added = await run('DOCS_ADD_MULTIPLE_PAGE_CONTENT', {
    parent_block_id: pageId,
    content_blocks: [{ content: 'Kept' }, { content: 'Changed' }, { content: 'Deleted' }],
  });
  const [kept, changed, deleted] = (added['results'] as { id: string }[]).map((one) => one.id);
  const comment = await id('DOCS_CREATE_COMMENT', { comment: { content: 'Well' }, parent_page_id: pageId });
  const upload = await id('DOCS_CREATE_FILE_UPLOAD', { filename: 'note.txt', content_type: 'text/plain' });
  const onPage = { block_id: pageId };
  const inputs: EveryAction['inputs'] = {
    DOCS_ADD_MULTIPLE_PAGE_CONTENT: { parent_block_id: pageId, content_blocks: [{ content: '**bold**' }] },
    DOCS_ADD_PAGE_CONTENT: { parent_block_id: pageId, content_block: { content: 'One' } },
    DOCS_APPEND_BLOCK_CHILDREN: { ...onPage, children: [paragraph('Raw')] },
    DOCS_APPEND_TEXT_BLOCKS: { ...onPage, children: [block('heading_2', { rich_text: text('Title') })] },
    DOCS_APPEND_TASK_BLOCKS: {
      ...onPage,
      children: [block('to_do', { rich_text: text('Task'), checked: true })],
    },
    DOCS_APPEND_CODE_BLOCKS: {
      ...onPage,
      children: [block('code', { rich_text: text('a = 1'), language: 'python' })],
    },
    DOCS_APPEND_MEDIA_BLOCKS: { ...onPage, children: [block('bookmark', { url: 'https://example.com/' })] },
    DOCS_APPEND_LAYOUT_BLOCKS: { ...onPage, children: [block('divider', {})] },
    DOCS_APPEND_TABLE_BLOCKS: {
      ...onPage,
      tables: [{ table_width: 2, rows: [{ cells: [text('a'), text('b')] }] }],
    },
    DOCS_REPLACE_PAGE_CONTENT: { page_id: other, new_children: [{ content: 'New' }] },
    DOCS_UPDATE_BLOCK: { block_id: changed, content: 'Changed again' },
    DOCS_CREATE_DOCS_PAGE: { title: 'Made', parent_id: home, markdown: '# Made\n\nText' },
    DOCS_ARCHIVE_DOCS_PAGE: { page_id: archived },
    DOCS_DUPLICATE_PAGE: { page_id: other, parent_id: home },
    DOCS_MOVE_PAGE: { page_id: moved, parent: { type: 'page_id', page_id: pageId } },
    DOCS_RETRIEVE_PAGE: { page_id: pageId },
    DOCS_GET_PAGE_MARKDOWN: { page_id: pageId },
    DOCS_GET_PAGE_PROPERTY_ACTION: { page_id: row, property_id: 'Points' },
    DOCS_UPDATE_PAGE: { page_id: row, properties: { Points: { number: 5 } } },
    DOCS_DELETE_BLOCK: { block_id: deleted },
    DOCS_FETCH_BLOCK_CONTENTS: onPage,
    DOCS_FETCH_ALL_BLOCK_CONTENTS: { ...onPage, recursive: true },
    DOCS_FETCH_BLOCK_METADATA: { block_id: kept },
    DOCS_CREATE_DATABASE: { title: 'Another', parent_id: home },
    DOCS_FETCH_DATABASE: { database_id: databaseId },
    DOCS_RETRIEVE_DATABASE_PROPERTY: { database_id: databaseId, property_id: 'Priority' },
    DOCS_FETCH_ROW: { page_id: row },
    DOCS_INSERT_ROW_DATABASE: { database_id: databaseId, properties: values },
    DOCS_INSERT_ROW_FROM_NL: { database_id: databaseId, nl_query: 'Buy milk, high priority' },
    DOCS_QUERY_DATABASE: { database_id: databaseId, sorts: [{ property_name: 'Name', ascending: true }] },
    DOCS_QUERY_DATABASE_WITH_FILTER: {
      database_id: databaseId,
      filter: { property: 'Points', number: { greater_than: 1 } },
    },
    DOCS_QUERY_DATA_SOURCE: { data_source_id: dataSourceId },
    DOCS_LIST_DATA_SOURCE_TEMPLATES: { data_source_id: dataSourceId },
    DOCS_SEARCH_DOCS_PAGE: { query: 'Work' },
    DOCS_FETCH_DATA: { fetch_type: 'all' },
    DOCS_CREATE_COMMENT: { comment: { content: 'Good' }, parent_page_id: pageId },
    DOCS_FETCH_COMMENTS: { page_id: pageId },
    DOCS_RETRIEVE_COMMENT: { comment_id: comment },
    DOCS_CREATE_FILE_UPLOAD: { filename: 'plan.pdf', content_type: 'application/pdf' },
    DOCS_SEND_FILE_UPLOAD: {
      file_upload_id: upload,
      file: { name: 'note.txt', mimetype: 'text/plain' },
      file_content_base64: 'SGVsbG8=',
    },
    DOCS_RETRIEVE_FILE_UPLOAD: { file_upload_id: upload },
    DOCS_LIST_FILE_UPLOADS: {},
    DOCS_LIST_USERS: {},
    DOCS_GET_ABOUT_USER: { user_id: person },
    DOCS_GET_ABOUT_ME: {},
  };
  return { inputs, databaseId, pageId };
}

/** A model's answer to the prompt of DOCS_INSERT_ROW_FROM_NL for the database above. */
export const rowPlan = JSON.stringify([
  { name: 'Name', type: 'title', value: 'Buy milk' },
  { name: 'Priority', type: 'select', value: 'High' },
]);
