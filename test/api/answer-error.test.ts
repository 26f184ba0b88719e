/** The last resort: a defect is answered as a defect, and nothing of it leaves the process. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { answerError } from '../../src/api/answer-error.ts';
import type { ErrorCode } from '../../src/contract/error-table.ts';
import { promisedErrors } from '../support/promised-errors.ts';
import { PublicError } from '../../src/contract/errors.ts';
import { createLog } from '../../src/log.ts';

const internal = { error: 'Something went wrong on our side.', code: 'internal' };

describe('The response to an error', () => {
  let server: Server;
  let thrown: unknown;
  let url = '';
  before(async () => {
    const app = express();
    app.use(() => {
      throw thrown;
    });
    const handler: express.ErrorRequestHandler = (error, _request, response, _next) => {
      answerError(error, response, createLog('test', 'silent'));
    };
    server = createServer(app.use(handler)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => server.close());

  for (const [title, error] of [
    ['a defect', new TypeError('secret at /srv/app/file.ts with 10.0.0.7')],
    ['a database error of another kind', Object.assign(new Error('secret'), { code: '42P08' })],
    ['what is no error', 'secret'],
    ['a status of someone else’s', Object.assign(new Error('secret'), { status: 500 })],
  ] as const) {
    it(`500 internal for ${title}, without its message`, async () => {
      thrown = error;
      const response = await fetch(url);
      assert.deepEqual([response.status, await response.json()], [500, internal]);
    });
  }

  for (const code of Object.keys(promisedErrors) as ErrorCode[]) {
    it(`${promisedErrors[code][0]} ${code} with its sentence`, async () => {
      thrown = new PublicError(code, { cause: new Error('secret') });
      const response = await fetch(url);
      assert.deepEqual(
        [response.status, await response.json()],
        [promisedErrors[code][0], { error: promisedErrors[code][1], code }],
      );
    });
  }
});
