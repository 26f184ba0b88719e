import { z } from 'zod';
import type { FileUploadAnswer } from '../../../../src/adapters/docs-answers.ts';
import type { JsonObject } from '../../../../src/contract/docs.ts';
import { isWebUrl } from '../../blocks/rich-text.ts';
import type { RunContext } from '../../context.ts';
import { defineAction } from '../../define-action.ts';
import { oneNew } from '../../pages/create-page.ts';
import { createOnce } from '../../steps.ts';

const hasExtension = (name: string | undefined): boolean =>
  name !== undefined && /\.[A-Za-z0-9]+$/.test(name);

/** Ids of recent uploads with this name. */
async function recentIds(context: RunContext, filename: string | undefined): Promise<string[]> {
  const { results } = await context.docs.listFileUploads({ page_size: 100 });
  return results.filter((upload) => (upload.filename ?? undefined) === filename).map(({ id }) => id);
}

async function createUpload(
  context: RunContext,
  body: JsonObject,
  filename: string | undefined,
): Promise<FileUploadAnswer> {
  let answer: FileUploadAnswer | undefined;
  const id = await createOnce(context, 'create', {
    made: z.string(),
    before: z.array(z.string()),
    lookBefore: () => recentIds(context, filename),
    send: async () => {
      answer = await context.docs.createFileUpload(body);
      return answer.id;
    },
    find: async (before) => oneNew(before, await recentIds(context, filename)),
    what: 'the file upload',
  });
  return answer ?? context.docs.retrieveFileUpload(id);
}

export const createFileUpload = defineAction({
  id: 'DOCS_CREATE_FILE_UPLOAD',
  summary:
    'Starts a file upload: single_part (up to 20 MB), multi_part (paid workspaces) or external_url (imported from an address). Free workspaces: 5 MB and no multi_part.',
  effect: 'create',
  input: z.strictObject({
    mode: z.enum(['single_part', 'multi_part', 'external_url']).default('single_part'),
    filename: z
      .string()
      .refine((name) => Buffer.byteLength(name) <= 900, { error: 'is longer than 900 bytes' })
      .optional()
      .describe('Required for external_url.'),
    content_type: z
      .string()
      .optional()
      .describe('MIME type; required for multi_part when the filename has no extension.'),
    external_url: z
      .string()
      .refine((url) => isWebUrl(url) && url.startsWith('https:'), { error: 'is not a public https URL' })
      .optional()
      .describe('Public https URL; required when mode is external_url.'),
    number_of_parts: z.int().min(1).max(1000).optional().describe('Required when mode is multi_part.'),
  }),
  rules: [
    {
      text: 'external_url and filename are required when mode is external_url.',
      holds: (input) =>
        input.mode !== 'external_url' || (input.external_url !== undefined && input.filename !== undefined),
    },
    {
      text: 'number_of_parts is required when mode is multi_part.',
      holds: (input) => input.mode !== 'multi_part' || input.number_of_parts !== undefined,
    },
    {
      text: 'content_type is required for multi_part when filename has no extension.',
      holds: (input) =>
        input.mode !== 'multi_part' || input.content_type !== undefined || hasExtension(input.filename),
    },
    {
      text: 'external_url belongs to mode external_url only.',
      holds: (input) => input.mode === 'external_url' || input.external_url === undefined,
    },
    {
      text: 'number_of_parts belongs to mode multi_part only.',
      holds: (input) => input.mode === 'multi_part' || input.number_of_parts === undefined,
    },
  ],
  example: { mode: 'single_part', filename: 'plan.pdf', content_type: 'application/pdf' },
  run: (context, input) => {
    const body = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    return createUpload(context, body, input.filename);
  },
});
