import { z } from 'zod';
import { maxText } from '../../../contract/workspace/actions.ts';
import type { FileUploadAnswer } from '../../client/answers.ts';
import type { JsonObject } from '../../../contract/workspace/actions.ts';
import { isWebUrl } from '../../blocks/rich-text.ts';
import type { RunContext } from '../../context.ts';
import { defineAction } from '../../define-action.ts';
import { ActionError } from '../../failures.ts';
import { oneNew } from '../../pages/create-page.ts';
import { createOnce, recorded } from '../../steps.ts';
import { StillInProgress } from '../../transient.ts';

const hasExtension = (name: string | undefined): boolean =>
  name !== undefined && /\.[A-Za-z0-9]+$/.test(name);

/** Ids of recent uploads with this name. The workspace adds an extension to a name without one. */
async function recentIds(context: RunContext, filename: string | undefined): Promise<string[]> {
  const { results } = await context.docs.listFileUploads({ page_size: 100 });
  const isNamed = (name: string | undefined) =>
    name === filename || (filename !== undefined && name?.startsWith(`${filename}.`) === true);
  return results.filter((upload) => isNamed(upload.filename ?? undefined)).map(({ id }) => id);
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

/** The workspace's guide "Importing external files" advises polling for about 45 seconds. */
const maxImportMs = 60_000;
const maxBetweenLooksMs = 10_000;

/**
 * The workspace downloads an external file after it has answered. Attempts poll for it, so that the wait occupies no
 * worker slot.
 * @throws StillInProgress while the import is pending and has time left
 */
async function importedUpload(context: RunContext, upload: FileUploadAnswer): Promise<JsonObject> {
  context.partial['file_upload_id'] = upload.id;
  const startedMs = await recorded(context, 'import/started', z.number(), () =>
    Promise.resolve(context.now().getTime()),
  );
  if (upload.status === 'failed') {
    const { message, code } = upload.file_import_result?.error ?? {};
    throw new ActionError(
      'VALIDATION_ERROR',
      `The workspace could not import the file${message == null ? '' : `: ${message}`}${code == null ? '' : ` (${code})`}. Check that the address is public and answers with a Content-Type and a Content-Length within the workspace's limit`,
    );
  }
  if (upload.status !== 'pending') return upload;
  const elapsedMs = context.now().getTime() - startedMs;
  if (elapsedMs < maxImportMs) throw new StillInProgress(Math.min(2000 + elapsedMs, maxBetweenLooksMs));
  return {
    ...upload,
    hint: 'The workspace is still importing the file. Read it with DOCS_RETRIEVE_FILE_UPLOAD until its status is uploaded before you attach it.',
  };
}

export const createFileUpload = defineAction({
  id: 'DOCS_CREATE_FILE_UPLOAD',
  summary:
    'Starts a file upload: single_part (up to 20 MB), multi_part (paid workspaces) or external_url (imported from an address; the action waits for the import for up to a minute). Free workspaces: 5 MB and no multi_part.',
  effect: 'create',
  input: z.strictObject({
    mode: z.enum(['single_part', 'multi_part', 'external_url']).default('single_part'),
    filename: z
      .string()
      .max(maxText.field)
      .refine((name) => Buffer.byteLength(name) <= 900, { error: 'is longer than 900 bytes' })
      .optional()
      .describe('Required for external_url.'),
    content_type: z
      .string()
      .max(maxText.name)
      .optional()
      .describe('MIME type; required for multi_part when the filename has no extension.'),
    external_url: z
      .string()
      .max(maxText.field)
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
  run: async (context, input) => {
    const body = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const upload = await createUpload(context, body, input.filename);
    return input.mode === 'external_url' ? await importedUpload(context, upload) : upload;
  },
});
