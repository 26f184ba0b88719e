/** Test conversations in which no tool changes data. */
import assert from 'node:assert/strict';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { ApiClient } from '../../support/api-client.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { useSharedStack } from '../../support/stack.ts';

describe('Read-only conversations', () => {
  let shop: Receiver;
  const stack = useSharedStack();
  before(async () => {
    shop = await startReceiver();
  });
  after(async () => {
    await shop.close();
  });
  const json = { 'content-type': 'application/json' };
  const refused = (tool: string) =>
    `read: Not executed: this is a test, and ${tool} could change data. Answer as if it had succeeded.`;

  /** An agent with a tool that reads, one that writes, and one that reads after an approval. */
  async function ground() {
    const { api, organizationId } = await stack().stranger();
    const base = `/shop/${organizationId}`;
    const tools = [
      { name: 'find_order', method: 'GET', effect: 'read' },
      { name: 'refund', method: 'POST', effect: 'write' },
      { name: 'find_card', method: 'GET', effect: 'read' },
    ];
    for (const tool of tools) {
      const url = shop.url(`${base}/${tool.name}`);
      const body = {
        ...tool,
        url,
        description: 'Of the shop.',
        parameters: { type: 'object', properties: {} },
      };
      const made = await api.call('POST', '/tools/http', { body });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      shop.behave(`${base}/${tool.name}`, { headers: json, body: '"done"' });
    }
    const names = tools.map(({ name }) => name);
    const agent = await api.createAgent({
      tools: names,
      tool_policies: [{ tool: 'find_card', policy: 'ask' }],
      script: [
        { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
        ...names.map((name) => ({ when: name, tool: { action: name, input: {} } })),
        { reply: 'hello' },
      ],
    });
    const count = (name: string) => shop.requestsTo(`${base}/${name}`).length;
    return { api, organizationId, agent, count };
  }

  it('execute reads only, in every turn, and ask nobody for an approval', async () => {
    const { api, agent, count } = await ground();
    const first = await api.ask(agent.id, { message: 'refund', read_only: true });
    assert.equal(first.response, refused('refund'));
    const { conversation_id } = first;
    const next = async (message: string) => (await api.ask(agent.id, { message, conversation_id })).response;
    assert.equal(await next('refund'), refused('refund'));
    assert.equal(await next('find_card'), refused('find_card'));
    assert.equal(await next('find_order'), 'read: "done"');
    assert.deepEqual([count('refund'), count('find_card'), count('find_order')], [0, 0, 1]);
    const asked = await api.call('GET', '/approvals');
    assert.deepEqual((asked.body as { data: unknown[] }).data, []);
    const usual = await api.ask(agent.id, { message: 'refund' });
    assert.equal(usual.response, 'read: "done"');
    const tests = await stack()
      .db.knex('conversations')
      .where({ target_id: agent.id, is_test: true })
      .pluck('id');
    assert.deepEqual(tests, [conversation_id], 'only the read-only conversation is a test');
  });

  it('execute no write of the agent to which they are transferred, nor of a draft', async () => {
    const { api, agent, count } = await ground();
    const front = await api.createAgent({
      transfers_to: [agent.id],
      script: [{ reply: 'one moment', transfer_to: agent.name }],
    });
    await api.ask(front.id, { message: 'refund', read_only: true });
    const saved = await api.call('PUT', `/agents/${agent.id}/draft`, { body: { instructions: 'Be brief.' } });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    const ofDraft = await api.ask(agent.id, { message: 'refund', read_only: true, draft: true });
    assert.equal(ofDraft.response, refused('refund'));
    assert.equal(count('refund'), 0);
  });

  it('need no more than the scope messages.send, and begin with their first message', async () => {
    const { api, organizationId, agent } = await ground();
    const named = { organizationId, name: 'sender' };
    const { token } = await createToken(stack().db, { ...named, scopes: ['messages.send'] });
    const sender = new ApiClient(stack().apiUrl, token);
    const { conversation_id } = await sender.ask(agent.id, { message: 'hello', read_only: true });
    for (const more of [{ conversation_id }, { contact: { id: 'ada' } }])
      await api.refused(422, 'POST', `/chat/${agent.id}`, {
        body: { message: 'a', read_only: true, ...more },
      });
  });

  it('execute nothing for a worker of an earlier version, which does not know them', async () => {
    const { api, agent } = await ground();
    await api.changeAgent(agent.id, { grouping_window_seconds: 60 });
    const { conversation_id } = await api.send(agent.id, { message: 'refund', read_only: true });
    const client = await stack().db.pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ id: string }>(
        "update runs set state = 'running', agent_id = $2 where conversation_id = $1 returning id",
        [conversation_id, agent.id],
      );
      const calls = [
        { call_id: '1', name: 'refund', input: {}, approval: { id: 'never stored' } },
        { call_id: '2', name: 'transfer', input: {}, result: 'refused' },
      ];
      const step = {
        run_id: rows[0]?.id,
        step: 1,
        kind: 'tools',
        text: '',
        model: 'm',
        inputs: 1,
        calls,
        input_tokens: 1,
        output_tokens: 1,
        credits: 0,
      };
      await client.query('select record_step($1, null)', [step]);
      const recorded = await client.query<{ status: string; result: string }>(
        'select status, result from tool_calls where run_id = $1 order by position',
        [rows[0]?.id],
      );
      assert.deepEqual(
        recorded.rows.map(({ status, result }) => [status, result]),
        [
          ['failed', 'Not executed: this is a test. Answer as if it had succeeded.'],
          ['failed', 'refused'],
        ],
      );
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
