/** The callers' webhooks: record what arrives, and answer by the path, `/cb/<behaviour>/<message key>/<secret>`. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { readCallback } from '../support/receiver.ts';
import type { Hit } from './observed.ts';
import type { Behaviour } from './plan-load.ts';
import type { Random } from './random.ts';

export type ChaosReceiver = {
  host: string;
  url: (path: string) => string;
  hits: Hit[];
  /** Requests that have arrived and will be answered with 200, and are not yet. */
  inFlight: () => number;
  /** Connections that ended before the answer. */
  cut: () => number;
  redirectsFollowed: () => number;
  close: () => Promise<void>;
};

const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
const chunk = Buffer.alloc(256 * 1024, 'x');
const hugeBytes = 100 * 1024 * 1024;

function* hugeBody() {
  for (let left = hugeBytes; left > 0; left -= chunk.byteLength) yield chunk;
}

export async function startChaosReceiver(random: Random): Promise<ChaosReceiver> {
  const hits: Hit[] = [];
  const held = new Set<ServerResponse>();
  let cut = 0;
  let followed = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (part: Buffer) => chunks.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      if (path.startsWith('/elsewhere')) followed += 1;
      else hits.push(hitOf(path, Buffer.concat(chunks).toString('utf8')));
      const behaviour = path.split('/')[2] as Behaviour;
      const isHeld = behaviour === 'good' || behaviour === 'slow';
      if (isHeld) held.add(response);
      response.on('close', () => {
        held.delete(response);
        if (isHeld && !response.writableFinished) cut += 1;
      });
      void answer(response, behaviour, random).catch(() => undefined);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    hits,
    inFlight: () => held.size,
    cut: () => cut,
    redirectsFollowed: () => followed,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** @throws ZodError if a callback does not match the contract */
function hitOf(path: string, body: string): Hit {
  const at = Date.now();
  const callback = readCallback(body);
  const { event, conversation_id: conversationId, metadata } = callback;
  const shared = { at, path, event, conversationId, ...(metadata && { metadata }) };
  if (callback.event === 'message.error')
    return { ...shared, preTransfer: false, followUp: false, text: callback.error };
  return {
    ...shared,
    ...(callback.message_id !== undefined && { messageId: callback.message_id }),
    preTransfer: callback.pre_transfer === true,
    followUp: callback.followup === true,
    text: callback.response,
  };
}

async function answer(response: ServerResponse, behaviour: Behaviour, random: Random): Promise<void> {
  switch (behaviour) {
    case 'good':
      await delay(random.between(20, 220));
      response.end('ok');
      return;
    case 'slow':
      await delay(random.between(800, 2400));
      response.end('ok');
      return;
    case 'hang':
      return;
    case 'drip':
      response.writeHead(200);
      while (!response.destroyed) {
        response.write('.');
        await delay(400);
      }
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'status500':
      response.writeHead(500).end('no');
      return;
    case 'redirect':
      response.writeHead(307, { location: '/elsewhere' }).end();
      return;
    case 'gzipBomb':
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
      return;
    case 'endless':
      response.writeHead(200);
      await pipeline(Readable.from(hugeBody()), response);
      return;
    case 'badUtf8':
      response.end(Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]));
      return;
    case 'nul':
      response.end('a\0b');
  }
}
