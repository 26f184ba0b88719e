/** The actions that start, list and read file uploads. */
import { z } from 'zod';
import { type JsonObject, workspaceId, paging } from '../../contract/workspace/actions.ts';
import { isWebUrl } from '../blocks/rich-text.ts';
import type { FileUploadAnswer } from '../client/answers.ts';
import { listResult } from '../compact.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { boundedText } from '../inputs.ts';
import { ActionError, StillInProgress } from '../failures.ts';
import { createObjectOnce, recorded } from '../steps.ts';

const hasExtension = (name: string | undefined): boolean =>
  name !== undefined && /\.[A-Za-z0-9]+$/.test(name);

/**
 * Searches the 100 newest uploads.
 * @returns the ids of the uploads that have this name, or this name with an extension that the workspace added; without
 * a name, the ids of the uploads without a name
 */
async function recentIds(context: RunContext, filename: string | undefined): Promise<string[]> {
  const { results } = await context.docs.listFileUploads({ page_size: 100 });
  const isNamed = (name: string | undefined) =>
    name === filename || (filename !== undefined && name?.startsWith(`${filename}.`) === true);
  return results.filter((upload) => isNamed(upload.filename ?? undefined)).map(({ id }) => id);
}

/**
 * Maximum milliseconds for which the action waits for an import. Chosen: the workspace's guide "Importing external
 * files" advises polling for about 45 seconds.
 */
const maxImportMs = 60_000;
const maxBetweenLooksMs = 10_000;

/**
 * Checks whether the workspace has imported an external file. The import continues after the response to the create
 * request. Each attempt checks once, so that the wait occupies no worker slot.
 * @returns the upload; if the import is still in progress after `maxImportMs`, the upload with a hint
 * @throws StillInProgress if the import is in progress and `maxImportMs` have not passed; ActionError VALIDATION_ERROR
 * if the import failed
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
    filename: boundedText.field
      .refine((name) => Buffer.byteLength(name) <= 900, { error: 'is longer than 900 bytes' })
      .optional()
      .describe('Required for external_url.'),
    content_type: boundedText.name
      .optional()
      .describe('MIME type; required for multi_part when the filename has no extension.'),
    external_url: boundedText.field
      .refine((url) => isWebUrl(url) && url.startsWith('https:'), { error: 'is not a public https URL' })
      .optional()
      .describe('Public https URL; required when mode is external_url.'),
    number_of_parts: z.int().min(1).max(1000).optional().describe('Required when mode is multi_part.'),
  }),
  rules: {
    'external_url and filename are required when mode is external_url.': (input) =>
      input.mode !== 'external_url' || (input.external_url !== undefined && input.filename !== undefined),
    'number_of_parts is required when mode is multi_part.': (input) =>
      input.mode !== 'multi_part' || input.number_of_parts !== undefined,
    'content_type is required for multi_part when filename has no extension.': (input) =>
      input.mode !== 'multi_part' || input.content_type !== undefined || hasExtension(input.filename),
    'external_url belongs to mode external_url only.': (input) =>
      input.mode === 'external_url' || input.external_url === undefined,
    'number_of_parts belongs to mode multi_part only.': (input) =>
      input.mode === 'multi_part' || input.number_of_parts === undefined,
  },
  example: { mode: 'single_part', filename: 'plan.pdf', content_type: 'application/pdf' },
  run: async (context, input) => {
    const upload = await createObjectOnce(context, 'create', {
      lookalikes: () => recentIds(context, input.filename),
      send: () => context.docs.createFileUpload(input),
      read: (id) => context.docs.retrieveFileUpload(id),
      what: 'the file upload',
    });
    return input.mode === 'external_url' ? await importedUpload(context, upload) : upload;
  },
});

export const retrieveFileUpload = defineAction({
  id: 'DOCS_RETRIEVE_FILE_UPLOAD',
  summary: 'Reads a file upload: pending, uploaded, expired or failed.',
  effect: 'read',
  input: z.strictObject({ file_upload_id: workspaceId('The upload (UUID).') }),
  example: { file_upload_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10' },
  run: ({ docs }, { file_upload_id }) => docs.retrieveFileUpload(file_upload_id),
});

export const listFileUploads = defineAction({
  id: 'DOCS_LIST_FILE_UPLOADS',
  summary: 'Lists the file uploads of the current integration, newest first.',
  effect: 'read',
  input: z.strictObject({
    ...paging,
    status: z.enum(['pending', 'uploaded', 'expired', 'failed']).optional(),
  }),
  example: { page_size: 20 },
  run: async ({ docs }, query) => listResult(await docs.listFileUploads(query)),
});
