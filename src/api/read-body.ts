/**
 * Reads a body's bytes up to a limit and parses JSON. Refuses deep nesting, too many fields, and keys that could
 * pollute prototypes.
 */
import { createHash } from 'node:crypto';
import type express from 'express';
import { isUtf8 } from 'node:buffer';
import secureJson from 'secure-json-parse';
import type { z } from 'zod';
import { PublicError } from '../contract/errors.ts';
import { Limiter } from '../limits/limiter.ts';
import { JsonText, keepField } from '../contract/text.ts';
import { liftFiles, minFileChars, type Lifted } from './lift-files.ts';

const mebibyte = 1024 * 1024;
const defaultMaxBodyBytes = mebibyte;
/**
 * Maximum bytes of authenticated bodies that are read at once: two bodies of 28 MiB, the largest size. One organization
 * may use half. Chosen low: parsing and storing a body takes about five times its size in memory, which this limit does
 * not count.
 */
const maxBytesAtOnce = 56 * mebibyte;
/** Maximum bytes of bodies without authentication that are read at once, of all callers together. Chosen. */
const maxAnonymousBytes = 8 * mebibyte;

/** Limiters of the bytes that are read at once. A body without a declared length counts as its maximum bytes. */
const callers = new Limiter({ max: maxBytesAtOnce, maxPerOwner: maxBytesAtOnce / 2 });
const anonymous = new Limiter({ maxPerOwner: maxAnonymousBytes });

/**
 * Reads a body's bytes into `request.body`.
 * @param organizationId the caller's organization; undefined for a call without authentication
 * @param limit maximum bytes of the body
 * @throws PublicError unavailable if too many bytes are being read already; payload_too_large;
 * unsupported_media_type if the body is compressed; invalid_json if the caller disconnects
 */
export async function receiveBody(
  request: express.Request,
  organizationId: string | undefined,
  limit = defaultMaxBodyBytes,
): Promise<void> {
  const declared = Number(request.headers['content-length'] ?? limit);
  const bytes = Math.min(Number.isFinite(declared) ? declared : limit, limit);
  const release =
    organizationId === undefined
      ? anonymous.tryHold(undefined, bytes)
      : callers.tryHold(organizationId, bytes);
  if (release === undefined)
    throw new PublicError('unavailable', {
      sentence: 'Too many large bodies at once, so nothing was accepted. Try again.',
      retryAfterSeconds: 1,
    });
  try {
    request.body = await bytesOf(request, limit);
  } finally {
    release();
  }
}

/**
 * Reads the body.
 * @throws PublicError unsupported_media_type if it is compressed; payload_too_large above `limit` bytes; invalid_json
 * if the connection ends before the body
 */
async function bytesOf(request: express.Request, limit: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new PublicError('unsupported_media_type', { sentence: 'Send the body without compression.' });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new PublicError('payload_too_large');
  if (request.destroyed) throw new PublicError('invalid_json');
  // If the length is declared, copies the chunks into one buffer, so that the body is not in memory twice.
  const declared = Number(request.headers['content-length']);
  const whole = Number.isInteger(declared) && declared >= 0 ? Buffer.allocUnsafeSlow(declared) : undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const take = (chunk: Buffer) => {
    if (whole === undefined) chunks.push(chunk);
    else chunk.copy(whole, length);
    length += chunk.length;
    if (length > limit) reject(new PublicError('payload_too_large'));
  };
  const end = () => {
    resolve(whole?.subarray(0, length) ?? Buffer.concat(chunks, length));
  };
  // The caller has disconnected, so nobody receives this error.
  const fail = (cause?: Error) => {
    reject(new PublicError('invalid_json', cause && { cause }));
  };
  // `close` may also be emitted after the whole body was read, which is not an error.
  const close = () => {
    if (!request.readableEnded) fail();
  };
  request.on('data', take).once('end', end).once('error', fail).once('close', close);
  try {
    return await promise;
  } finally {
    // Removes the listeners, which would otherwise keep the body in memory until the call ends.
    request.off('data', take).off('end', end).off('error', fail).off('close', close).resume();
  }
}

