/**
 * Receives callbacks and processes each one once, even after repeats, a crash or a restart.
 *
 * Parley attempts a callback once, but a proxy that retries, a queue of your own or a manual replay can still repeat
 * it. A callback can also be lost: `reconcile.ts` fetches the answers that did not arrive.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { callbackKey, readCallback, verifyCallback } from '../src/client/index.ts'; // in your project: '@parley/client'
import { openInbox } from './inbox.ts';
import { setting } from './settings.ts';

const inbox = openInbox(setting('RECEIVER_FILE', '.data/callbacks.sqlite'));
const secret = setting('RECEIVER_SECRET');
/** The secret of a webhook endpoint, `whsec_…`; `none`: signatures are not required. */
const signingSecret = setting('WEBHOOK_SECRET', 'none');
const maxBodyBytes = 4 * 1024 * 1024;

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      // Nothing was stored, and Parley does not retry: `reconcile.ts` reads the answer from the history.
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(setting('PORT', '4000')), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(`listening: http://127.0.0.1:${port}/callbacks/<RECEIVER_SECRET>`);
});

/** @returns the response status; 200 only after the callback is durable */
async function receive(request: IncomingMessage): Promise<number> {
  const given = /^\/callbacks\/([^/?]+)$/.exec(request.url ?? '')?.[1] ?? '';
  if (request.method !== 'POST' || !same(given, secret)) return 404;
  if (Number(request.headers['content-length'] ?? Infinity) > maxBodyBytes) return 413;
  const body = await text(request);
  const callback =
    signingSecret === 'none'
      ? readCallback(body) // Not signed: the secret in the path is the only proof.
      : (await verifyCallback(body, request.headers, signingSecret))?.callback;
  if (callback === undefined) return 400;
  const key = callbackKey(callback);
  const isNew = inbox.process(key, callback);
  console.log(`${isNew ? 'processed' : 'known already'}: ${key}`);
  return 200;
}

function same(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
