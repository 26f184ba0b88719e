/**
 * docs/permissions.md, tried: every operation with every single scope and every single capability. Those that the
 * table does not allow are answered with 403, and change no row of an organization that has something of every kind.
 * What is allowed is always tried. A sample tries each operation with a third of the rights that do not allow it.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { EndpointFor } from '../../../src/api/endpoint.ts';
import { consoleEndpoints } from '../../../src/api/endpoints/console.ts';
import { endpoints } from '../../../src/api/endpoints/index.ts';
import { createToken, hashToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { allCapabilities, type Capability } from '../../../src/contract/accounts/capabilities.ts';
import { tokenScopes, type TokenScope } from '../../../src/contract/accounts/token-scopes.ts';
import { toolDefinitions } from '../../../src/workspace/registry.ts';
import { ApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { makePerson, signIn } from '../../support/console-person.ts';
import { newVictim, RowsOfOrganizations, type Victim } from '../../support/isolation-victims.ts';
import { consoleBodies, operationBodies } from '../../support/operation-bodies.ts';
import { plainError } from '../../support/plain-error.ts';
import { drawnBy, isDrawn } from '../../support/sample.ts';
import { useUnlimitedStack } from '../../support/stack.ts';
import { unknownId } from '../../support/unknown-id.ts';

const codeOf = (answer: ApiAnswer) => (plainError(answer).body as { code?: string } | undefined)?.code;
const textOf = (answer: ApiAnswer) =>
  (plainError(answer).body as { error?: string } | undefined)?.error ?? '';
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** Deletes last, and ends the caller's own session at the very end, so that each call has what it needs. */
const inOrder = <T extends { method: string; path: string }>(operations: readonly T[]): T[] => {
  const rank = (one: T) => (one.path === '/sign-out' ? 2 : Number(one.method === 'delete'));
  return operations.toSorted((one, other) => rank(one) - rank(other));
};
const forTokens = inOrder(endpoints);
const forPeople = inOrder(
  consoleEndpoints.filter((one): one is EndpointFor<'session'> => one.auth === 'session'),
);

