/** Files that are given by URL. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { loopbackCertificate, loopbackKey } from '../../support/receiver-certificate.ts';
import type { Attack } from '../attack.ts';

const mebibyte = 1024 * 1024;
const fetching = 'src/app/conversations/fetch-file.ts';

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

export const files: readonly Attack[] = [
  {
    name: 'files',
    what: 'A sends 2 messages a second with the addresses of 10 files of 15 MiB each',
    // The storage limit also bounds what is kept on disk.
    env: { STORAGE_LIMIT_MEGABYTES: '600' },
    prepare: async (attacker) => {
      const piece = Buffer.alloc(mebibyte, 'The quick brown fox. ');
      const server = createServer({ key: loopbackKey, cert: loopbackCertificate }, (_, response) => {
        attacker.count('fetched');
        response.writeHead(200, { 'content-type': 'application/octet-stream' });
        void (async () => {
          for (let sent = 0; sent < 15 && !response.destroyed; sent += 1)
            if (!response.write(piece)) await drained(response);
          response.end();
        })();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { id } = await attacker.api.createAgent({
        model: 'scripted/default',
        script: [{ reply: 'taken' }],
      });
      attacker.target.given['agent'] = id;
      attacker.target.given['files'] = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    run: async (attacker) => {
      const { given } = attacker.target;
      await attacker.repeat(2, 10, (number) => {
        const attachments = Array.from({ length: 10 }, (_, file) => ({
          url: `${given['files']}/${number}/${file}`,
        }));
        return attacker.call('POST', `/chat/${given['agent']}`, { body: { message: 'files', attachments } });
      });
    },
    // Whole in memory, as many at once as an organization has activities.
    plant: {
      edits: [
        [fetching, 'const pieceBytes = 256 * 1024;', 'const pieceBytes = 64 * 1024 * 1024;'],
        [fetching, 'const heldBytes = 4 * pieceBytes;', 'const heldBytes = 1;'],
        [fetching, 'export const maxFetchBytes = 8 * heldBytes;', 'export const maxFetchBytes = 1e12;'],
        [fetching, 'const maxRunBytes = 4 * maxFileBytes;', 'const maxRunBytes = 1e12;'],
      ],
    },
  },
];
