/** The workspaces that an agent's tools reach: who names them, what the model is offered, and where an action runs. */
import assert from 'node:assert/strict';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import type { TokenScope } from '../../../src/contract/accounts/token-scopes.ts';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import { ApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { signIn } from '../../support/console-person.ts';
import { connect, useDocsStack } from '../../support/docs-stack.ts';
import type { ChatRequest } from '../../support/model-server.ts';
import { unknownId } from '../../support/unknown-id.ts';

const tool = 'DOCS_GET_ABOUT_ME';
const codeOf = ({ status, body }: ApiAnswer) => [status, (body as { code?: string }).code];

describe('Workspaces of an agent’s tools', () => {
  const docs = useDocsStack();

  /** An organization with a public workspace, and one of the HR department. */
  async function organization() {
    const { emulator, stack } = docs();
    const { api, organizationId } = await stack.stranger();
    return {
      ...{ api, organizationId },
      connectPublic: () => connect(api, emulator.tokens.main),
      connectHr: () => connect(api, emulator.tokens.other),
    };
  }

  /** Lets the model call the tool, in `connection_id` if given. @returns what it was offered, and what it read */
  async function runs(api: ApiClient, agent: Pick<Agent, 'id'>, connection_id?: string) {
    const message = `who ${crypto.randomUUID()}`;
    const requests: ChatRequest[] = [];
    docs().model.answerWhere((request) => {
      if (!JSON.stringify(request.messages).includes(message)) return undefined;
      requests.push(request);
      const result = request.messages.find(({ role }) => role === 'tool');
      return result === undefined
        ? {
            kind: 'stream',
            call: { name: tool, input: connection_id === undefined ? {} : { connection_id } },
          }
        : { kind: 'stream', text: JSON.stringify(result.content) };
    });
    const { response } = await api.ask(agent.id, { message });
    return { offered: JSON.stringify(requests[0]?.tools), all: JSON.stringify(requests), read: response };
  }

  const modelAgent = async (api: ApiClient, connections?: string[]) =>
    await api.createAgent({
      ...{ tools: [tool], model: 'custom/tested-1' },
      ...(connections !== undefined && { connections }),
    });
  const find = async (api: ApiClient, { id }: Pick<Agent, 'id'>) =>
    (await api.call('GET', `/agents/${id}`)).body as Agent;

  it('an agent that names one of two reads there, does not see the other, and is refused the other by its id', async () => {
    const { api, connectPublic, connectHr } = await organization();
    const shop = await connectPublic();
    const hr = await connectHr();
    const agent = await modelAgent(api, [shop.id]);
    assert.deepEqual(agent.connections, [shop.id]);
    assert.match((await runs(api, agent)).read, /Emulated workspace/);
    const tried = await runs(api, agent, hr.id);
    assert.match(tried.read, /NOT_AUTHORIZED: There is no connection/);
    assert.ok(!tried.offered.includes(hr.id) && !tried.all.includes('Other workspace'));
    const both = await api.call('PATCH', `/agents/${agent.id}`, { body: { connections: [shop.id, hr.id] } });
    assert.equal(both.status, 200);
    assert.match((await runs(api, agent, hr.id)).read, /Other workspace/);
  });

  it('one that names none uses the only workspace, also one connected later, and keeps it when another is connected', async () => {
    const { api, connectPublic, connectHr } = await organization();
    const agent = await modelAgent(api);
    assert.match((await runs(api, agent)).read, /No document workspace is connected/);
    const shop = await connectPublic();
    assert.match((await runs(api, agent)).read, /Emulated workspace/);
    assert.equal((await find(api, agent)).connections, undefined);
    const hr = await connectHr();
    const kept = await find(api, agent);
    assert.deepEqual(kept.connections, [shop.id]);
    assert.ok(kept.updated_at > agent.updated_at);
    assert.match((await runs(api, agent)).read, /Emulated workspace/);
    assert.match((await runs(api, agent, hr.id)).read, /There is no connection/);
    const newer = await modelAgent(api);
    for (const wanted of [undefined, shop.id, hr.id]) {
      const { offered, read } = await runs(api, newer, wanted);
      assert.match(read, /NOT_AUTHORIZED: This agent may use no workspace: set its connections/);
      assert.ok(!offered.includes(shop.id) && !offered.includes(hr.id));
    }
  });

  it('the only workspace is not replaced by another one while it refuses its credentials', async () => {
    const { api, connectPublic, connectHr } = await organization();
    const shop = await connectPublic();
    await connectHr();
    const agent = await modelAgent(api);
    const { knex } = docs().stack.db;
    await knex('tool_connections').where({ id: shop.id }).update({ status: 'needs_reconnect' });
    assert.match((await runs(api, agent)).read, /This agent may use no workspace/);
  });

  it('a removed workspace is taken from agents, and none takes its place', async () => {
    const { api, connectPublic, connectHr } = await organization();
    const shop = await connectPublic();
    const agent = await modelAgent(api);
    await connectHr();
    assert.equal((await api.call('DELETE', `/tools/docs/connections/${shop.id}`)).status, 204);
    assert.deepEqual((await find(api, agent)).connections, []);
    const { offered, read } = await runs(api, agent);
    assert.match(read, /This agent may use no workspace/);
    assert.ok(!offered.includes('connection_id'));
    const reset = await api.call('PATCH', `/agents/${agent.id}`, { body: { connections: null } });
    assert.equal((reset.body as Agent).connections, undefined);
    assert.match((await runs(api, agent)).read, /Other workspace/);
  });

  it('a change takes effect in the next action, also for results that were read before', async () => {
    const { api, connectPublic } = await organization();
    const shop = await connectPublic();
    const agent = await api.createAgent({
      ...{ tools: [tool], model: 'scripted/default', connections: [shop.id] },
      script: [{ when: 'who', tool: { action: tool, input: {} } }],
    });
    const { conversation_id, response: read } = await api.ask(agent.id, { message: 'who' });
    assert.match(read, /Emulated workspace/);
    const rows = docs().stack.db.knex<{ id: string; conversation_id: string }>('tool_executions');
    const [execution] = await rows.where({ conversation_id }).select('id');
    const readAgain = { action: 'READ_TOOL_RESULT', input: { result_ref: execution!.id, page: 1 } };
    const ask = async (change: object) => {
      await api.call('PATCH', `/agents/${agent.id}`, { body: change });
      return (await api.ask(agent.id, { message: 'again', conversation_id })).response;
    };
    assert.match(await ask({ script: [{ tool: readAgain, when: 'again' }] }), /Emulated workspace/);
    assert.match(await ask({ connections: [] }), /^Error: there is no result/);
    assert.match(
      await ask({ script: [{ tool: { action: tool, input: {} }, when: 'again' }] }),
      /may use no work/,
    );
  });

  it('422: a workspace of another organization, an unknown one, one whose authorization has not ended', async () => {
    const { api, connectPublic } = await organization();
    const theirs = await (await organization()).connectPublic();
    const own = await connectPublic();
    const pending = await api.call('POST', '/tools/docs/connections', { body: { auth: 'OAUTH2' } });
    const agent = await modelAgent(api, [own.id.toUpperCase()]);
    const pendingId = (pending.body as { id: string }).id;
    for (const id of [theirs.id, unknownId, pendingId])
      for (const [method, path, body] of [
        ['POST', '/agents', { name: `Wrong ${crypto.randomUUID()}`, connections: [own.id, id] }],
        ['PATCH', `/agents/${agent.id}`, { connections: [own.id, id] }],
      ] as const) {
        const { details } = await api.refused(422, method, path, { body });
        const message = 'is not a connected workspace of this organization';
        assert.deepEqual(details, [{ path: 'connections.1', message }]);
      }
    assert.deepEqual((await find(api, agent)).connections, [own.id]);
  });

  it('are changed only by who has tools.manage too, over the API, in the console and by a file', async () => {
    const { stack } = docs();
    const { api, organizationId, connectPublic } = await organization();
    const shop = await connectPublic();
    const agent = await modelAgent(api);
    const bound = await modelAgent(api, [shop.id]);
    const token = async (scopes: TokenScope[], agentIds?: string[]) => {
      const made = await createToken(stack.db, { organizationId, name: 'scoped', scopes, agentIds });
      const client = new ApiClient(stack.apiUrl, made.token);
      return async (method: string, path: string, body?: unknown) =>
        await client.call(method, path, { body });
    };
    const at = { ...stack, organizationId };
    const { call: weak } = await signIn(at, ['agents.manage']);
    const { call: strong } = await signIn(at, ['agents.manage', 'tools.manage']);
    const refusals = [
      [`/agents/${agent.id}`, [shop.id]],
      [`/agents/${agent.id}`, []],
      [`/agents/${bound.id}`, []],
      [`/agents/${bound.id}`, null],
    ] as const;
    for (const call of [weak, await token(['agents.manage'])]) {
      for (const [path, connections] of refusals)
        assert.deepEqual(codeOf(await call('PATCH', path, { connections })), [403, 'forbidden'], path);
      const made = await call('POST', '/agents', {
        name: `New ${crypto.randomUUID()}`,
        connections: [shop.id],
      });
      assert.deepEqual(codeOf(made), [403, 'forbidden']);
      const same = { connections: [shop.id.toUpperCase()], description: 'changed' };
      assert.equal((await call('PATCH', `/agents/${bound.id}`, same)).status, 200);
    }
    const widget = await token(['agents.manage', 'tools.manage'], [agent.id]);
    assert.equal((await widget('PATCH', `/agents/${agent.id}`, { connections: [shop.id] })).status, 403);
    for (const call of [strong, await token(['agents.manage', 'tools.manage'])])
      for (const connections of [[shop.id], [], null])
        assert.equal((await call('PATCH', `/agents/${agent.id}`, { connections })).status, 200);

    const yaml = (connections: string) => ({
      yaml: `agents:\n  - name: ${agent.name}\n    connections: ${connections}\n`,
    });
    assert.equal((await weak('PUT', '/agents-file', yaml('[Emulated workspace]'))).status, 403);
    assert.equal((await strong('PUT', '/agents-file', yaml('[Emulated workspace]'))).status, 200);
    assert.deepEqual((await find(api, agent)).connections, [shop.id]);
  });

  it('are in the agents file by name, and by identifier if the name is not unique', async () => {
    const { stack } = docs();
    const { api, organizationId, connectPublic, connectHr } = await organization();
    const shop = await connectPublic();
    const hr = await connectHr();
    const agent = await modelAgent(api, [shop.id, hr.id]);
    const { call } = await signIn({ ...stack, organizationId });
    const exported = async () => ((await call('GET', '/agents-file')).body as { yaml: string }).yaml;
    const put = async (connections: string) =>
      await call('PUT', '/agents-file', {
        yaml: `agents:\n  - name: ${agent.name}\n    connections: ${connections}\n`,
      });
    assert.match(await exported(), /connections:\n +- Emulated workspace\n +- Other workspace/);
    assert.equal((await call('PUT', '/agents-file', { yaml: await exported() })).status, 200);
    assert.deepEqual((await find(api, agent)).connections, [shop.id, hr.id]);
    await stack.db
      .knex('tool_connections')
      .where({ id: hr.id })
      .update({ workspace_name: 'Emulated workspace' });
    assert.ok((await exported()).includes(shop.id));
    for (const wrong of ['[Emulated workspace]', '[Nowhere]', `[${unknownId}]`])
      assert.equal((await put(wrong)).status, 422, wrong);
    assert.equal((await put(`[${hr.id}]`)).status, 200);
    assert.deepEqual((await find(api, agent)).connections, [hr.id]);
    assert.equal((await put('null')).status, 200);
    assert.equal((await find(api, agent)).connections, undefined);
  });
});
