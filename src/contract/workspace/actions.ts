/** Definitions that all actions of document workspaces share: identifiers, paging, and the form of the output. */
import { z } from 'zod';
import { readWorkspaceId } from './workspace-id.ts';

/**
 * The output of every action. `data` is compact JSON text. If the action failed, `data` is `"{}"`, or an object whose
 * field `partial` contains the ids of the objects that were written before the failure.
 */
export const docsResult = z.strictObject({
  data: z.string().describe('Result of the action, as JSON text.'),
  error: z.string().optional().describe('Error text when execution failed.'),
  successful: z.boolean().describe('Whether execution succeeded.'),
});
export type DocsResult = z.infer<typeof docsResult>;

/** An entry in the response of GET /v1/tools/docs/actions. */
export const docsToolDefinition = z
  .strictObject({
    action: z.string().describe('Identifier of the action'),
    summary: z.string().describe('What the action does, in one sentence'),
    input_schema: z.record(z.string(), z.unknown()).describe('JSON schema of its input'),
    effect: z
      .enum(['read', 'idempotent_write', 'create', 'send_part', 'generated_create', 'multi_step'])
      .describe("The action's effect on the workspace, which decides how it is retried"),
    deprecated: z
      .strictObject({ use: z.string().describe('The action to use instead') })
      .optional()
      .describe('Present if another action should be used instead; this one still works'),
  })
  .meta({ id: 'ToolAction', description: 'An action that agents and API clients can run in a workspace' });
export type DocsToolDefinition = z.infer<typeof docsToolDefinition>;

/**
 * Maximum lengths of texts in an action's input, in UTF-16 code units. `field` is the workspace's limit for one field:
 * 100 items of 2,000 characters. The others are chosen.
 */
export const maxText = {
  /** An id, a URL, a name or a cursor. */
  name: 2048,
  /** A title, a question, a row, or a comment's text. */
  field: 200_000,
  /** The body of a page. */
  body: 1_000_000,
} as const;
export const maxListItems = 10_000;

/**
 * Returns the schema of an id: a UUID with or without dashes, or a URL that contains one. Parsing returns the UUID with
 * dashes and in lower case.
 */
export const workspaceId = (description: string) =>
  z
    .string()
    .max(maxText.name)
    .overwrite((text) => readWorkspaceId(text) ?? text)
    .refine((text) => readWorkspaceId(text) !== undefined, {
      error: 'is not a UUID: give 32 hexadecimal characters, with or without dashes',
    })
    .describe(description);

/**
 * Returns the schema of a page size, 1 to 100.
 * @param standard the default page size
 */
export const pageSize = (description = 'Results per request, 1 to 100.', standard = 100) =>
  z.int().min(1).max(100).default(standard).describe(description);

export const startCursor = z
  .string()
  .max(maxText.name)
  .describe('The next_cursor of the previous answer; leave out for the first page.');

/** The parameters of every action that returns a list page by page. */
export const paging = { page_size: pageSize(), start_cursor: startCursor.optional() };

export const jsonObject = z.record(z.string(), z.unknown());
export type JsonObject = Record<string, unknown>;

/** Returns the schema of an object, or of a text that should be the JSON of an object. Does not parse the text. */
export const jsonObjectOrText = (description: string) =>
  z.union([jsonObject, z.string().max(maxText.field)]).describe(description);
