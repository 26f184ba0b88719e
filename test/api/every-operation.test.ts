/** Rules that each operation of the endpoint table follows. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { endpoints } from '../../src/api/endpoints/index.ts';
import type { ErrorCode } from '../../src/contract/error-table.ts';
import { deleteToken, makeTokenSecret, revokeToken } from '../../src/adapters/postgres/accounts/tokens.ts';
import type { ApiClient } from '../support/api-client.ts';
import { operationBodies } from '../support/operation-bodies.ts';
import { plainError } from '../support/plain-error.ts';
import { promisedErrors } from '../support/promised-errors.ts';
import { useUnlimitedStack } from '../support/stack.ts';
import { unknownId } from '../support/unknown-id.ts';

const operations = endpoints.map((endpoint) => ({
  ...endpoint,
  name: `${endpoint.method} ${endpoint.path}`,
  at: (id: string) => endpoint.path.replaceAll(/\{\w+\}/g, id),
}));
const error = (code: ErrorCode) => ({ error: promisedErrors[code][1], code });

describe('Every operation', () => {
  const stack = useUnlimitedStack();
  const call = async (...of: Parameters<ApiClient['call']>) => plainError(await stack().api.call(...of));

  for (const operation of operations) {
    const { name, method, at } = operation;
    const verb = method.toUpperCase();
    const body = operationBodies[name];
    describe(name, () => {
      describe('401', () => {
        const secret = makeTokenSecret().secret;
        const mistyped = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
        for (const [title, token] of [
          ['no token', null],
          ['a token in no form of ours', 'secret'],
          ['a token with a wrong checksum', mistyped],
          ['a token that was never made', secret],
        ] as const) {
          it(`answers ${title}`, async () => {
            const answer = await call(verb, at(unknownId), { token, body });
            assert.deepEqual([answer.status, answer.body], [401, error('unauthorized')]);
            assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
          });
        }
      });

      if (operation.params !== undefined) {
        it("404: another organization's identifier gets the same response as an unknown one", async () => {
          const { api } = stack();
          const theirs = (await stack().stranger()).api;
          const agent = await theirs.createAgent();
          const { conversation_id } = await theirs.send(agent.id, { message: 'private' });
          const before = await theirs.settled(conversation_id);
          const answers = [];
          for (const id of [unknownId, 'no-uuid', '%00', agent.id, agent.inbox_id, conversation_id]) {
            const { status, body: said, headers } = plainError(await api.call(verb, at(id), { body }));
            const names = [...headers.keys()].sort();
            answers.push({ status, said, names });
          }
          const [first] = answers;
          assert.equal(first?.status, 404);
          assert.deepEqual(first.said, error('not_found'));
          for (const answer of answers) assert.deepEqual(answer, first);
          assert.deepEqual(await theirs.messages(conversation_id), before);
          assert.equal((await theirs.call('GET', `/agents/${agent.id}`)).status, 200);
        });
      }

      if (operation.body !== undefined) {
        it('has a body in operation-bodies.ts', () => {
          assert.notEqual(body, undefined);
        });

        it('400: a body that is not JSON', async () => {
          for (const text of ['', '{', '{"message": "a"', 'null x', '\u0000']) {
            const answer = await call(verb, at(unknownId), {
              body: text,
              headers: { 'content-type': 'application/json' },
            });
            assert.deepEqual([answer.status, answer.body], [400, error('invalid_json')], text);
          }
        });

        it('400: a key that would reach prototypes', async () => {
          const text = '{"message": "a", "name": "a", "__proto__": {"admin": true}}';
          const answer = await call(verb, at(unknownId), { body: text });
          assert.deepEqual([answer.status, answer.body], [400, error('invalid_json')]);
        });

        it('415: a body that is not application/json', async () => {
          for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json5']) {
            const answer = await call(verb, at(unknownId), {
              body: JSON.stringify(body),
              headers: { 'content-type': type },
            });
            assert.deepEqual([answer.status, answer.body], [415, error('unsupported_media_type')], type);
          }
        });

        it('413: a body over 1 MiB', async () => {
          const text = JSON.stringify({ ...(body as object), pad: 'x'.repeat(1024 * 1024) });
          const answer = await call(verb, at(unknownId), { body: text });
          assert.deepEqual([answer.status, answer.body], [413, error('payload_too_large')]);
        });

        it('422: names an unknown field by its own name', async () => {
          const answer = await call(verb, at(unknownId), {
            body: { ...(body as object), surprise: 1 },
          });
          assert.deepEqual(answer.body, {
            ...error('validation_failed'),
            details: [{ path: 'surprise', message: 'is not a known field' }],
          });
          assert.equal(answer.status, 422);
        });

        it('422: a body that is not an object', async () => {
          for (const value of [[], 'text', 7, null, true]) {
            const answer = await call(verb, at(unknownId), { body: JSON.stringify(value) });
            assert.equal(answer.status, 422, JSON.stringify(value));
          }
        });

        it('422: more fields than the operation allows', async () => {
          const most = operation.maxKeys ?? 2000;
          const pad = Object.fromEntries(Array.from({ length: most }, (_, index) => [index, 1]));
          const answer = await call(verb, at(unknownId), { body: { ...(body as object), pad } });
          assert.deepEqual(answer.body, {
            ...error('validation_failed'),
            details: [{ path: '', message: `must have at most ${most} fields and elements in all` }],
          });
        });

        it('422: many invalid fields, of which the first hundred are named', async () => {
          const many = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`no${index}`, 1]));
          const answer = await call(verb, at(unknownId), {
            body: { ...(body as object), ...many },
          });
          const { details } = answer.body as { details: unknown[] };
          assert.deepEqual([answer.status, details.length], [422, 100]);
        });

        it('422: an extremely deeply nested body, and the API stays up', async () => {
          const depth = 100_000;
          for (const bomb of [
            `{"message": ${'['.repeat(depth)}${']'.repeat(depth)}}`,
            `{"metadata": ${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
          ]) {
            const answer = await call(verb, at(unknownId), { body: bomb });
            assert.ok(answer.status === 422 || answer.status === 400, String(answer.status));
          }
          assert.equal((await call('GET', '/agents')).status, 200);
        });
      }

      if (operation.query instanceof z.ZodObject && 'limit' in operation.query.shape) {
        it('422: an invalid query parameter, by name', async () => {
          for (const [query, path] of [
            ['limit=0', 'limit'],
            ['limit=101', 'limit'],
            ['limit=1.5', 'limit'],
            ['limit=many', 'limit'],
            ['limit=', 'limit'],
            ['limit=1&limit=2', 'limit'],
            ['cursor=never-given', 'cursor'],
            ['surprise=1', 'surprise'],
          ]) {
            const path404 = operation.params !== undefined;
            const agent = path404 ? await stack().api.createAgent() : undefined;
            const sent = agent && (await stack().api.send(agent.id, { message: 'a' }));
            const id = operation.path.startsWith('/agents') ? agent?.id : sent?.conversation_id;
            const answer = await call(verb, `${at(id ?? '')}?${query}`);
            const { details } = answer.body as { details: { path: string }[] };
            assert.deepEqual([answer.status, details.map((one) => one.path)], [422, [path]], query);
          }
        });
      }

      it('405: an unsupported method, with the supported ones in Allow', async () => {
        const answer = await call('OPTIONS', at(unknownId));
        const taken = answer.status === 405 ? answer.headers.get('allow')?.split(', ') : undefined;
        assert.ok(taken?.includes(verb), `${answer.status}`);
      });
    });
  }

  for (const [title, end] of [
    ['revoked', revokeToken],
    ['deleted', deleteToken],
  ] as const) {
    it(`refuses a ${title} token within a second`, async () => {
      const { api, tokenId } = await stack().stranger();
      assert.equal((await api.call('GET', '/agents')).status, 200);
      await end(stack().db, tokenId);
      const since = performance.now();
      // Each of several API processes may accept it for a second.
      let accepted = 0;
      for (let asked = 0; asked < 1500; asked = performance.now() - since)
        if ((await api.call('GET', '/agents')).status !== 401) accepted = asked;
      assert.ok(accepted < 1000, `accepted ${accepted} ms later`);
      for (const { method, name, at } of operations) {
        const answer = plainError(
          await api.call(method.toUpperCase(), at(unknownId), { body: operationBodies[name] }),
        );
        assert.deepEqual([answer.status, answer.body], [401, error('unauthorized')], name);
      }
    });
  }

  it('404: an unknown path, with and without a token', async () => {
    for (const path of ['/nothing', '/Agents', '/agents/a/b/c', '/agents/%E0%A4%A'] as const) {
      const answer = await call('GET', path);
      assert.deepEqual([answer.status, answer.body], [404, error('not_found')], path);
    }
  });
});
