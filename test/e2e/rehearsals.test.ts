/** Rehearsals over the API: what is asked again, how it differs, what leaves, and what stops, resumes and erases them. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  rehearsal,
  rehearsalTurn,
  type Rehearsal,
  type RehearsalTurn,
} from '../../src/contract/rehearsals/rehearsals.ts';
import { pageOf } from '../../src/contract/page.ts';
import type { ApiClient } from '../support/api-client.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('Rehearsals', function () {
  this.timeout(120_000);
  let shop: Receiver;
  const stack = useStack(async () => {
    shop = await startReceiver();
    return { env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1' } };
  });
  after(async () => {
    await shop.close();
  });

  async function begin(api: ApiClient, agentId: string, body: object = {}): Promise<Rehearsal> {
    const answer = await api.call('POST', `/agents/${agentId}/rehearsals`, { body });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    return rehearsal.strict().parse(answer.body);
  }
  const read = async (api: ApiClient, { id, agent_id }: Rehearsal): Promise<Rehearsal> => {
    const answer = await api.call('GET', `/agents/${agent_id}/rehearsals/${id}`);
    return rehearsal.strict().parse(answer.body);
  };
  const ended = async (api: ApiClient, begun: Rehearsal): Promise<Rehearsal> =>
    await until('the rehearsal to end', async () => {
      const now = await read(api, begun);
      return now.status !== 'running' && now;
    });
  const turnsOf = async (api: ApiClient, { id, agent_id }: Rehearsal): Promise<RehearsalTurn[]> => {
    const answer = await api.call('GET', `/agents/${agent_id}/rehearsals/${id}/turns?limit=100`);
    return pageOf(rehearsalTurn.strict()).parse(answer.body).data;
  };
  const draft = async (api: ApiClient, agentId: string, body: object) => {
    const answer = await api.call('PUT', `/agents/${agentId}/draft`, { body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const tool = (name: string, path: string, effect: string) => ({
    ...{ name, description: 'A tool.', method: effect === 'read' ? 'GET' : 'POST', effect },
    url: shop.url(`${path}${effect === 'read' ? '?id={id}' : ''}`),
    parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  });
  const call = (when: string, action: string, id: string) => ({ when, tool: { action, input: { id } } });

  /** An agent with a tool that reads, one that writes and a colleague, and a recorded turn of each kind. */
  async function recorded() {
    const { api, organizationId } = await stack().stranger();
    const [find, pay] = [`find_${crypto.randomUUID().slice(0, 8)}`, `pay_${crypto.randomUUID().slice(0, 8)}`];
    const [finding, paying] = [`/${find}`, `/${pay}`];
    for (const body of [tool(find, finding, 'read'), tool(pay, paying, 'write')])
      assert.equal((await api.call('POST', '/tools/http', { body })).status, 201);
    shop.behave(`${finding}?id=7`, { body: 'found' });
    shop.behave(paying, { body: 'paid' });
    const other = await api.createAgent({ script: [{ reply: 'I take over.' }] });
    const script = [
      { on: 'tool_result', when: '(.*)', reply: 'It says: $1' },
      call('find', find, '7'),
      call('pay', pay, '7'),
      { when: 'boss', transfer_to: other.name, reply: 'One moment.' },
      { when: 'hello', reply: 'Hello.' },
    ];
    const agent = await api.createAgent({ script, tools: [find, pay], transfers_to: [other.id] });
    for (const message of ['hello', 'find it', 'pay it', 'the boss, please'])
      await api.ask(agent.id, { message });
    const requests = () =>
      [`${finding}?id=7`, `${finding}?id=8`, paying].map((path) => shop.requestsTo(path).length);
    return { api, organizationId, agent, other, script, find, pay, requests };
  }

  it('the same version gives the same turns, and calls no tool', async () => {
    const { api, agent, requests } = await recorded();
    const before = requests();
    const done = await ended(api, await begin(api, agent.id));
    assert.deepEqual([done.status, done.turns, done.outcomes.same, done.passed], ['completed', 4, 4, true]);
    assert.deepEqual(requests(), before);
    const turns = await turnsOf(api, done);
    assert.deepEqual(
      turns.map(({ input, rehearsed }) => [input, rehearsed?.text]),
      [
        ['hello', 'Hello.'],
        ['find it', 'It says: found'],
        ['pay it', 'It says: paid'],
        ['the boss, please', 'One moment.'],
      ],
    );
    for (const { recorded: was, rehearsed: is } of turns)
      assert.deepEqual({ ...is, model_ms: 0 }, { ...was, model_ms: 0 });
  });

  it('a draft shows each difference in its class; a call without a recorded result stops the turn', async () => {
    const { api, agent, script, find, pay, requests } = await recorded();
    const before = requests();
    const [result, ...rules] = script;
    const outcomes = async (changed: object[]) => {
      await draft(api, agent.id, { script: [result, ...changed] });
      const turns = await turnsOf(api, await ended(api, await begin(api, agent.id, { version: 'draft' })));
      return turns.map(({ outcome, diverged }) => `${outcome}${diverged ? ', diverged' : ''}`);
    };
    const but = (index: number, rule: object) => rules.map((one, at) => (at === index ? rule : one));
    const same = (index: number, outcome: string) =>
      ['same', 'same', 'same', 'same'].map((one, at) => (at === index ? outcome : one));
    assert.deepEqual(await outcomes(but(3, { when: 'hello', reply: 'Hi.' })), same(0, 'other_text'));
    assert.deepEqual(await outcomes(but(0, call('find', find, '8'))), same(1, 'other_arguments, diverged'));
    assert.deepEqual(await outcomes(but(0, call('find', pay, '7'))), same(1, 'other_tool, diverged'));
    assert.deepEqual(
      await outcomes(but(0, { when: 'find', reply: 'It says: found' })),
      same(1, 'other_tool'),
    );
    assert.deepEqual(
      await outcomes(but(2, { when: 'boss', reply: 'One moment.' })),
      same(3, 'other_transfer'),
    );
    assert.deepEqual(
      await outcomes(but(1, { when: 'pay', fail: { message: 'No.', retryable: false } })),
      same(2, 'failed'),
    );
    await draft(api, agent.id, { tool_policies: [{ tool: pay, policy: 'ask' }] });
    const refused = await turnsOf(api, await ended(api, await begin(api, agent.id, { version: 'draft' })));
    assert.deepEqual([refused[2]?.outcome, refused[2]?.passed], ['refused', false]);
    assert.match(refused[2]?.error ?? '', /A person would have to approve/);
    assert.deepEqual(requests(), before);
  });
});
