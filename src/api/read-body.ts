/** The bytes of a body, capped → JSON. Refuses keys that would reach into prototypes. */
import { createHash } from 'node:crypto';
import express from 'express';
import secureJson from 'secure-json-parse';
import { PublicError } from '../contract/errors.ts';
import { shapeProblem } from './json-shape.ts';

const mebibyte = 1024 * 1024;
const defaultLargestBody = 16 * mebibyte;

/** Reads somewhat more than is taken, so that the refusal can be said in an answer. */
export const rawBody = (largest = defaultLargestBody) =>
  express.raw({ type: () => true, limit: largest + mebibyte });

export interface Body {
  value: unknown;
  hash: string;
}

/**
 * @param limit bytes that a body of this value may have
 * @param sizes what an operation allows beside the defaults
 * @throws PublicError unsupported_media_type, payload_too_large, invalid_json, validation_failed for its shape
 */
export function readBody(
  request: express.Request,
  limit: (value: unknown) => number,
  { largestBody: largest = defaultLargestBody, mostKeys }: { largestBody?: number; mostKeys?: number } = {},
): Body {
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw new PublicError('invalid_json');
  if (request.is('application/json') === false) throw new PublicError('unsupported_media_type');
  if (bytes.length > largest) throw new PublicError('payload_too_large');
  const value = parse(bytes.toString('utf8'));
  const message = shapeProblem(value, mostKeys);
  if (message !== undefined) throw new PublicError('validation_failed', { details: [{ path: '', message }] });
  if (bytes.length > mebibyte && bytes.length > limit(value)) throw new PublicError('payload_too_large');
  return { value, hash: createHash('sha256').update(bytes).digest('hex') };
}

function parse(text: string): unknown {
  try {
    return secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    throw new PublicError('invalid_json', { cause });
  }
}