describe(`Permissions (${drawnBy})`, () => {
  const stack = useUnlimitedStack();
  let rows: RowsOfOrganizations;
  let victim: Victim;
  before(async () => {
    rows = new RowsOfOrganizations(stack());
    victim = await newVictim(stack());
  });
  after(async () => {
    await rows.close();
  });

  /** @param id of the path's parameter */
  type CallOne = (
    operation: { method: string; path: string; body?: unknown },
    id: string,
  ) => Promise<ApiAnswer>;

  /**
   * @param right what the caller has
   * @param mayCall whether the table allows the operation
   * @param names what a refusal names
   */
  async function tryAll<T extends { method: string; path: string }>(
    right: string,
    call: CallOne,
    operations: readonly T[],
    mayCall: (operation: T) => boolean,
    names: (operation: T) => RegExp = () => /./,
  ): Promise<void> {
    const before = await rows.of(victim.organizationId);
    const refused = operations.filter((one) => !mayCall(one) && isDrawn(`${right} ${nameOf(one)}`, 3));
    for (const operation of refused) {
      const id = operation.path.includes('{') ? victim.idFor(operation.path) : '';
      const answer = await call(operation, id);
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'forbidden'], nameOf(operation));
      assert.match(textOf(answer), names(operation));
    }
    assert.deepEqual(await rows.of(victim.organizationId), before);
    for (const operation of operations.filter(mayCall)) {
      const answer = await call(operation, unknownId);
      // 502: what is outside is not there, for a model provider and a workspace with made-up keys.
      assert.ok(![401, 403, 500].includes(answer.status), `${nameOf(operation)}: ${textOf(answer)}`);
    }
  }

  async function clientWith(scopes: readonly TokenScope[]): Promise<ApiClient> {
    const { organizationId } = victim;
    const { token } = await createToken(stack().db, { organizationId, name: 'scoped', scopes });
    return new ApiClient(stack().apiUrl, token);
  }
  const withToken =
    (client: ApiClient): CallOne =>
    async (operation, id) =>
      await client.call(operation.method.toUpperCase(), operation.path.replaceAll(/\{\w+\}/g, id), {
        body: operationBodies[nameOf(operation)],
      });

  const messages: [method: string, params: object][] = [
    [
      'initialize',
      { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    ],
    ['tools/list', {}],
    ...toolDefinitions().map(({ action }): [string, object] => [
      'tools/call',
      { name: action, arguments: {} },
    ]),
  ];
  const sendMcp = async (client: ApiClient, method: string, params: object) =>
    await client.call('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers: { accept: 'application/json, text/event-stream' },
    });

  for (const scope of tokenScopes) {
    it(`a token with ${scope} alone calls exactly the operations that require it`, async () => {
      const client = await clientWith([scope]);
      await tryAll(
        scope,
        withToken(client),
        forTokens,
        (one) => one.scope === scope && one.also === undefined,
        (one) => new RegExp(` ${one.scope === scope ? (one.also ?? '') : one.scope}\\.`),
      );
    });

    it(`an MCP client with ${scope} alone ${scope === 'tools.run' ? 'is served' : 'is refused'}, whatever message it sends`, async () => {
      const client = await clientWith([scope]);
      const before = await rows.of(victim.organizationId);
      for (const [place, [method, params]] of messages.entries()) {
        if (place > 1 && !isDrawn(`${scope} ${JSON.stringify(params)}`, 3)) continue;
        const answer = await sendMcp(client, method, params);
        assert.equal(answer.status, scope === 'tools.run' ? 200 : 403, JSON.stringify(params));
        if (scope !== 'tools.run') assert.ok(textOf(answer).includes(' tools.run.'), textOf(answer));
      }
      if (scope !== 'tools.run') assert.deepEqual(await rows.of(victim.organizationId), before);
    });
  }

  const personWith = async (capabilities: readonly Capability[]): Promise<CallOne> => {
    const { organizationId } = victim;
    const { call } = await signIn({ ...stack(), organizationId }, capabilities);
    return async ({ method, path }, id) => {
      const name = `${method} ${path}`;
      const endpoint = forPeople.find((one) => nameOf(one) === name);
      const body = consoleBodies[name] ?? operationBodies[name];
      assert.equal(
        endpoint?.body !== undefined,
        body !== undefined,
        `${name} needs its line in consoleBodies`,
      );
      return await call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, id), body);
    };
  };

  for (const held of [...allCapabilities, undefined])
    it(`a member with ${held === undefined ? 'no capability' : `${held} alone`} calls exactly the operations that require no other`, async () => {
      const call = await personWith(held === undefined ? [] : [held]);
      await tryAll(
        held ?? 'none',
        call,
        forPeople,
        ({ capability, also }) => (capability === 'member' || capability === held) && also === undefined,
      );
    });

  for (const held of [...allCapabilities.map((one) => [one]), ['tokens.create', 'tools.manage'] as const])
    it(`an MCP client by the consent of a member who now has ${held.join(' and ')} ${held.length > 1 ? 'is served' : 'alone is refused'}`, async () => {
      const { db, apiUrl } = stack();
      const { organizationId } = victim;
      const { email } = await makePerson({ db, organizationId }, held);
      const user = db.knex('console_users').where({ email }).select('id');
      const access = `mcp_${randomBytes(32).toString('base64url')}`;
      const later = new Date(Date.now() + 3_600_000);
      await db.knex('mcp_grants').insert({
        ...{ id: randomUUID(), organization_id: organizationId, user_id: user, expires_at: later },
        ...{ client_id: victim.idFor('/mcp-clients/'), resource: `${apiUrl}/mcp`, code_challenge: 'c' },
        ...{ redirect_uri: 'https://x.example/', code_hash: randomBytes(32), code_used_at: new Date() },
        ...{ access_hash: hashToken(access), access_expires_at: later },
      });
      const before = await rows.of(organizationId);
      const client = new ApiClient(apiUrl, access);
      for (const [method, params] of messages.slice(0, 3)) {
        const { status } = await sendMcp(client, method, params);
        assert.equal(status, held.length > 1 ? 200 : 401, method);
      }
      if (held.length === 1) assert.deepEqual(await rows.of(organizationId), before);
    });

  it('what requires a second scope or capability is allowed with both', async () => {
    const twice = [...forTokens.filter(({ also }) => also), ...forPeople.filter(({ also }) => also)];
    assert.equal(twice.length, 17, 'seven operations in both; two of MCP clients and a trial in the console');
    for (const operation of twice) {
      const also = operation.also ?? assert.fail();
      const call =
        operation.auth === 'token'
          ? withToken(await clientWith([operation.scope, also]))
          : await personWith([operation.capability, also].filter((one) => one !== 'member'));
      const answer = await call(operation, unknownId);
      assert.ok(answer.status !== 403 && answer.status < 500, `${nameOf(operation)}: ${answer.status}`);
    }
  });
});
