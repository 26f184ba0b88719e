/**
 * The actions as they are documented: every parameter, whether it is required, its default, its limits, its values.
 * Written by hand from the document, not from the code. `own` lists what we add.
 */
export type Parameter = {
  required?: true;
  default?: unknown;
  max?: number;
  min?: number;
  maxItems?: number;
  maxLength?: number;
  values?: string[];
  /** Values that we add to those. */
  ownValues?: string[];
  type?: 'string' | 'array' | 'object' | 'boolean' | 'integer';
};

export type Documented = {
  parameters: Record<string, Parameter>;
  aliases?: Record<string, string>;
  own?: string[];
  deprecated?: true;
};

const page: Parameter = { type: 'integer', min: 1, max: 100, default: 100 };
const id: Parameter = { required: true, type: 'string' };
const text: Parameter = { type: 'string' };
const cursor: Parameter = { type: 'string' };
const typedAppend: Record<string, Parameter> = {
  block_id: id,
  children: { required: true, type: 'array' },
  after: text,
};

export const documentedActions: Record<string, Documented> = {
  DOCS_ADD_MULTIPLE_PAGE_CONTENT: {
    parameters: {
      parent_block_id: id,
      content_blocks: { required: true, type: 'array', maxItems: 100 },
      after: text,
    },
  },
  DOCS_ADD_PAGE_CONTENT: {
    parameters: { parent_block_id: id, content_block: { required: true, type: 'string' }, after: text },
    aliases: { page_id: 'parent_block_id', block_id: 'parent_block_id' },
    deprecated: true,
  },
  DOCS_APPEND_BLOCK_CHILDREN: { parameters: typedAppend, own: ['auto_split'], deprecated: true },
  DOCS_APPEND_TEXT_BLOCKS: { parameters: typedAppend, aliases: { blocks: 'children' }, own: ['auto_split'] },
  DOCS_APPEND_TASK_BLOCKS: { parameters: typedAppend, own: ['auto_split'] },
  DOCS_APPEND_CODE_BLOCKS: { parameters: typedAppend, own: ['auto_split'] },
  DOCS_APPEND_MEDIA_BLOCKS: { parameters: typedAppend, own: ['auto_split'] },
  DOCS_APPEND_LAYOUT_BLOCKS: { parameters: typedAppend, own: ['auto_split'] },
  DOCS_APPEND_TABLE_BLOCKS: {
    parameters: { block_id: id, after: text, tables: { required: true, type: 'array', maxItems: 100 } },
  },
  DOCS_REPLACE_PAGE_CONTENT: {
    parameters: {
      page_id: id,
      new_children: { required: true, type: 'array' },
      dry_run: { type: 'boolean' },
      create_backup: { type: 'boolean' },
      backup_parent: { type: 'object' },
      backup_title_suffix: text,
      archive_existing_children: { type: 'boolean' },
    },
    own: ['archive_child_pages'],
  },
  DOCS_UPDATE_BLOCK: {
    parameters: {
      block_id: id,
      content: { required: true, type: 'string', maxLength: 2000 },
      block_type: text,
      language: text,
      additional_properties: { type: 'object' },
    },
  },
  DOCS_CREATE_DOCS_PAGE: {
    parameters: {
      title: { required: true, type: 'string' },
      parent_id: id,
      markdown: text,
      icon: text,
      cover: text,
    },
    aliases: { parent_page_id: 'parent_id' },
    own: ['children', 'content'],
  },
  DOCS_ARCHIVE_DOCS_PAGE: { parameters: { page_id: id, archive: { type: 'boolean', default: true } } },
  DOCS_DUPLICATE_PAGE: { parameters: { page_id: id, parent_id: id, title: text } },
  DOCS_MOVE_PAGE: { parameters: { page_id: id, parent: { required: true, type: 'string' } } },
  DOCS_RETRIEVE_PAGE: { parameters: { page_id: id } },
  DOCS_GET_PAGE_MARKDOWN: {
    parameters: { page_id: id, include_transcript: { type: 'boolean', default: false } },
  },
  DOCS_GET_PAGE_PROPERTY_ACTION: {
    parameters: {
      page_id: id,
      property_id: { required: true, type: 'string' },
      page_size: { type: 'integer' },
      start_cursor: cursor,
    },
  },
  DOCS_UPDATE_PAGE: {
    parameters: {
      page_id: id,
      icon: { type: 'object' },
      cover: { type: 'object' },
      archived: { type: 'boolean' },
      properties: { type: 'object' },
    },
  },
  DOCS_DELETE_BLOCK: { parameters: { block_id: id } },
  DOCS_FETCH_BLOCK_CONTENTS: {
    parameters: { block_id: id, page_size: { type: 'integer', max: 100 }, start_cursor: cursor },
  },
  DOCS_FETCH_ALL_BLOCK_CONTENTS: {
    parameters: {
      block_id: text,
      page_url: text,
      page_size: { type: 'integer', default: 100, max: 100 },
      recursive: { type: 'boolean' },
      max_depth: { type: 'integer', default: 10 },
      max_blocks: { type: 'integer', default: 5000 },
    },
  },
  DOCS_FETCH_BLOCK_METADATA: { parameters: { block_id: id } },
  DOCS_CREATE_DATABASE: {
    parameters: { title: { required: true, type: 'string' }, parent_id: id, properties: { type: 'array' } },
  },
  DOCS_FETCH_DATABASE: { parameters: { database_id: id } },
  DOCS_RETRIEVE_DATABASE_PROPERTY: {
    parameters: { database_id: id, property_id: { required: true, type: 'string' } },
  },
  DOCS_FETCH_ROW: { parameters: { page_id: id } },
  DOCS_INSERT_ROW_DATABASE: {
    parameters: {
      database_id: id,
      properties: { type: 'array' },
      child_blocks: { type: 'array' },
      icon: text,
      cover: text,
    },
  },
  DOCS_INSERT_ROW_FROM_NL: {
    parameters: { database_id: id, nl_query: { required: true, type: 'string' }, icon: text, cover: text },
  },
  DOCS_QUERY_DATABASE: {
    parameters: { database_id: id, sorts: { type: 'array' }, page_size: page, start_cursor: cursor },
  },
  DOCS_QUERY_DATABASE_WITH_FILTER: {
    parameters: {
      database_id: id,
      filter: { type: 'object' },
      sorts: { type: 'array' },
      page_size: page,
      start_cursor: cursor,
      connector_execution_message: text,
    },
  },
  DOCS_QUERY_DATA_SOURCE: {
    parameters: {
      data_source_id: id,
      filter: { type: 'object' },
      sorts: { type: 'array' },
      page_size: page,
      start_cursor: cursor,
      filter_properties: { type: 'array' },
    },
  },
  DOCS_LIST_DATA_SOURCE_TEMPLATES: {
    parameters: { data_source_id: id, page_size: page, start_cursor: cursor },
  },
  DOCS_SEARCH_DOCS_PAGE: {
    parameters: {
      query: text,
      filter_value: { type: 'string', values: ['page', 'database'], ownValues: ['data_source'] },
      filter_property: { type: 'string', values: ['object'] },
      timestamp: { type: 'string', values: ['last_edited_time'] },
      direction: { type: 'string', values: ['ascending', 'descending'] },
      page_size: { ...page, default: 25 },
      start_cursor: cursor,
      filter_properties: { type: 'array' },
    },
  },
  DOCS_FETCH_DATA: {
    parameters: {
      fetch_type: { required: true, type: 'string', values: ['pages', 'databases', 'all'] },
      query: text,
      // No maximum: values above 100 are capped, not refused.
      page_size: { type: 'integer', min: 1, default: 100 },
      start_cursor: cursor,
      original_page_size: { type: 'integer' },
      page_size_was_capped: { type: 'boolean' },
    },
  },
  DOCS_CREATE_COMMENT: {
    parameters: { comment: { required: true, type: 'object' }, parent_page_id: text, discussion_id: text },
  },
  DOCS_FETCH_COMMENTS: {
    parameters: { block_id: text, page_id: text, page_size: page, start_cursor: cursor },
  },
  DOCS_RETRIEVE_COMMENT: { parameters: { comment_id: id } },
  DOCS_CREATE_FILE_UPLOAD: {
    parameters: {
      mode: { type: 'string', default: 'single_part', values: ['single_part', 'multi_part', 'external_url'] },
      filename: text,
      content_type: text,
      external_url: text,
      number_of_parts: { type: 'integer' },
    },
  },
  DOCS_SEND_FILE_UPLOAD: {
    parameters: {
      file_upload_id: id,
      file: { required: true, type: 'object' },
      part_number: { type: 'integer', min: 1 },
      file_content_base64: text,
    },
  },
  DOCS_RETRIEVE_FILE_UPLOAD: { parameters: { file_upload_id: id } },
  DOCS_LIST_FILE_UPLOADS: { parameters: { page_size: page, start_cursor: cursor }, own: ['status'] },
  DOCS_LIST_USERS: { parameters: { page_size: { type: 'integer', max: 100 }, start_cursor: cursor } },
  DOCS_GET_ABOUT_USER: { parameters: { user_id: id } },
  DOCS_GET_ABOUT_ME: { parameters: {}, deprecated: true },
};
