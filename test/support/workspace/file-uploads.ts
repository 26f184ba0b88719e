/** Routes of file uploads: create, send, complete, retrieve, list. */
import { trashFields } from './block-answer.ts';
import { bodyOf, listing, onlyKeys, type Call, type Handler } from './call.ts';
import { invalid, notFound, shouldBe } from './errors.ts';
import { requireUrl } from './files.ts';
import { formParts, type FormPart } from './multipart.ts';
import { requireId } from './ids.ts';
import { asString, type JsonObject } from './json.ts';
import type { Upload } from './state.ts';
import { expiryOf, settle } from './upload-state.ts';

const megabyte = 1_048_576;

function showUpload(call: Call, upload: Upload): JsonObject {
  const expiry = expiryOf(upload);
  const address = `${call.world.url}/v1/file_uploads/${upload.id}`;
  const pending = upload.status === 'pending';
  const sent = upload.parts === null ? 0 : Object.keys(upload.parts.sent).length;
  return {
    object: 'file_upload',
    id: upload.id,
    created_time: new Date(upload.createdAt).toISOString(),
    created_by: { id: upload.bot, type: 'bot' },
    last_edited_time: new Date(upload.editedAt).toISOString(),
    in_trash: false,
    expiry_time: expiry === null ? null : new Date(expiry).toISOString(),
    status: upload.status,
    filename: upload.filename,
    content_type: upload.contentType,
    content_length: upload.length,
    ...(pending && upload.mode !== 'external_url' ? { upload_url: `${address}/send` } : {}),
    ...(pending && upload.mode === 'multi_part' ? { complete_url: `${address}/complete` } : {}),
    ...(upload.parts === null ? {} : { number_of_parts: { total: upload.parts.total, sent } }),
    ...(upload.importResult === null ? {} : { file_import_result: upload.importResult }),
    ...trashFields(call, { inTrash: false }),
  };
}

const types: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  zip: 'application/zip',
};

function typeOf(filename: string | null): string | null {
  const ending = /\.([A-Za-z0-9]+)$/.exec(filename ?? '')?.[1]?.toLowerCase();
  return ending === undefined ? null : (types[ending] ?? 'application/octet-stream');
}

export const createUpload: Handler = (call) => {
  const body = bodyOf(call);
  onlyKeys(body, ['mode', 'filename', 'content_type', 'number_of_parts', 'external_url'], 'body');
  const mode = body['mode'] ?? 'single_part';
  if (mode !== 'single_part' && mode !== 'multi_part' && mode !== 'external_url') {
    throw shouldBe('body.mode', '`"single_part"`, `"multi_part"`, `"external_url"` or `undefined`', mode);
  }
  const filename = body['filename'];
  if (filename !== undefined && typeof filename !== 'string')
    throw shouldBe('body.filename', 'a string or `undefined`', filename);
  if (Buffer.byteLength(filename ?? '') > 900)
    throw shouldBe('body.filename.length', '≤ `900`', Buffer.byteLength(filename ?? ''));
  const contentType = asString(body['content_type']) || typeOf(filename ?? null);
  const upload: Upload = {
    id: call.world.newId(),
    workspace: call.bot.workspace,
    bot: call.bot.id,
    createdAt: call.world.now(),
    editedAt: call.world.now(),
    mode,
    status: 'pending',
    filename: filename ?? null,
    contentType,
    length: null,
    attached: false,
    parts: null,
    importing: null,
    importResult: null,
    bytes: new Uint8Array(),
  };
  if (mode === 'multi_part') startParts(call, upload, body);
  else if (body['number_of_parts'] !== undefined)
    throw shouldBe('body.number_of_parts', 'not present', body['number_of_parts']);
  if (mode === 'external_url') importUrl(call, upload, body);
  else if (body['external_url'] !== undefined)
    throw shouldBe('body.external_url', 'not present', body['external_url']);
  call.world.state.uploads.set(upload.id, upload);
  return showUpload(call, upload);
};

function startParts(call: Call, upload: Upload, body: JsonObject): void {
  if (call.world.state.workspaces.get(call.bot.workspace)?.paid !== true) {
    throw invalid(
      'Multi-part file uploads are not supported on the free plan. Please upgrade your workspace.',
    );
  }
  const total = body['number_of_parts'];
  if (typeof total !== 'number' || !Number.isInteger(total))
    throw shouldBe('body.number_of_parts', 'defined', total);
  if (total < 1 || total > 10_000)
    throw shouldBe('body.number_of_parts', total < 1 ? '≥ `1`' : '≤ `10000`', total);
  if (upload.filename === null) throw shouldBe('body.filename', 'defined', undefined);
  if (upload.contentType === null) throw shouldBe('body.content_type', 'defined', undefined);
  upload.parts = { total, sent: {} };
}