/** Options for reading the body of an operation. By default, it may have 2000 fields and array elements. */
export interface BodyForm {
  maxBodyBytes: number;
  /** Schema that a body over 1 MiB must match; if absent, any body up to the maximum is accepted. */
  largeIf?: z.ZodType | undefined;
  maxKeys?: number;
  /**
   * True to take large files in fields `content_base64` out of the body before it is parsed. The parsed body contains
   * them as `FileBytes`.
   */
  takesFiles?: boolean;
}

export interface Body {
  value: unknown;
  hash: string;
}

/**
 * Parses a body that `receiveBody` has read, and drops its bytes: a second call throws invalid_json.
 * @returns the parsed body, and the SHA-256 of its bytes in hex
 * @throws PublicError unsupported_media_type; payload_too_large; invalid_json if the body is empty, not UTF-8 or not
 * JSON, or has a key that could pollute prototypes; validation_failed if it is nested too deeply, has too many fields,
 * or has a file in its metadata
 */
export function readBody(
  request: express.Request,
  { maxBodyBytes, largeIf, maxKeys, takesFiles = false }: BodyForm,
): Body {
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw new PublicError('invalid_json');
  if (request.is('application/json') === false) throw new PublicError('unsupported_media_type');
  if (bytes.length > maxBodyBytes) throw new PublicError('payload_too_large');
  if (!isUtf8(bytes)) throw new PublicError('invalid_json', { sentence: 'The body is not UTF-8.' });
  // Drops the bytes, so that their memory can be freed while the handler runs.
  request.body = undefined;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const lifted = takesFiles && bytes.length > minFileChars ? liftFiles(bytes) : undefined;
  const text = (lifted?.rest ?? bytes).toString('utf8');
  const parsed = parse(text);
  const message = shapeProblem(parsed, maxKeys);
  if (message !== undefined) throw new PublicError('validation_failed', { details: [{ path: '', message }] });
  // `metadata` stays JSON text, so that callers get it back unchanged. The check for prototypes does not apply to it.
  const value = keepField(text, parsed, 'metadata');
  refusePrototypes(value);
  const whole = lifted === undefined ? value : withFiles(lifted, value);
  if (bytes.length > mebibyte && largeIf?.safeParse(whole).success === false)
    throw new PublicError('payload_too_large');
  return { value: whole, hash };
}

/**
 * Puts the files back into a parsed body.
 * @throws PublicError validation_failed if the metadata contains a file, because a file exceeds the metadata's limit
 */
function withFiles({ isIn, restore }: Lifted, value: unknown): unknown {
  const kept = typeof value === 'object' && value !== null && 'metadata' in value && value.metadata;
  if (kept instanceof JsonText && isIn(kept.text))
    throw new PublicError('validation_failed', {
      details: [{ path: 'metadata', message: 'must be at most 16 KiB as JSON' }],
    });
  return restore(value);
}

/** @throws PublicError invalid_json if the text is not JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PublicError('invalid_json', { cause });
  }
}

/** @throws PublicError invalid_json if a field would change the prototype of an object */
function refusePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  try {
    secureJson.scan(value, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    throw new PublicError('invalid_json', { cause });
  }
}

/**
 * Maximum levels of nesting of a JSON value. Checked before a schema validates the value, because schemas validate
 * recursively. Chosen.
 */
const maxLevels = 40;
/** Maximum fields and array elements of a JSON value, over all levels, if the caller sets no other maximum. Chosen. */
const defaultMaxKeys = 2000;

/**
 * Checks the nesting of a JSON value and the number of its fields. Iterative, so that a hostile body cannot overflow
 * the stack.
 * @returns an error message for the sender; undefined if the value is within the limits
 */
export function shapeProblem(value: unknown, maxKeys = defaultMaxKeys): string | undefined {
  let keys = 0;
  let level: object[] = isNested(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxLevels) return `must be at most ${maxLevels} levels deep`;
    const next: object[] = [];
    for (const node of level) {
      const children: unknown[] = Array.isArray(node) ? node : Object.values<unknown>({ ...node });
      keys += children.length;
      if (keys > maxKeys) return `must have at most ${maxKeys} fields and elements in all`;
      for (const child of children) if (isNested(child)) next.push(child);
    }
    level = next;
  }
  return undefined;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
