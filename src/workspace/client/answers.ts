/**
 * Schemas of the workspace's responses. They require only the fields that the actions use, and accept new fields and
 * kinds of object.
 */
import { z } from 'zod';

const loose = z.record(z.string(), z.unknown());

/** Like z.record, but does not drop the key `__proto__`, which may be the name of a column. */
const byName = <T>(value: z.ZodType<T>) =>
  z
    .custom<Record<string, unknown>>((given) => typeof given === 'object' && given !== null)
    .transform((given) => Object.entries(given))
    .pipe(z.array(z.tuple([z.string(), value])))
    .transform((entries): Record<string, T> => Object.fromEntries(entries));

export const richTextItems = z.array(
  z.looseObject({ type: z.string().optional(), plain_text: z.string().optional() }),
);

const parentAnswer = z.looseObject({
  type: z.string(),
  page_id: z.string().optional(),
  database_id: z.string().optional(),
  data_source_id: z.string().optional(),
  block_id: z.string().optional(),
});

const trash = { archived: z.boolean().optional(), in_trash: z.boolean().optional() };

export const blockAnswer = z.looseObject({
  object: z.literal('block'),
  id: z.string(),
  type: z.string(),
  has_children: z.boolean().optional(),
  created_time: z.string().optional(),
  parent: parentAnswer.optional(),
  ...trash,
});
export type BlockAnswer = z.infer<typeof blockAnswer>;

const propertyValue = z.looseObject({ id: z.string().optional(), type: z.string().optional() });

export const pageAnswer = z.looseObject({
  object: z.literal('page'),
  id: z.string(),
  parent: parentAnswer.optional(),
  properties: byName(propertyValue).default({}),
  created_time: z.string().optional(),
  url: z.string().optional(),
  icon: loose.nullish(),
  cover: loose.nullish(),
  ...trash,
});
export type PageAnswer = z.infer<typeof pageAnswer>;

export const databaseAnswer = z.looseObject({
  object: z.literal('database'),
  id: z.string(),
  title: richTextItems.default([]),
  parent: parentAnswer.optional(),
  data_sources: z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })).default([]),
  ...trash,
});
export type DatabaseAnswer = z.infer<typeof databaseAnswer>;

const schemaProperty = z.looseObject({ id: z.string(), name: z.string(), type: z.string() });
export type SchemaProperty = z.infer<typeof schemaProperty>;

export const dataSourceAnswer = z.looseObject({
  object: z.literal('data_source'),
  id: z.string(),
  title: richTextItems.default([]),
  properties: byName(schemaProperty).default({}),
  parent: parentAnswer.optional(),
  database_parent: parentAnswer.optional(),
  ...trash,
});
export type DataSourceAnswer = z.infer<typeof dataSourceAnswer>;

export const userAnswer = z.looseObject({
  object: z.literal('user'),
  id: z.string(),
  type: z.string().optional(),
  name: z.string().nullish(),
  bot: z
    .looseObject({
      workspace_name: z.string().nullish(),
      workspace_id: z.string().optional(),
      workspace_limits: z.looseObject({ max_file_upload_size_in_bytes: z.number().optional() }).optional(),
    })
    .optional(),
});

export const commentAnswer = z.looseObject({
  object: z.literal('comment'),
  id: z.string(),
  discussion_id: z.string().optional(),
  created_time: z.string().optional(),
  rich_text: richTextItems.default([]),
});

export const fileUploadAnswer = z.looseObject({
  object: z.literal('file_upload'),
  id: z.string(),
  status: z.string(),
  filename: z.string().nullish(),
  created_time: z.string().optional(),
  number_of_parts: z.looseObject({ total: z.number(), sent: z.number() }).nullish(),
  file_import_result: z
    .looseObject({
      error: z.looseObject({ message: z.string().nullish(), code: z.string().nullish() }).nullish(),
    })
    .nullish(),
});
export type FileUploadAnswer = z.infer<typeof fileUploadAnswer>;

export const markdownAnswer = z.looseObject({
  markdown: z.string(),
  truncated: z.boolean().default(false),
  unknown_block_ids: z.array(z.string()).default([]),
});

/** Accepts an object of an unknown kind, so that the list that contains it can still be parsed. */
const otherAnswer = z
  .looseObject({ object: z.string() })
  .transform((given) => ({ object: 'other' as const, given }));
export type OtherAnswer = z.infer<typeof otherAnswer>;

/** A search result or a row: a page or, in search results and wikis, a data source. The API may add other kinds. */
const pageOrDataSource = z.union([pageAnswer, dataSourceAnswer, otherAnswer]);

const listOf = <T extends z.ZodType>(item: T) =>
  z.looseObject({
    results: z.array(item),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
    request_status: z.looseObject({ type: z.string() }).optional(),
  });

export const blockList = listOf(blockAnswer);
export const pageList = listOf(pageOrDataSource);
export const userList = listOf(userAnswer);
export const commentList = listOf(commentAnswer);
export const fileUploadList = listOf(fileUploadAnswer);

export const templateList = z.looseObject({
  templates: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});

const propertyItem = z.looseObject({ object: z.literal('property_item'), type: z.string() });
export const propertyItemList = listOf(propertyItem);
/** A property's value: a single value or, for title, rich_text, people, relation and rollup, one page of a list. */
export const propertyAnswer = z.union([propertyItem, propertyItemList]);
