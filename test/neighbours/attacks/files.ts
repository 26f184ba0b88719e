/** Files that are fetched for a run, and held while a model is asked. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attack } from '../attack.ts';

const mebibyte = 1024 * 1024;
const perMessage = 10;

export const files: readonly Attack[] = [
  {
    name: 'files',
    what: 'A sends a message a second with 10 addresses of 15 MiB each',
    prepare: async (attacker) => {
      const piece = Buffer.alloc(mebibyte, 0x41);
      const server = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 15 * mebibyte });
        let left = 15;
        const send = () => {
          while (left > 0) {
            left -= 1;
            if (!response.write(piece)) {
              response.once('drain', send);
              return;
            }
          }
          response.end();
        };
        send();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { given } = attacker.target;
      given['files'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      given['agent'] = (await attacker.api.createAgent({ instructions: 'Read.' })).id;
    },
    run: async (attacker) => {
      const { given } = attacker.target;
      await attacker.repeat(1, 10, (number) =>
        attacker.call('POST', `/chat/${given['agent']}`, {
          body: {
            message: 'read these',
            attachments: Array.from({ length: perMessage }, (_, file) => ({
              url: `${given['files']}/${number}/${file}.pdf`,
            })),
          },
        }),
      );
    },
    plant: {
      edits: [
        ['src/adapters/db/transcript.ts', 'maxRunFileBytes = 16 * 1024 * 1024;', 'maxRunFileBytes = 1e12;'],
        [
          'activities/fetch-attachment.ts',
          'const maxRunBytes = 4 * maxFileBytes;',
          'const maxRunBytes = 1e12;',
        ],
        ['src/main-worker.ts', 'new ByteBudget(2 * maxRunFileBytes)', 'new ByteBudget(1e12)'],
        ['src/main-worker.ts', 'new ByteBudget(maxFetchBytes)', 'new ByteBudget(1e12)'],
      ],
    },
  },
];
