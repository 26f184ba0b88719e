/** The action that sends the contents of a file upload. */
import { z } from 'zod';
import { workspaceId } from '../../contract/workspace/actions.ts';
import type { FileUploadAnswer } from '../client/answers.ts';
import { WorkspaceRefused } from '../client/failures.ts';
import type { RunContext } from '../context.ts';
import { defineAction } from '../define-action.ts';
import { boundedText } from '../inputs.ts';
import { ActionError, invalidInput } from '../failures.ts';
import { shown } from '../json-value.ts';

const mebibyte = 1024 * 1024;
const maxBytes = 20 * mebibyte;
/** Maximum characters of the base64 text. Chosen: four for every three bytes, and room for line ends and a prefix. */
const maxBase64 = 30 * mebibyte;

type Bytes = Uint8Array<ArrayBuffer>;
type FileInput = { name: string; storage_key?: string | undefined; s3key?: string | undefined };

/**
 * Decodes base64 text. Ignores white space and a `data:` prefix.
 * @throws ActionError INVALID_INPUT if the text is empty or not base64
 */
function decode(text: string): Bytes {
  const bare = text.replace(/^data:[^,]*,/, '').replace(/\s+/g, '');
  if (bare === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(bare) || bare.length % 4 === 1)
    throw invalidInput('file_content_base64: is not base64 text');
  return Uint8Array.from(Buffer.from(bare, 'base64'));
}

const whatToGive =
  'Give file_content_base64, or as file.storage_key the id of a file that came with a message. Paths and addresses are not read';
const otherPlaces = ['path', 'file_path', 'filepath', 'url', 'uri', 'file_url'];

/**
 * Reads the storage key of a stored file. The key must be a UUID, so that no path or URL is ever used as a key.
 * @returns the key; undefined if none is given
 * @throws ActionError INVALID_INPUT if the key is not a UUID, or if a path or URL is given
 */
function keyOf(file: FileInput): string | undefined {
  const place = otherPlaces.find((name) => Object.hasOwn(file, name));
  if (place !== undefined) throw invalidInput(`file.${place}: is not taken. ${whatToGive}`);
  const key = file.storage_key ?? file.s3key;
  if (key === undefined) return undefined;
  if (!z.uuid().safeParse(key).success)
    throw invalidInput(`file.storage_key: is ${shown(key)}, which is no storage key. ${whatToGive}`);
  return key;
}

/**
 * @returns the key of the conversation's file with this name
 * @throws ActionError INVALID_INPUT if there is no such file, or more than one
 */
async function keyByName({ files }: RunContext, { name }: FileInput): Promise<string> {
  const kept = await files.list();
  const [named, another] = kept.filter((file) => file.name === name);
  if (named !== undefined && another === undefined) return named.key;
  const known = kept.map((file) => `${file.name ?? 'without a name'} (${file.key})`).join(', ');
  throw invalidInput(
    known === ''
      ? `file_content_base64: is required where no stored file is meant. ${whatToGive}`
      : `file.storage_key: is required, since ${another === undefined ? 'no file' : 'more than one file'} of this conversation is named ${shown(name)}. Files: ${known}`,
  );
}

/**
 * Reads a stored file, by its storage key or, if none is given, by its name in the conversation.
 * @throws ActionError INVALID_INPUT if the key is invalid, if not exactly one file matches, or if the content of the
 * file is not stored or has more than `maxBytes`
 */
async function fromStorage(context: RunContext, file: FileInput): Promise<Bytes> {
  const key = keyOf(file) ?? (await keyByName(context, file));
  const stored = await context.files.read(key, maxBytes);
  if (stored === undefined)
    throw invalidInput(`file.storage_key: there is no stored file ${key}. ${whatToGive}`);
  const { content, size, error } = stored;
  if (content !== null) return content;
  if (size !== null && size > maxBytes) throw tooLarge(size);
  throw invalidInput(`file.storage_key: the file ${key} is not kept (${error ?? 'not fetched yet'})`);
}

const tooLarge = (bytes: number): ActionError =>
  invalidInput(
    `the file has ${bytes} bytes; one request takes at most 20 MB. Use mode multi_part and send it in parts`,
  );

/**
 * @throws ActionError INVALID_INPUT if the file is too large for one request, PLAN_LIMIT if it is larger than the
 * workspace allows; the failures of the workspace
 */
async function checkSize(context: RunContext, bytes: number): Promise<void> {
  if (bytes > maxBytes) throw tooLarge(bytes);
  if (bytes <= 5 * mebibyte) return;
  const workspaceMaxBytes = (await context.docs.retrieveSelf()).bot?.workspace_limits
    ?.max_file_upload_size_in_bytes;
  if (workspaceMaxBytes !== undefined && bytes > workspaceMaxBytes) {
    throw new ActionError(
      'PLAN_LIMIT',
      `The file has ${bytes} bytes; this workspace takes at most ${workspaceMaxBytes} bytes (free workspaces: 5 MB)`,
    );
  }
}

/** @throws ActionError INVALID_INPUT if the part number does not fit the upload */
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

/**
 * Completes an upload. The workspace refuses to complete an upload twice. If it refuses and the upload is complete
 * already, returns the upload.
 */
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
      .looseObject({
        name: boundedText.name.min(1),
        mimetype: boundedText.name.min(1),
        storage_key: boundedText.name
          .optional()
          .describe(
            'Id of a file that came with a message; its content is sent. In a conversation its name is enough, where one file has it.',
          ),
        s3key: boundedText.name.optional().describe('Another name of storage_key.'),
      })
      .describe('{"name":"plan.pdf","mimetype":"application/pdf"}, and storage_key for a stored file.'),
    part_number: z.int().min(1).optional().describe('From 1; required only for multi_part.'),
    file_content_base64: z
      .string()
      .max(maxBase64)
      .optional()
      .describe('The content as base64; used in preference to a stored file. Paths are not read.'),
  }),
  example: {
    file_upload_id: '4f0c8b7e-6b2a-4a52-9f41-0d1f4c3b2a10',
    file: { name: 'note.txt', mimetype: 'text/plain' },
    file_content_base64: 'SGVsbG8=',
  },
  run: async (context, { file_upload_id, file, part_number, file_content_base64 }) => {
    const bytes =
      file_content_base64 === undefined ? await fromStorage(context, file) : decode(file_content_base64);
    await checkSize(context, bytes.byteLength);
    const upload = await context.docs.retrieveFileUpload(file_upload_id);
    checkPart(upload, part_number);
    if (file_content_base64 === undefined && (upload.number_of_parts?.total ?? 1) > 1)
      throw invalidInput('a stored file is sent whole: make the upload with mode single_part');
    // An upload may be complete already, for example if an earlier attempt sent the contents and its response was lost.
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