/** The import ends later, at a read: the creation always answers `pending`. */
function importUrl(call: Call, upload: Upload, body: JsonObject): void {
  const url = requireUrl(body['external_url'], 'body.external_url', 'Invalid external_url.');
  if (!url.startsWith('https://')) throw shouldBe('body.external_url', 'an https URL', url);
  upload.filename ??= decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || null;
  upload.contentType ??= typeOf(upload.filename);
  if (upload.filename === null || upload.contentType === null)
    throw shouldBe('body.filename', 'defined', undefined);
  upload.importing = { url, endsAt: call.world.now() + call.world.settings.importMs };
}

function ownUpload(call: Call): Upload {
  const id = requireId(call.params['file_upload_id'], 'path.file_upload_id');
  const upload = call.world.state.uploads.get(id);
  if (upload?.bot !== call.bot.id) throw notFound('file_upload', id, call.bot);
  settle(call.world, upload);
  return upload;
}

export const sendUpload: Handler = (call) => {
  const upload = ownUpload(call);
  const { file, part } = formOf(call);
  if (upload.status !== 'pending')
    throw invalid(`File upload has a status of ${upload.status}; only a pending one can be sent.`);
  if (upload.mode === 'external_url') throw invalid('A file upload of mode external_url takes no contents.');
  const bytes = new Uint8Array(file.bytes);
  if (bytes.length > 20 * megabyte) throw invalid(`File part of ${bytes.length} bytes is larger than 20 MB.`);
  const limit = call.world.state.workspaces.get(call.bot.workspace)?.uploadLimit ?? 5 * megabyte;
  if (
    upload.contentType !== null &&
    file.type !== '' &&
    file.type.split(';')[0] !== upload.contentType.split(';')[0]
  ) {
    throw invalid(
      `Provided file content type ${file.type} does not match the content type ${upload.contentType} of the file upload.`,
    );
  }
  if (upload.parts !== null) return sendPart(call, upload, bytes, part);
  if (part !== undefined) throw shouldBe('body.part_number', 'not present', part);
  if (bytes.length > limit)
    throw invalid(`File of ${bytes.length} bytes is larger than the workspace limit of ${limit} bytes.`);
  upload.filename ??= file.filename ?? null;
  upload.contentType ??= file.type === '' ? typeOf(file.filename ?? null) : file.type;
  finish(call, upload, bytes);
  return showUpload(call, upload);
};

function formOf(call: Call): { file: FormPart; part: string | undefined } {
  if (!call.contentType.startsWith('multipart/form-data')) {
    throw invalid('Content-Type should be multipart/form-data with a file.');
  }
  const parts = formParts(call.raw, call.contentType) ?? [];
  const file = parts.find((part) => part.name === 'file');
  if (file === undefined) throw shouldBe('body.file', 'defined', undefined);
  return { file, part: parts.find((part) => part.name === 'part_number')?.bytes.toString() };
}

function sendPart(call: Call, upload: Upload, bytes: Uint8Array, part: string | undefined): JsonObject {
  const total = upload.parts?.total ?? 0;
  const number = Number(part);
  if (part === undefined) throw shouldBe('body.part_number', 'defined', undefined);
  if (!Number.isInteger(number) || number < 1 || number > total) {
    throw shouldBe('body.part_number', `between \`1\` and \`${total}\``, part);
  }
  if (number < total && bytes.length < 5 * megabyte)
    throw invalid('Every part but the last must be at least 5 MB.');
  if (upload.parts !== null) upload.parts.sent[part] = bytes.length;
  upload.editedAt = call.world.now();
  return showUpload(call, upload);
}

function finish(call: Call, upload: Upload, bytes: Uint8Array): void {
  upload.status = 'uploaded';
  upload.length = bytes.length;
  upload.bytes = bytes;
  upload.editedAt = call.world.now();
}

export const completeUpload: Handler = (call) => {
  const upload = ownUpload(call);
  if (upload.parts === null) throw invalid('Only a file upload of mode multi_part can be completed.');
  if (upload.status !== 'pending')
    throw invalid(`File upload has a status of ${upload.status}; only a pending one can be completed.`);
  const sent = Object.values(upload.parts.sent);
  if (sent.length < upload.parts.total) {
    throw invalid(`File upload has ${sent.length} of ${upload.parts.total} parts; send the others first.`);
  }
  upload.status = 'uploaded';
  upload.length = sent.reduce((sum, each) => sum + each, 0);
  upload.editedAt = call.world.now();
  return showUpload(call, upload);
};

export const retrieveUpload: Handler = (call) => showUpload(call, ownUpload(call));

/** Newest first, of this connection. */
export const listUploads: Handler = (call) => {
  const status = call.query.get('status');
  const own = [...call.world.state.uploads.values()].filter((upload) => upload.bot === call.bot.id);
  for (const upload of own) settle(call.world, upload);
  return listing(call, {
    items: own.filter((upload) => status === null || upload.status === status).reverse(),
    idOf: (upload) => upload.id,
    show: (upload) => showUpload(call, upload),
    type: 'file_upload',
    from: 'query',
  });
};
