/**
 * Creates the structured log on stdout. A line that is logged during a request or an activity contains the ids of that
 * request or activity. Fields that may contain secrets or a customer's text are removed from the top two levels of the
 * line's object.
 */
import { idsForLog } from './observability/spans.ts';
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
