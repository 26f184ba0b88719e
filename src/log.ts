/**
 * Structured log on stdout, each line with the ids of its subject. Drops by key what could be a secret or a
 * customer's text.
 */
import { idsForLog } from './observability/ids.ts';
import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

const dropped = [
  'token',
  'secret',
  'password',
  'authorization',
  'api_key',
  'apiKey',
  'webhook_url',
  'url',
  'text',
  'message_text',
  'body',
];

export function createLog(name: string, level: string): Logger {
  return pino({
    name,
    level,
    redact: { paths: dropped.flatMap((key) => [key, `*.${key}`]), remove: true },
    mixin: idsForLog,
  });
}
