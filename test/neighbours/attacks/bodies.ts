/** Bodies: before it is known who sends them, compressed, slow, many in one. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, Attacker } from '../attack.ts';
import { rawCall } from './raw-call.ts';

const mebibyte = 1024 * 1024;
const app = 'src/api/serve-endpoints.ts';
const reading = 'src/api/read-body.ts';
const upload = '/v1/tools/docs/actions/DOCS_SEND_FILE_UPLOAD';
const noBudget = [reading, 'const maxBytesAtOnce = 56 * mebibyte;', 'const maxBytesAtOnce = 1e12;'] as const;

/** Sends the body in pieces of a MiB, as far as it is taken. */
async function sendLarge(attacker: Attacker, bytes: number): Promise<void> {
  const head = `POST ${upload} HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\nContent-Length: ${28 * mebibyte}\r\n\r\n`;
  const call = rawCall(attacker, head);
  const piece = Buffer.alloc(mebibyte, 0x20);
  const state = { answered: false };
  const answer = call.ended.then((status) => {
    state.answered = true;
    attacker.count(status);
  });
  for (let sent = 0; sent < bytes && !state.answered && !attacker.isOver; sent += mebibyte) {
    if (!call.socket.write(piece))
      await Promise.race([answer, new Promise((go) => call.socket.once('drain', go)), delay(1000)]);
  }
  // Held open: what was taken is held with it.
  await Promise.race([answer, delay(3000)]);
  call.socket.destroy();
}

export const bodies: readonly Attack[] = [
  {
    name: 'bodies-without-token',
    what: 'a caller without a token sends 20 MiB on each of 40 connections, again and again',
    run: async (attacker) => {
      await attacker.repeat(20, 40, () => sendLarge(attacker, 20 * mebibyte));
    },
    plant: {
      edits: [
        [app, 'await receiveBody(request, organizationId, maxBodyBytes);', ''],
        [
          app,
          'const caller = await callerOf(endpoint, request, visit, parts);',
          "if (endpoint.body !== undefined) await receiveBody(request, 'anybody', 1e9);\n    const caller = await callerOf(endpoint, request, visit, parts);",
        ],
        noBudget,
      ],
    },
  },
  {
    name: 'compressed-bodies',
    what: 'A sends 28 KB that are 28 MiB once they are inflated, 20 times a second',
    run: async (attacker) => {
      const body = gzipSync(Buffer.alloc(27 * mebibyte, 0x20));
      const headers = { 'content-encoding': 'gzip' };
      await attacker.repeat(20, 20, () =>
        attacker.call('POST', '/tools/docs/actions/DOCS_SEND_FILE_UPLOAD', { body, headers }),
      );
    },
    plant: {
      edits: [
        [
          reading,
          "import { createHash } from 'node:crypto';",
          "import { createHash } from 'node:crypto';\nimport { createGunzip } from 'node:zlib';",
        ],
        [
          reading,
          "if (encoding !== 'identity')\n    throw new PublicError('unsupported_media_type', { sentence: 'Send the body without compression.' });",
          '',
        ],
        [
          reading,
          "request.on('data', take)",
          "(encoding === 'identity' ? request : request.pipe(createGunzip())).on('data', take)",
        ],
        [reading, 'Number.isInteger(declared) && declared >= 0', 'declared < 0'],
        noBudget,
      ],
    },
  },
  {
    name: 'large-bodies',
    what: 'A sends chat messages of 12 MiB with a file in them, 6 at once',
    prepare: async (attacker) => {
      const { id } = await attacker.api.createAgent({
        model: 'scripted/default',
        script: [{ reply: 'taken' }],
      });
      attacker.target.given['agent'] = id;
    },
    run: async (attacker) => {
      const content_base64 = 'A'.repeat(12 * mebibyte);
      const body = JSON.stringify({ message: 'a file', attachments: [{ content_base64 }] });
      await attacker.repeat(20, 6, () =>
        attacker.call('POST', `/chat/${attacker.target.given['agent']}`, { body }),
      );
    },
    plant: {
      edits: [noBudget, ['src/api/admit.ts', 'const unitBytes = 32 * 1024;', 'const unitBytes = 1e12;']],
    },
  },
  {
    name: 'batches',
    what: 'A sends JSON-RPC batches of 500 calls to the MCP endpoint, 50 a second',
    run: async (attacker) => {
      const one = { jsonrpc: '2.0', method: 'tools/list' };
      const body = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ ...one, id })));
      const headers = { accept: 'application/json, text/event-stream' };
      await attacker.repeat(50, 20, () => attacker.call('POST', '/mcp', { body, headers }));
    },
    // The library refuses batches as well: it is given the members one by one.
    plant: {
      edits: [
        [
          'src/api/workspace/mcp.ts',
          'if (Array.isArray(value)) {',
          `if (Array.isArray(value)) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      for (const parsedBody of value) {
        const one = new globalThis.Request('http://localhost/', { method: 'POST', headers });
        await (await createMcpHandler(() => serverFor(caller, tools), { maxSubscriptions: 0 }).fetch(one, { parsedBody })).text();
      }`,
        ],
      ],
    },
  },
  {
    name: 'slow-bodies',
    what: 'A begins 100 calls a second whose bodies come byte by byte, and leaves those open that are refused',
    // A share of 80 calls.
    env: { MAX_CONNECTIONS: '400' },
    run: async (attacker) => {
      const { token } = attacker.target;
      const head = `POST /v1/agents HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 30000\r\n\r\n{`;
      const sockets: Socket[] = [];
      const drip = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write(' ');
      }, 500);
      attacker.atEnd(() => {
        clearInterval(drip);
        for (const socket of sockets) socket.destroy();
      });
      await attacker.repeat(100, 10_000, () => {
        const { socket, ended } = rawCall(attacker, head);
        sockets.push(socket);
        void ended.then((how) => {
          attacker.count(how);
        });
        return Promise.resolve();
      });
      attacker.count('open');
    },
    plant: { edits: [['src/api/admit.ts', '  shareOut(maxOpen);\n', '  shareOut(5 * maxOpen);\n']] },
  },
  {
    name: 'slow-heads',
    what: 'a caller without a token opens 6,000 connections, 1,000 a second, and never ends a head of a request',
    run: async (attacker) => {
      const sockets: Socket[] = [];
      attacker.atEnd(() => {
        for (const socket of sockets) socket.destroy();
      });
      await attacker.repeat(1000, 6000, () => {
        const { socket, ended } = rawCall(attacker, `POST ${upload} HTTP/1.1\r\nHost: parley\r\nX-Slow: `);
        sockets.push(socket);
        void ended.then((how) => {
          attacker.count(how);
        });
        return Promise.resolve();
      });
      attacker.count('open');
    },
    plant: {
      edits: [
        [
          'src/main-api.ts',
          'boundConnections(server, config.MAX_CONNECTIONS);',
          'server.maxConnections = config.MAX_CONNECTIONS;',
        ],
      ],
    },
  },
];
