/**
 * Rehearsals over the API: what is asked again, how it differs, what leaves, and what stops, resumes and erases them.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  rehearsal,
  rehearsalTurn,
  type Rehearsal,
  type RehearsalTurn,
} from '../../../src/contract/rehearsals/rehearsals.ts';
import { pageOf } from '../../../src/contract/page.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const scripted = 'scripted/default';

describe('Rehearsals', () => {
  let shop: Receiver;
  let model: ModelServer;
  const stack = useStack(async () => {
    shop = await startReceiver();
    model = await startModelServer();
    const models = { MODEL_BASE_URL: model.baseUrl, MODEL_API_KEY: 'key', MODEL_NAME: 'judge' };
    const env = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), TOOL_ALLOW: '127.0.0.1', ...models };
    return { env };
  });
  after(async () => {
    await shop.close();
    await model.close();
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
  const turnsOf = async (
    api: ApiClient,
    { id, agent_id }: Rehearsal,
    filter = '',
  ): Promise<RehearsalTurn[]> => {
    const answer = await api.call('GET', `/agents/${agent_id}/rehearsals/${id}/turns?limit=100${filter}`);
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
    const other = await api.createAgent({ model: scripted, script: [{ reply: 'I take over.' }] });
    const script = [
      { on: 'tool_result', when: '(.*)', reply: 'It says: $1' },
      call('find', find, '7'),
      call('pay', pay, '7'),
      { when: 'boss', transfer_to: other.name, reply: 'One moment.' },
      { when: 'hello', reply: 'Hello.' },
    ];
    const agent = await api.createAgent({
      model: scripted,
      script,
      tools: [find, pay],
      transfers_to: [other.id],
    });
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
    for (const { recorded: was, rehearsed: is, recorded_version } of turns) {
      assert.deepEqual({ ...is, model_ms: 0 }, { ...was, model_ms: 0 });
      assert.equal(recorded_version, 1);
    }
  });

  it('a hand-over to a person is compared as a call, and no conversation waits for a person because of it', async () => {
    const { api } = await stack().stranger();
    const tool = { action: 'hand_over_to_person', input: { reason: 'Wants a human' } };
    const script = [{ reply: 'One moment.', tool }];
    const agent = await api.createAgent({ model: scripted, may_hand_over: true, script });
    const { conversation_id: id } = await api.ask(agent.id, { message: 'a human' });
    const pausedBy = async () =>
      ((await api.call('GET', `/conversations/${id}`)).body as { paused_by?: string }).paused_by;
    assert.equal(await pausedBy(), 'agent');
    assert.equal((await api.call('POST', `/conversations/${id}/resume`)).status, 200);
    const [same] = await turnsOf(api, await ended(api, await begin(api, agent.id)));
    assert.deepEqual(
      [same?.outcome, same?.rehearsed?.calls.map(({ name }) => name)],
      ['same', [tool.action]],
    );
    await draft(api, agent.id, { script: [{ reply: 'One moment.' }] });
    const [other] = await turnsOf(api, await ended(api, await begin(api, agent.id, { version: 'draft' })));
    assert.equal(other?.outcome, 'other_tool');
    assert.equal(await pausedBy(), undefined);
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
    const asking = await ended(api, await begin(api, agent.id, { version: 'draft' }));
    const refused = await turnsOf(api, asking);
    assert.deepEqual([refused[2]?.outcome, refused[2]?.passed], ['refused', false]);
    assert.match(refused[2]?.error ?? '', /A person would have to approve/);
    const positions = async (filter: string) =>
      (await turnsOf(api, asking, filter)).map(({ position }) => position);
    assert.deepEqual(await positions('&passed=false'), [2]);
    assert.deepEqual(await positions('&passed=true'), [0, 1, 3]);
    assert.deepEqual(await positions('&passed=false&outcome=same'), []);
    assert.deepEqual(requests(), before);
  });

  it('of a draft is one of its version once exactly that draft is published, also as a candidate', async () => {
    const { api, agent } = await recorded();
    const rehearseDraft = async (instructions: string) => {
      await draft(api, agent.id, { instructions });
      return await ended(api, await begin(api, agent.id, { version: 'draft' }));
    };
    const earlier = await rehearseDraft('Be brief.');
    const exact = await rehearseDraft('Be very brief.');
    const publish = async (body: object) => {
      const answer = await api.call('POST', `/agents/${agent.id}/versions`, { body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const versions = async (...all: Rehearsal[]) =>
      await Promise.all(all.map(async (one) => (await ended(api, one)).version));
    await publish({});
    assert.deepEqual(await versions(earlier, exact), ['draft', 2]);
    const candidate = await rehearseDraft('Be friendly.');
    await publish({ percent: 10 });
    assert.deepEqual(await versions(earlier, exact, candidate), ['draft', 2, 3]);
  });

  it('runs a tool that only reads if that is allowed, and never one that writes', async () => {
    const { api, agent, script, find, pay, requests } = await recorded();
    shop.behave(`/${find}?id=8`, { body: 'found too' });
    const [result, , , boss, hello] = script;
    await draft(api, agent.id, {
      script: [result, call('find', find, '8'), call('pay', pay, '8'), boss, hello],
    });
    const before = requests();
    const body = { version: 'draft', run_read_only_tools: true };
    const [, found, paid] = await turnsOf(api, await ended(api, await begin(api, agent.id, body)));
    assert.deepEqual([found?.outcome, found?.diverged], ['other_arguments', false]);
    assert.equal(found?.rehearsed?.text, 'It says: found too');
    assert.deepEqual([paid?.outcome, paid?.diverged], ['other_arguments', true]);
    assert.deepEqual(requests(), [before[0], (before[1] ?? 0) + 1, before[2]]);
  });

  it('applies rules and a judge, whose verdicts decide what passes', async () => {
    const { api, agent, script } = await recorded();
    await draft(api, agent.id, { script: [...script.slice(0, 4), { when: 'hello', reply: 'Hi!' }] });
    const rules = [
      { kind: 'does_not_contain', text: 'HI' },
      { kind: 'max_chars', max: 100 },
      { kind: 'json_schema', schema: { type: 'object' } },
    ];
    const ruled = await ended(api, await begin(api, agent.id, { version: 'draft', rules }));
    assert.deepEqual([ruled.passed, ruled.passed_turns], [false, 0]);
    assert.deepEqual(
      (await turnsOf(api, ruled)).map((turn) => turn.broken_rules),
      [[0, 2], [2], [2], [2]],
    );

    const judge = { model: 'custom/judge', criterion: 'Is it polite?' };
    for (const [reply, passes] of [
      ['as_good: both greet', true],
      ['worse: it is curt', false],
      ['I like cats', false],
    ] as const) {
      model.answerWhere(({ model: name }) =>
        name === 'judge' ? { kind: 'stream', text: reply } : undefined,
      );
      const judged = await ended(api, await begin(api, agent.id, { version: 'draft', judge }));
      const [hello, ...others] = await turnsOf(api, judged);
      assert.equal(
        hello?.judgement?.verdict,
        passes ? 'as_good' : reply.startsWith('worse') ? 'worse' : 'unclear',
      );
      assert.ok(others.every(({ judgement }) => judgement === undefined));
      assert.deepEqual([judged.passed, judged.credits > 0], [passes, true]);
      const { rows } = await stack().db.pool.query<{
        model_calls: { model: string; input_tokens: number }[];
      }>('select model_calls from rehearsal_turns where rehearsal_id = $1 order by position', [judged.id]);
      const calls = rows.flatMap(({ model_calls }) => model_calls);
      assert.deepEqual([...new Set(calls.map((one) => one.model))].toSorted(), [
        'custom/judge',
        'scripted/default',
      ]);
      const ofJudge = calls.filter((one) => one.model === 'custom/judge');
      assert.deepEqual([ofJudge.length, (ofJudge[0]?.input_tokens ?? 0) > 0], [1, true]);
    }
    const refused = await api.refused(422, 'POST', `/agents/${agent.id}/rehearsals`, {
      body: { rules: [{ kind: 'json_schema', schema: { type: 'object', $ref: '#/x' } }] },
    });
    assert.equal(refused.details?.[0]?.path, 'rules.0.schema.$ref');
  });

  it('the newest 50 are kept', async () => {
    const { api, agent } = await recorded();
    const first = await ended(api, await begin(api, agent.id));
    await stack().db.pool.query(
      `insert into rehearsals select copy.* from rehearsals r, generate_series(1, 60) n,
        jsonb_populate_record(r, jsonb_build_object('id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))) copy
        where r.id = $1`,
      [first.id],
    );
    const last = await ended(api, await begin(api, agent.id));
    const page = await api.call('GET', `/agents/${agent.id}/rehearsals?limit=100`);
    const ids = pageOf(rehearsal.strict())
      .parse(page.body)
      .data.map(({ id }) => id);
    assert.equal(ids.length, 50);
    assert.deepEqual(ids.slice(0, 2), [last.id, first.id]);
    assert.equal(ids.at(-1), '00000000-0000-7000-8000-000000000013');
  });

  it('is cancelled, resumed, found again by recovery, and erased with its conversations', async () => {
    const { api, agent, script } = await recorded();
    const slow = { when: 'hello', reply: 'Hello.', delay_ms: 60_000 };
    await draft(api, agent.id, { script: [...script.slice(0, 4), slow] });
    const begun = await begin(api, agent.id, { version: 'draft' });
    await until('three turns to be asked', async () => (await read(api, begun)).done === 3);
    const path = `/agents/${agent.id}/rehearsals/${begun.id}`;
    assert.equal((await api.call('POST', `${path}/cancel`)).status, 200);
    assert.equal((await read(api, begun)).status, 'cancelled');
    await api.refused(409, 'POST', `${path}/cancel`);
    const { client } = stack().temporal;
    const handle = client.workflow.getHandle(`rehearsal/${begun.id}`);
    await until('the workflow to end', async () => (await handle.describe()).status.name === 'CANCELLED');

    assert.equal((await api.call('POST', `${path}/resume`)).status, 202);
    await handle.terminate();
    await stack().db.pool.query(
      "update rehearsals set due_at = now() - interval '1 s', content = jsonb_set(content, '{script,4,delay_ms}', '0') where id = $1",
      [begun.id],
    );
    const done = await ended(api, begun);
    assert.deepEqual([done.status, done.done, done.outcomes.same], ['completed', 4, 4]);
    await api.refused(409, 'POST', `${path}/resume`);

    const [first] = await turnsOf(api, done);
    assert.equal((await api.call('DELETE', `/conversations/${first?.conversation_id}`)).status, 204);
    assert.equal((await read(api, done)).turns, 3);
    const { rows } = await stack().db.pool.query(
      "select from rehearsal_turns where rehearsed::text like '%Hello.%' and rehearsal_id = $1",
      [begun.id],
    );
    assert.deepEqual(rows.length, 0);
  });

  it('asks the turns of the test set, and counts its credits under the cap of the agent', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ model: 'custom/judge' });
    for (const message of ['one', 'two', 'three']) await api.ask(agent.id, { message });
    const path = `/agents/${agent.id}/test-turns`;
    await api.refused(409, 'POST', `/agents/${agent.id}/rehearsals`, { body: { source: 'test_set' } });
    const { conversation_id } = await api.ask(agent.id, { message: 'four' });
    const added = await api.call('POST', path, { body: { conversation_id } });
    assert.deepEqual(added.body, { added: 1, turns: 1 });
    assert.deepEqual((await api.call('POST', path, { body: { conversation_id } })).body, {
      added: 0,
      turns: 1,
    });
    const tested = await ended(api, await begin(api, agent.id, { source: 'test_set' }));
    assert.deepEqual([tested.turns, tested.done], [1, 1]);

    await api.changeAgent(agent.id, { credit_caps: { day: 0.001 } });
    const capped = await ended(api, await begin(api, agent.id));
    assert.deepEqual([capped.turns, capped.outcomes.failed], [4, 4]);
    const [turn] = await turnsOf(api, capped);
    assert.match(turn?.error ?? '', /cap of 0.001 credits per day on this agent/);
  });
});
