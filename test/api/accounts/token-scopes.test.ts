/**
 * The rights of a token that is bound to an agent, and the scopes that operations require in some calls only;
 * permissions.test.ts tries every scope.
 */
import assert from 'node:assert/strict';
import { endpoints } from '../../../src/api/endpoints/index.ts';
import { inTransaction } from '../../../src/adapters/postgres/database.ts';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import {
  capabilityOfScope,
  tokenScopes,
  type TokenScope,
} from '../../../src/contract/accounts/token-scopes.ts';
import { allCapabilities, type Capability } from '../../../src/contract/accounts/capabilities.ts';
import { ApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { signIn } from '../../support/console-person.ts';
import { insertApproval, RowsOfOrganizations } from '../../support/isolation-victims.ts';
import { operationBodies } from '../../support/operation-bodies.ts';
import { plainError } from '../../support/plain-error.ts';
import { useSharedStack } from '../../support/stack.ts';
import { unknownId } from '../../support/unknown-id.ts';
import { until } from '../../support/until.ts';

/** Reads first and deletes last, so that each call finds what it names. */
const destructive = (method: string) => Number(method === 'delete');
const operations = endpoints
  .map((endpoint) => ({ ...endpoint, name: `${endpoint.method} ${endpoint.path}` }))
  .sort((one, other) => destructive(one.method) - destructive(other.method));
type Operation = (typeof operations)[number];

const codeOf = (answer: ApiAnswer) => (plainError(answer).body as { code?: string } | undefined)?.code;
const textOf = ({ body }: ApiAnswer) => (body as { error?: string }).error ?? '';

describe('Scopes of API tokens', () => {
  const stack = useSharedStack();
  let rows: RowsOfOrganizations;
  before(() => {
    rows = new RowsOfOrganizations(stack());
  });
  after(async () => {
    await rows.close();
  });

  async function newToken(
    organizationId: string,
    access: { scopes?: readonly TokenScope[]; agentIds?: readonly string[]; expiresInDays?: number },
  ): Promise<ApiClient> {
    const { token } = await createToken(stack().db, { organizationId, name: 'scoped', ...access });
    return new ApiClient(stack().apiUrl, token);
  }

  const callWith = async (client: ApiClient, { method, path, name, agents }: Operation, id: string) => {
    const body = operationBodies[name];
    return await client.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, id), {
      body: agents === 'body' ? { ...(body as object), model: id } : body,
    });
  };

  async function callMcp(client: ApiClient): Promise<ApiAnswer> {
    return await client.call('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      headers: { accept: 'application/json, text/event-stream' },
    });
  }

  describe('of a token that is bound to an agent', () => {
    type Ground = Record<'agentId' | 'deletedId' | 'conversationId' | 'messageId' | 'approvalId', string>;
    let organizationId: string;
    let own: Ground;
    let other: Ground;
    let client: ApiClient;
    before(async () => {
      const stranger = await stack().stranger();
      ({ organizationId } = stranger);
      const ground = async (): Promise<Ground> => {
        const { id: agentId } = await stranger.api.createAgent({ script: [{ reply: 'ok' }] });
        const { id: deletedId } = await stranger.api.createAgent();
        await stranger.api.call('DELETE', `/agents/${deletedId}`);
        const { conversation_id: conversationId } = await stranger.api.send(agentId, {
          message: 'a',
          webhook_url: stack().receiver.url('/bound'),
        });
        const messages = await stranger.api.settled(conversationId);
        await until('the callback to be delivered', async () => {
          const [delivery] = await stranger.api.deliveries({ conversation_id: conversationId });
          return delivery?.status === 'delivered';
        });
        const run = await stack()
          .db.knex<Record<string, string>>('runs')
          .where({ conversation_id: conversationId })
          .first();
        const approvalId = await insertApproval(stack().db, run!['id']!);
        return { agentId, deletedId, conversationId, messageId: messages[0]!.id, approvalId };
      };
      own = await ground();
      other = await ground();
      client = await newToken(organizationId, { agentIds: [own.agentId, own.deletedId] });
    });

    const idFor = (
      { path }: Operation,
      { agentId, deletedId, conversationId, messageId, approvalId }: Ground,
    ) => {
      if (path.startsWith('/deleted-agents/')) return deletedId;
      if (path.startsWith('/messages/')) return messageId;
      if (path.startsWith('/approvals/')) return approvalId;
      return path.includes('onversation') ? conversationId : agentId;
    };

    it('refuses every operation on another agent, on what does not exist, and on the whole organization', async () => {
      const before = await rows.of(organizationId);
      for (const operation of operations.filter(({ agents }) => agents !== 'list')) {
        const ids = operation.agents === 'organization' ? [own] : [other];
        for (const id of [...ids.map((ground) => idFor(operation, ground)), unknownId]) {
          const answer = await callWith(client, operation, id);
          assert.deepEqual([answer.status, codeOf(answer)], [403, 'forbidden'], operation.name);
        }
      }
      assert.equal((await callMcp(client)).status, 403);
      const transfers = { body: { transfers_to: [other.agentId] } };
      assert.equal((await client.call('PATCH', `/agents/${own.agentId}`, transfers)).status, 403);
      assert.deepEqual(await rows.of(organizationId), before);
    });

    it('returns only what belongs to its agent in lists', async () => {
      const lists = operations.filter(({ agents }) => agents === 'list');
      assert.equal(lists.length, 6);
      for (const { path } of lists)
        for (const query of ['', '?limit=1']) {
          const answer = await client.call('GET', `${path}${query}`);
          assert.equal(answer.status, 200, path);
          const text = JSON.stringify(answer.body);
          const listed = (of: Ground) =>
            path === '/deleted-agents'
              ? of.deletedId
              : /agents|models/.test(path)
                ? of.agentId
                : of.conversationId;
          assert.ok(text.includes(listed(own)), text);
          assert.ok(!text.includes(listed(other)) && !text.includes(other.agentId), text);
        }
      const named = await client.call('GET', `/conversations?agent_id=${other.agentId}`);
      assert.deepEqual(named.body, { data: [], next_cursor: null });
    });

    it('lists each row once, also if an agent was named twice', async () => {
      const twice = await newToken(organizationId, { agentIds: [own.agentId, own.agentId.toUpperCase()] });
      const { data } = (await twice.call('GET', '/conversations')).body as { data: { id: string }[] };
      assert.deepEqual(
        data.map(({ id }) => id),
        [own.conversationId],
      );
    });

    it('403: tools for its agent, because it may run no action itself', async () => {
      const tools = async (names: string[]) =>
        (await client.call('PATCH', `/agents/${own.agentId}`, { body: { tools: names } })).status;
      assert.deepEqual([await tools(['DOCS_FETCH_DATA']), await tools([])], [403, 200]);
    });

    it('403: taking a number over, because the other agents may not be its own', async () => {
      const form = { base_url: 'https://10.0.0.1', instance_token: 'a-token', take_over: true };
      const channel = `/agents/${own.agentId}/channel`;
      for (const [method, path, body] of [
        ['PUT', channel, form],
        ['PATCH', channel, form],
        ['POST', `${channel}/verify?take_over=true`, undefined],
      ] as const) {
        const answer = await client.call(method, path, { body });
        assert.deepEqual([answer.status, codeOf(answer)], [403, 'forbidden'], method);
        assert.match(textOf(answer), /cannot take a number over/);
      }
    });

    it('pages through the lists of several agents as through one', async () => {
      const both = await newToken(organizationId, { agentIds: [own.agentId, other.agentId] });
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const query = cursor === null ? '' : `&cursor=${cursor}`;
        const { body } = await both.call('GET', `/conversations?limit=1${query}`);
        const page = body as { data: { id: string }[]; next_cursor: string | null };
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      assert.deepEqual(seen, [other.conversationId, own.conversationId]);
    });

    it('allows the operations on its own agent, also by its inbox and after a transfer', async () => {
      for (const operation of operations.filter(({ agents }) => agents !== 'organization')) {
        const id = idFor(operation, own);
        assert.notEqual((await callWith(client, operation, id)).status, 403, operation.name);
      }
      const owner = await newToken(organizationId, {});
      const sales = await owner.createAgent({ name: 'Sales', script: [{ reply: 'sales here' }] });
      const desk = await owner.createAgent({
        script: [{ when: 'buy', transfer_to: 'Sales' }, { reply: 'desk here' }],
        transfers_to: [sales.id],
      });
      const widget = await newToken(organizationId, {
        scopes: ['messages.send', 'conversations.view'],
        agentIds: [desk.id],
      });
      const { conversation_id } = await widget.ask(desk.inbox_id, { message: 'buy' });
      assert.equal(
        (await widget.ask(desk.inbox_id, { message: 'again', conversation_id })).response,
        'sales here',
      );
      assert.ok((await widget.messages(conversation_id)).length >= 4);
    });
  });

  it('trying a draft or a candidate needs agents.manage, beside messages.send', async () => {
    const { organizationId, api } = await stack().stranger();
    const agent = await api.createAgent({ script: [{ reply: 'published' }] });
    const script = [{ reply: 'not published' }];
    assert.equal((await api.call('PUT', `/agents/${agent.id}/draft`, { body: { script } })).status, 200);
    const sender = await newToken(organizationId, { scopes: ['messages.send'] });
    const body = { message: 'a', draft: true };
    for (const tried of [body, { message: 'a', candidate: true }]) {
      const answer = await sender.call('POST', `/chat/${agent.id}`, { body: tried });
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'forbidden']);
      assert.match(textOf(answer), /agents\.manage/);
    }
    const manager = await newToken(organizationId, { scopes: ['messages.send', 'agents.manage'] });
    assert.equal((await manager.ask(agent.id, body)).response, 'not published');
  });

  describe('writing into a conversation', () => {
    it('needs conversations.view, unless the same token began the conversation, by its identifier, contact or message', async () => {
      const { organizationId, api } = await stack().stranger();
      const agent = await api.createAgent({ script: [{ reply: 'a secret answer' }] });
      const contact = { id: 'alice' };
      const theirs = await api.ask(agent.id, { message: 'private', contact });
      const messageId = (await api.messages(theirs.conversation_id))[0]!.id;
      const strong = await newToken(organizationId, { scopes: ['messages.send', 'conversations.view'] });
      const weak = await newToken(organizationId, { scopes: ['messages.send'] });
      const before = await rows.of(organizationId);
      const chat = `/chat/${agent.id}`;
      for (const more of [{ conversation_id: theirs.conversation_id }, { contact }])
        for (const sync of [true, false]) {
          const answer = await weak.call('POST', chat, { body: { message: 'repeat it', sync, ...more } });
          assert.deepEqual([answer.status, codeOf(answer)], [403, 'forbidden']);
          assert.match(textOf(answer), /conversations\.view/);
        }
      assert.equal((await weak.call('GET', `/messages/${messageId}/stream`)).status, 403);
      assert.deepEqual(await rows.of(organizationId), before);
      assert.equal((await strong.call('GET', `/messages/${messageId}/stream`)).status, 200);
      const joined = { message: 'more', conversation_id: theirs.conversation_id };
      assert.equal((await strong.ask(agent.id, joined)).conversation_id, theirs.conversation_id);

      const own = await weak.ask(agent.id, { message: 'mine', contact: { id: 'bob' } });
      for (const more of [{ conversation_id: own.conversation_id }, { contact: { id: 'bob' } }])
        assert.equal(
          (await weak.ask(agent.id, { message: 'more', ...more })).conversation_id,
          own.conversation_id,
        );
      const ownId = (await api.messages(own.conversation_id))[0]!.id;
      assert.equal((await weak.call('GET', `/messages/${ownId}/stream`)).status, 200);
    });

    it('of two first messages of one contact at once, only the one that began the conversation joins it', async () => {
      const { organizationId, api } = await stack().stranger();
      const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
      const clients = [];
      for (let count = 0; count < 6; count += 1)
        clients.push(await newToken(organizationId, { scopes: ['messages.send'] }));
      const body = { message: 'hi', contact: { id: 'carol' } };
      const answers = await Promise.all(
        clients.map(async (client) => (await client.call('POST', `/chat/${agent.id}`, { body })).status),
      );
      assert.deepEqual(answers.sort(), [202, 403, 403, 403, 403, 403]);
    });

    it('a reply as a person, and a regenerated answer, need it too, over the API and in the console', async () => {
      const { organizationId, api } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
      const { conversation_id: id } = await api.ask(agent.id, { message: 'hello' });
      const token = async (scopes: TokenScope[]) => {
        const client = await newToken(organizationId, { scopes });
        return async (method: string, path: string, body?: unknown) =>
          await client.call(method, path, { body });
      };
      const calls = [
        [`/conversations/${id}/regenerate`, {}, 202],
        [`/conversations/${id}/messages`, { text: 'hi' }, 201],
      ] as const;
      const take = ['conversations.take_over'] as const;
      const both = [...take, 'conversations.view'] as const;
      for (const call of [await token([...take]), (await signIn(stack(), take)).call])
        for (const [path, body] of calls) assert.equal((await call('POST', path, body)).status, 403, path);
      for (const call of [await token([...both]), (await signIn(stack(), both)).call]) {
        for (const [path, body, status] of calls) {
          await api.settled(id);
          assert.equal((await call('POST', path, body)).status, status, path);
        }
        assert.equal((await call('POST', `/conversations/${id}/resume`)).status, 200);
      }
    });

    it('a member without it continues only what they began in the playground', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
      const theirs = await api.ask(agent.id, { message: 'private' });
      const { call } = await signIn(stack(), ['agents.manage']);
      const post = async (more: object) =>
        await call('POST', `/chat/${agent.id}`, { message: 'hi', sync: true, ...more });
      assert.equal((await post({ conversation_id: theirs.conversation_id })).status, 403);
      const begun = (await post({})).body as { conversation_id: string };
      assert.equal((await post({ conversation_id: begun.conversation_id })).status, 200);
    });
  });

  describe('the tools of an agent', () => {
    const tools = ['DOCS_LIST_USERS'];
    const yaml = (name: string) => `agents:\n  - name: ${name}\n    tools: [DOCS_LIST_USERS]\n`;

    it('are changed only by who has tools.manage too, over the API, in the console and by a file', async () => {
      const { organizationId, api } = stack();
      const agent = await api.createAgent();
      const withTools = await api.createAgent({ tools });
      const weak = await newToken(organizationId, { scopes: ['agents.manage'] });
      const strong = await newToken(organizationId, { scopes: ['agents.manage', 'tools.manage'] });
      const { call: weakCall } = await signIn(stack(), ['agents.manage']);
      const { call: strongCall } = await signIn(stack(), ['agents.manage', 'tools.manage']);
      const overApi = (client: ApiClient) => async (method: string, path: string, body?: unknown) =>
        await client.call(method, path, { body });
      for (const call of [overApi(weak), weakCall]) {
        for (const [method, path, body] of [
          ['POST', '/agents', { name: `With tools ${crypto.randomUUID()}`, tools }],
          ['PATCH', `/agents/${agent.id}`, { tools }],
          ['PATCH', `/agents/${withTools.id}`, { tools: [] }],
        ] as const) {
          const answer = await call(method, path, body);
          assert.deepEqual([answer.status, codeOf(answer)], [403, 'forbidden'], `${method} ${path}`);
          assert.match(textOf(answer), /tools\.manage/);
        }
        const same = await call('PATCH', `/agents/${withTools.id}`, { tools, description: 'changed' });
        assert.equal(same.status, 200);
      }
      for (const name of [agent.name, 'From a file'])
        assert.equal((await weakCall('PUT', '/agents-file', { yaml: yaml(name) })).status, 403);
      assert.equal((await weakCall('PUT', '/agents-file', { yaml: yaml(withTools.name) })).status, 200);
      for (const call of [overApi(strong), strongCall])
        for (const wanted of [tools, []])
          assert.equal((await call('PATCH', `/agents/${agent.id}`, { tools: wanted })).status, 200);
      assert.equal((await strongCall('PUT', '/agents-file', { yaml: yaml(agent.name) })).status, 200);
    });
  });

  it('a file does not give tools back that somebody removes at the same moment', async () => {
    const { api, db } = stack();
    const tools = ['DOCS_LIST_USERS'];
    const { id, name } = await api.createAgent({ tools });
    const { call } = await signIn(stack(), ['agents.manage']);
    const yaml = `agents:\n  - name: ${name}\n    tools: [DOCS_LIST_USERS]\n`;
    let applied: Promise<ApiAnswer> | undefined;
    await inTransaction(db, async (tx) => {
      // Idle until a thread has read the file, which takes long on a busy machine.
      await tx.knex.raw('set local idle_in_transaction_session_timeout = 0');
      await tx.knex('agents').where({ id }).update({ tools: [] });
      applied = call('PUT', '/agents-file', { yaml });
      await until('the file to wait for the agent', async () => {
        const { rows } = await db.pool.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%"agents"%'
             and datname = current_database()`,
        );
        return rows.length > 0;
      });
    });
    const answer = await applied;
    assert.deepEqual([answer?.status, answer && codeOf(answer)], [403, 'forbidden']);
    const { body } = await api.call('GET', `/agents/${id}`);
    assert.deepEqual((body as { tools: string[] }).tools, []);
  });

  it('401: an expired token, like an unknown one', async () => {
    const { db, organizationId } = stack();
    const made = await createToken(db, { organizationId, name: 'expires', expiresInDays: 1 });
    const client = new ApiClient(stack().apiUrl, made.token);
    assert.equal((await client.call('GET', '/agents')).status, 200);
    await db.knex('api_tokens').where({ id: made.id }).update({ expires_at: new Date() });
    await until('it to be refused', async () => (await client.call('GET', '/agents')).status === 401);
  });

  describe('at creation in the console', () => {
    type Made = { id: string; token: string; full_access: boolean; scopes: string[]; created_by: string };
    const made = (answer: ApiAnswer) => answer.body as Made;

    for (const held of [...allCapabilities, undefined]) {
      it(`a member with ${held ?? 'no capability'} beside tokens.create gives only scopes that they have`, async () => {
        const capabilities: Capability[] = ['tokens.create', ...(held === undefined ? [] : [held])];
        const { call } = await signIn(stack(), capabilities);
        const mine = tokenScopes.filter((scope) => {
          const needed = capabilityOfScope[scope];
          return needed === 'member' || capabilities.includes(needed);
        });
        for (const scope of tokenScopes) {
          const answer = await call('POST', '/tokens', { name: scope, scopes: [scope] });
          assert.equal(answer.status, mine.includes(scope) ? 201 : 403, scope);
          if (answer.status === 403) assert.ok(textOf(answer).includes(`: ${scope}.`), textOf(answer));
        }
        const { full_access, scopes } = made(await call('POST', '/tokens', { name: 'by default' }));
        assert.deepEqual([full_access, scopes], [false, mine]);
      });
    }

    it('an administrator who chooses nothing creates a token with full access to every agent, which never expires', async () => {
      const { call } = await signIn(stack());
      const answer = await call('POST', '/tokens', { name: 'everything' });
      assert.equal(answer.status, 201);
      assert.partialDeepStrictEqual(answer.body, {
        ...{ full_access: true, before_scopes: false, scopes: tokenScopes, agents: null, expires_at: null },
      });
      assert.match(made(answer).created_by, /@example\.com$/);
      const client = new ApiClient(stack().apiUrl, made(answer).token);
      assert.equal((await client.call('GET', '/export')).status, 200);
    });

    it('422: another organization’s agent, no scope, an unknown scope, an expiry in the past', async () => {
      const { call } = await signIn(stack());
      const theirs = await (await stack().stranger()).api.createAgent();
      for (const wrong of [
        { agent_ids: [theirs.id] },
        { agent_ids: [unknownId] },
        { agent_ids: [] },
        { scopes: [] },
        { scopes: ['members.manage'] },
        { expires_in_days: 0 },
      ])
        assert.equal((await call('POST', '/tokens', { name: 'wrong', ...wrong })).status, 422);
    });

    it('binds, expires and shows both', async () => {
      const { call } = await signIn(stack());
      const { id, name } = await stack().api.createAgent();
      const form = { name: 'widget', scopes: ['messages.send'], agent_ids: [id], expires_in_days: 30 };
      const { body } = await call('POST', '/tokens', form);
      const { token, expires_at } = body as { token: string; expires_at: string };
      assert.partialDeepStrictEqual(body, {
        scopes: ['messages.send'],
        agents: [{ id, name }],
        status: 'Active',
      });
      const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
      assert.ok(days > 29.9 && days < 30.1, expires_at);
      const widget = new ApiClient(stack().apiUrl, token);
      assert.equal((await widget.call('POST', `/chat/${id}`, { body: { message: 'hello' } })).status, 202);
      assert.equal((await widget.call('GET', `/agents/${id}`)).status, 403);
    });
  });

  describe('rotation', () => {
    const rotated = (answer: ApiAnswer) => answer.body as { token: string; previous_until: string | null };
    const works = async (token: string) =>
      (await stack().api.call('GET', '/agents', { token })).status === 200;

    it('gives the same token a new secret; the previous one works until the overlap is over', async () => {
      const { db, organizationId } = stack();
      const { call } = await signIn(stack());
      const { id, token: first } = await createToken(db, { organizationId, name: 'rotates' });
      assert.ok(await works(first));
      const answer = rotated(await call('POST', `/tokens/${id}/rotate`, { overlap_seconds: 3600 }));
      assert.ok(answer.previous_until !== null && answer.token !== first);
      assert.deepEqual([await works(first), await works(answer.token)], [true, true]);
      const again = rotated(await call('POST', `/tokens/${id}/rotate`, { overlap_seconds: 0 }));
      await until(
        'both earlier secrets to end',
        async () => !(await works(first)) && !(await works(answer.token)),
      );
      assert.ok(await works(again.token));
      assert.equal((await call('POST', `/tokens/${id}/revoke`)).status, 200);
      await until('the new secret to end', async () => !(await works(again.token)));
      assert.equal((await call('POST', `/tokens/${id}/rotate`, {})).status, 409);
    });

    it('ends the previous secret after the overlap, and all secrets at revocation', async () => {
      const { db, organizationId } = stack();
      const { call } = await signIn(stack());
      const { id, token: first } = await createToken(db, { organizationId, name: 'rotates' });
      const { token: second } = rotated(await call('POST', `/tokens/${id}/rotate`, {}));
      assert.ok(await works(first));
      await db.knex('api_tokens').where({ id }).update({ previous_until: new Date() });
      await until('the first secret to end', async () => !(await works(first)));
      const { token: third } = rotated(await call('POST', `/tokens/${id}/rotate`, {}));
      await call('POST', `/tokens/${id}/revoke`);
      await until('all to end', async () => !(await works(second)) && !(await works(third)));
    });

    it('403: of a token with scopes that the member could not give', async () => {
      const { db, organizationId } = stack();
      const { call } = await signIn(stack(), ['tokens.view', 'tokens.create']);
      const { id, token } = await createToken(db, { organizationId, name: 'full' });
      assert.equal((await call('POST', `/tokens/${id}/rotate`, {})).status, 403);
      assert.ok(await works(token));
      const { id: small } = await createToken(db, { organizationId, name: 'small', scopes: ['agents.view'] });
      assert.equal((await call('POST', `/tokens/${small}/rotate`, {})).status, 200);
    });
  });

  it('removing a member revokes the tokens that they created or rotated, if asked, and needs tokens.create for it', async () => {
    const administrator = await signIn(stack());
    const members = async () =>
      (await administrator.call('GET', '/members')).body as {
        data: { id: string; user_id: string; active_tokens: number }[];
      };
    for (const revokes of [false, true]) {
      const leaving = await signIn(stack(), ['tokens.create']);
      const answer = await leaving.call('POST', '/tokens', { name: 'theirs' });
      const { token, created_by_id } = answer.body as { token: string; created_by_id: string };
      const { db, organizationId } = stack();
      const { id } = await createToken(db, { organizationId, name: 'rotated', scopes: ['agents.view'] });
      const rotation = await leaving.call('POST', `/tokens/${id}/rotate`, {});
      const { token: rotated } = rotation.body as { token: string };
      const found = (await members()).data.find(({ user_id }) => user_id === created_by_id);
      assert.equal(found?.active_tokens, 2);
      const query = revokes ? '?revoke_tokens=true' : '';
      const manager = await signIn(stack(), ['members.manage', 'tokens.view']);
      assert.equal((await manager.call('DELETE', `/members/${found.id}?revoke_tokens=true`)).status, 403);
      assert.equal((await administrator.call('DELETE', `/members/${found.id}${query}`)).status, 204);
      for (const one of [token, rotated]) {
        const refused = async () => (await stack().api.call('GET', '/agents', { token: one })).status === 401;
        if (revokes) await until('the token to end', refused);
        else assert.equal(await refused(), false);
      }
    }
  });
});
