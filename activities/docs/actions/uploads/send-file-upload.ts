import { z } from 'zod';
import type { FileUploadAnswer } from '../../../../src/adapters/docs-answers.ts';
import { WorkspaceRefused } from '../../../../src/adapters/docs-failures.ts';
import { workspaceId } from '../../../../src/contract/docs.ts';
import type { RunContext } from '../../context.ts';
import { defineAction } from '../../define-action.ts';
import { ActionError, invalidInput } from '../../failures.ts';

const mebibyte = 1024 * 1024;
const mostBytes = 20 * mebibyte;

function decode(text: string | undefined): Uint8Array<ArrayBuffer> {
  if (text === undefined)
    throw invalidInput('file_content_base64: is required; files are not fetched from storage or from paths');
  const bare = text.replace(/^data:[^,]*,/, '').replace(/\s+/g, '');
  if (bare === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(bare) || bare.length % 4 === 1)
    throw invalidInput('file_content_base64: is not base64 text');
  return Uint8Array.from(Buffer.from(bare, 'base64'));
}

async function checkSize(context: RunContext, bytes: number): Promise<void> {
  if (bytes > mostBytes)
    throw invalidInput(
      `the file has ${bytes} bytes; one request takes at most 20 MB. Use mode multi_part and send it in parts`,
    );
  if (bytes <= 5 * mebibyte) return;
  const most = (await context.docs.retrieveSelf()).bot?.workspace_limits?.max_file_upload_size_in_bytes;
  if (most !== undefined && bytes > most) {
    throw new ActionError(
      'PLAN_LIMIT',
      `The file has ${bytes} bytes; this workspace takes at most ${most} bytes (free workspaces: 5 MB)`,
    );
  }
}

function checkPart(upload: FileUploadAnswer, part: number | undefined): void {
  const parts = upload.number_of_parts?.total;
  if (parts === undefined && part !== undefined)
    throw invalidInput('part_number is given, and the upload is not multi_part; leave it out');
  if (parts !== undefined && part === undefined)
    throw invalidInput(
      `part_number is required: the upload is multi_part with ${parts} parts, numbered from 1`,
    );
  if (parts !== undefined && part !== undefined && part > parts)
    throw invalidInput(`part_number is ${part}; the upload has ${parts} parts`);
}

/** Completing twice is refused; that it is complete is then the answer. */
async function complete(context: RunContext, id: string): Promise<FileUploadAnswer> {
  try {
    return await context.docs.completeFileUpload(id);
  } catch (error) {
    if (!(error instanceof WorkspaceRefused)) throw error;
    const upload = await context.docs.retrieveFileUpload(id);
    if (upload.status !== 'uploaded') throw error;
    return upload;
  }
}

export const sendFileUpload = defineAction({
  id: 'DOCS_SEND_FILE_UPLOAD',
  summary:
    'Sends the contents of a file upload. After the last part of a multi_part upload, the upload is completed.',
  effect: 'send_part',
  input: z.strictObject({
    file_upload_id: workspaceId('The upload made by DOCS_CREATE_FILE_UPLOAD.'),
    file: z
      .looseObject({ name: z.string().min(1), mimetype: z.string().min(1) })
      .describe('{"name":"plan.pdf","mimetype":"application/pdf"}.'),
    part_number: z.int().min(1).optional().describe('From 1; required only for multi_part.'),
    file_content_base64: z.string().optional().describe('The content as base64.'),
  }),
  example: {
    file_upload_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    file: { name: 'note.txt', mimetype: 'text/plain' },
    file_content_base64: 'SGVsbG8=',
  },
  run: async (context, { file_upload_id, file, part_number, file_content_base64 }) => {
    const bytes = decode(file_content_base64);
    await checkSize(context, bytes.byteLength);
    const upload = await context.docs.retrieveFileUpload(file_upload_id);
    checkPart(upload, part_number);
    // An earlier attempt got through and only its answer was lost.
    if (upload.status === 'uploaded') {
      if (part_number === undefined) context.warn('The contents had been sent already.');
      return upload;
    }
    const data = new Blob([bytes], { type: file.mimetype });
    const sent = await context.docs.sendFileUpload(
      file_upload_id,
      { filename: file.name, data },
      part_number,
    );
    const parts = sent.number_of_parts;
    const last =
      parts !== null && parts !== undefined && parts.sent >= parts.total && sent.status === 'pending';
    return last ? complete(context, file_upload_id) : sent;
  },
});
