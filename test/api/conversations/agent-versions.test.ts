/** Versions of agents: what is recorded, compared and rolled back, and what runs in progress keep. */
import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import {
  agentDraft,
  listedAgentVersion,
  agentVersionDetail,
  type ListedAgentVersion,
  type AgentVersionDetail,
} from '../../../src/contract/conversations/agent-versions.ts';
import { pageOf } from '../../../src/contract/page.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { withHeldSteps } from '../../support/held-steps.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const versionList = pageOf(listedAgentVersion.strict());
/** The group closes with its second message, however long that takes. */
const twoInAGroup = { grouping_window_seconds: 60, grouping_max_messages: 2 };

describe('Versions of an agent', () => {
  const stack = useSharedStack();

  const good = (answer: { status: number; body: unknown }): unknown => {
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const versionsOf = async (api: ApiClient, id: string): Promise<ListedAgentVersion[]> =>
    versionList.parse(good(await api.call('GET', `/agents/${id}/versions?limit=100`))).data;
  const read = async (api: ApiClient, id: string, path: string): Promise<AgentVersionDetail> =>
    agentVersionDetail.strict().parse(good(await api.call('GET', `/agents/${id}/versions/${path}`)));
  const rollBack = async (api: ApiClient, id: string, body: object): Promise<AgentVersionDetail> =>
    agentVersionDetail.strict().parse(good(await api.call('POST', `/agents/${id}/rollback`, { body })));

  it('records each change of what changes answers, with its author, and nothing else', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ instructions: 'one' });
    assert.equal(agent.version, 1);
    const changes = [
      { instructions: 'two' },
      { model: 'scripted/default' },
      { script: [{ reply: 'ok' }] },
      { follow_ups: [{ after_seconds: 60, instructions: 'Ask again.' }] },
      { transfers_to: [agent.id] },
      { tools: ['DOCS_LIST_USERS'] },
      { connections: [] },
    ];
    for (const [index, change] of changes.entries())
      assert.equal((await api.changeAgent(agent.id, change)).version, index + 2, JSON.stringify(change));
    for (const same of [{}, { name: agent.name }, { description: 'x' }, { active: false }, ...changes])
      assert.equal((await api.changeAgent(agent.id, same)).version, 8, JSON.stringify(same));

    const listed = await versionsOf(api, agent.id);
    assert.deepEqual(
      listed.map(({ version, published }) => [version, published]),
      [8, 7, 6, 5, 4, 3, 2, 1].map((version) => [version, version === 8]),
    );
    assert.ok(listed.every(({ author }) => author?.startsWith('API token ')));
    assert.ok(
      listed.every(
        ({ created_at, note, restores }) => created_at !== null && note === null && restores === null,
      ),
    );
    const changed = async () => (await versionsOf(api, agent.id)).map((version) => version.changed);
    const fields = changes.map((change) => Object.keys(change));
    assert.deepEqual(await changed(), [...fields.toReversed(), null]);
    // An earlier version of Parley stored no model, and no time.
    await stack()
      .db.knex('agent_versions')
      .where({ agent_id: agent.id, version: 3 })
      .update({ created_at: null });
    assert.deepEqual((await changed()).slice(4), [[], [], ['instructions'], null]);
    const page = versionList.parse(good(await api.call('GET', `/agents/${agent.id}/versions?limit=3`)));
    const next = versionList.parse(
      good(await api.call('GET', `/agents/${agent.id}/versions?limit=3&cursor=${page.next_cursor}`)),
    );
    assert.deepEqual(
      [...page.data, ...next.data].map(({ version }) => version),
      [8, 7, 6, 5, 4, 3],
    );
  });

  it('counts the lines of the instructions that a version changes, and how its runs of the last 7 days ended', async () => {
    const { api } = await stack().stranger();
    const { db } = stack();
    const agent = await api.createAgent({ instructions: 'one\ntwo\nthree', script: [{ reply: 'ok' }] });
    await api.changeAgent(agent.id, { instructions: 'one\nthree\nfour\nfive' });
    await api.changeAgent(agent.id, { instructions: 'three\none\nfour\nfive' });
    await api.changeAgent(agent.id, { tools: ['DOCS_LIST_USERS'] });
    const runOf = async (message: object) => {
      const { conversation_id } = await api.ask(agent.id, { message: 'hi', ...message });
      return { conversation_id };
    };
    const conversations = [await runOf({}), await runOf({}), await runOf({}), await runOf({})];
    const [failed, old, test] = conversations.slice(1);
    await db.knex('runs').where({ conversation_id: failed!.conversation_id }).update({ state: 'failed' });
    await db
      .knex('runs')
      .where({ conversation_id: old!.conversation_id })
      .update({ finished_at: db.knex.raw("finished_at - interval '8 days'") });
    await db.knex('conversations').where({ id: test!.conversation_id }).update({ is_test: true });
    const none = { answered: 0, failed: 0 };
    assert.deepEqual(
      (await versionsOf(api, agent.id)).map(({ changed_lines, last_7_days }) => [changed_lines, last_7_days]),
      [
        [null, { answered: 1, failed: 1 }],
        [null, none],
        [{ added: 2, removed: 1 }, none],
        [null, none],
      ],
    );
  });

  it('shows the content of a version, and how it differs from the one before or from any other', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ instructions: 'one', script: [{ reply: 'a' }] });
    await api.changeAgent(agent.id, { instructions: 'two', tools: ['DOCS_LIST_USERS'] });
    await api.changeAgent(agent.id, { instructions: 'three', script: null });
    const first = await read(api, agent.id, '1');
    assert.deepEqual([first.compared_with, first.changes], [null, []]);
    assert.deepEqual(first.content, {
      ...{ instructions: 'one', model: null, fallback_model: null, script: [{ reply: 'a' }], follow_ups: [] },
      ...{
        transfers_to: [],
        may_hand_over: false,
        tools: [],
        tool_policies: [],
        approvers: [],
        connections: null,
      },
      ...{ temperature: null, max_output_tokens: null, reasoning_effort: null, output_schema: null },
    });
    assert.deepEqual((await read(api, agent.id, '2')).changes, [
      { field: 'instructions', before: 'one', after: 'two' },
      { field: 'tools', before: [], after: ['DOCS_LIST_USERS'] },
    ]);
    const against = await read(api, agent.id, '1?compare_with=3');
    assert.equal(against.compared_with, 3);
    assert.deepEqual(against.changes, [
      { field: 'instructions', before: 'three', after: 'one' },
      { field: 'script', before: null, after: [{ reply: 'a' }] },
      { field: 'tools', before: ['DOCS_LIST_USERS'], after: [] },
    ]);
    for (const path of ['4', '1?compare_with=9', '0', 'x', '99999999999', '1?compare_with=x', '1?surprise=1'])
      assert.ok(
        [404, 422].includes((await api.call('GET', `/agents/${agent.id}/versions/${path}`)).status),
        path,
      );
  });

  it('keeps the parameters of the model in versions, and a rollback restores them', async () => {
    const { api } = await stack().stranger();
    const parameters = { temperature: 0.2, max_output_tokens: 300, reasoning_effort: 'low' };
    const agent = await api.createAgent(parameters);
    await api.changeAgent(agent.id, { temperature: 1, max_output_tokens: null, reasoning_effort: 'high' });
    assert.deepEqual((await read(api, agent.id, '2')).changes, [
      { field: 'temperature', before: 0.2, after: 1 },
      { field: 'max_output_tokens', before: 300, after: null },
      { field: 'reasoning_effort', before: 'low', after: 'high' },
    ]);
    await rollBack(api, agent.id, { version: 1 });
    const { version, ...restored } = (await api.call('GET', `/agents/${agent.id}`)).body as typeof agent;
    assert.equal(version, 3);
    assert.deepEqual({ ...restored, ...parameters }, restored);
    const draft = await api.call('PUT', `/agents/${agent.id}/draft`, { body: { temperature: null } });
    assert.equal((draft.body as { content: { temperature: unknown } }).content.temperature, null);
    good(await api.call('POST', `/agents/${agent.id}/versions`, { body: {} }));
    const published = (await api.call('GET', `/agents/${agent.id}`)).body as typeof agent;
    assert.deepEqual([published.temperature, published.max_output_tokens], [undefined, 300]);
  });

  it('rolls back by publishing the earlier content as a new version, once', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ instructions: 'one', script: [{ reply: 'first' }] });
    await api.changeAgent(agent.id, {
      instructions: 'two',
      script: [{ reply: 'second' }],
      name: 'Kept name',
    });
    const asked = await api.ask(agent.id, { message: 'hello' });
    assert.equal(asked.response, 'second');
    const back = await rollBack(api, agent.id, { version: 1, note: 'The new one was rude.' });
    assert.deepEqual(
      [back.version, back.published, back.restores, back.note, back.content.instructions],
      [3, true, 1, 'The new one was rude.', 'one'],
    );
    assert.deepEqual((await read(api, agent.id, '3?compare_with=1')).changes, []);
    const again = await api.ask(agent.id, { message: 'hello', conversation_id: asked.conversation_id });
    assert.equal(again.response, 'first');
    assert.deepEqual(
      (await api.messages(asked.conversation_id)).flatMap((one) =>
        one.role === 'agent' ? [[one.text, one.agent_version]] : [],
      ),
      [
        ['second', 2],
        ['first', 3],
      ],
    );
    assert.equal((await rollBack(api, agent.id, { version: 1 })).version, 3);
    assert.equal((await versionsOf(api, agent.id)).length, 3);
    assert.equal((good(await api.call('GET', `/agents/${agent.id}`)) as { name: string }).name, 'Kept name');
    await api.refused(422, 'POST', `/agents/${agent.id}/rollback`, { body: { version: 4 } });
    await api.refused(422, 'POST', `/agents/${agent.id}/rollback`, { body: {} });
  });

  it('refuses to roll back to what no longer exists, and over a change that the caller has not seen', async () => {
    const { api } = await stack().stranger();
    const other = await api.createAgent();
    const agent = await api.createAgent({ transfers_to: [other.id] });
    const changed = await api.changeAgent(agent.id, { transfers_to: [] });
    const path = `/agents/${agent.id}/rollback`;
    const stale = { 'if-match': `"${agent.updated_at}"` };
    const conflict = await api.refused(409, 'POST', path, { body: { version: 1 }, headers: stale });
    assert.equal(conflict.code, 'version_conflict');
    assert.equal((await api.call('DELETE', `/agents/${other.id}`)).status, 204);
    const refused = await api.refused(422, 'POST', path, { body: { version: 1 } });
    assert.deepEqual(
      refused.details?.map(({ path: field }) => field),
      ['transfers_to.0'],
    );
    assert.equal((await versionsOf(api, agent.id))[0]?.version, changed.version);
  });

  it('of many roll-backs at once, one publishes and the others are refused or find it done', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ instructions: 'one' });
    await api.changeAgent(agent.id, { instructions: 'two' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        api.call('POST', `/agents/${agent.id}/rollback`, { body: { version: 1 } }),
      ),
    );
    assert.ok(
      answers.every(({ status }) => status === 200 || status === 409),
      JSON.stringify(answers),
    );
    assert.ok(answers.some(({ status }) => status === 200));
    assert.equal((await versionsOf(api, agent.id)).length, 3);
  });

  it('a run keeps the version that it began with, also after tools; the next run has the new one', async () => {
    const { api } = await stack().stranger();
    const tool = { action: 'DOCS_LIST_USERS', input: {} };
    const agent = await api.createAgent({
      script: [{ when: 'go', tool }, { on: 'tool_result', reply: 'by the old one' }, { reply: 'old' }],
    });
    const { knex } = stack().db;
    const { id, run_id } = await withHeldSteps(stack(), async () => {
      const { conversation_id } = await api.send(agent.id, {
        ...{ message: 'go', webhook_url: stack().receiver.url('/keeps-its-version') },
      });
      const running = await until('the run', async () =>
        knex<{ id: string; conversation_id: string; state: string }>('runs')
          .where({ conversation_id, state: 'running' })
          .first(),
      );
      await api.changeAgent(agent.id, {
        script: [{ on: 'tool_result', reply: 'by the new one' }, { reply: 'new' }],
      });
      return { id: conversation_id, run_id: running.id };
    });
    await api.settled(id);
    await api.send(agent.id, { message: 'again', conversation_id: id });
    assert.deepEqual(
      (await api.settled(id, 2)).flatMap((one) =>
        one.role === 'agent' ? [[one.text, one.agent_version]] : [],
      ),
      [
        ['by the old one', 1],
        ['new', 2],
      ],
    );
    assert.equal((await api.deliveries({ conversation_id: id }))[0]?.agent_version, 1);
    const steps = await knex<{ run_id: string; agent_version: number }>('run_steps').where({ run_id });
    assert.deepEqual(
      steps.map(({ agent_version }) => agent_version),
      [1, 1],
    );
  });

  it('each agent of a run keeps its own version through transfers there and back', async () => {
    const { api } = await stack().stranger();
    const desk = await api.createAgent({ name: 'Desk' });
    const front = await api.createAgent({
      name: 'Front',
      transfers_to: [desk.id],
      script: [
        { when: 'back', reply: 'front at last' },
        { reply: 'to the desk', transfer_to: 'Desk' },
      ],
    });
    await api.changeAgent(desk.id, { script: [{ reply: 'desk, old' }] });
    const { knex } = stack().db;
    const id = await withHeldSteps(stack(), async () => {
      const { conversation_id } = await api.send(front.id, { message: 'hello' });
      const running = knex('runs').where({ conversation_id, state: 'running' });
      await until('the run', async () => (await running.clone()).length > 0);
      await api.changeAgent(desk.id, { script: [{ reply: 'desk, new' }] });
      return conversation_id;
    });
    // The run reaches the desk only now, so it gets what is published at that time.
    assert.deepEqual(
      (await api.settled(id, 2)).flatMap((one) =>
        one.role === 'agent' ? [[one.text, one.agent_version]] : [],
      ),
      [
        ['to the desk', 1],
        ['desk, new', 3],
      ],
    );
  });

  it('keeps versions that a conversation was answered with, beyond the newest 50', async () => {
    const { api } = await stack().stranger();
    const desk = await api.createAgent({ name: 'Desk', script: [{ reply: 'desk' }] });
    const agent = await api.createAgent({
      ...{ instructions: 'v1', transfers_to: [desk.id], script: [{ reply: 'over', transfer_to: 'Desk' }] },
    });
    const first = await api.ask(agent.id, { message: 'left by a transfer' });
    await api.changeAgent(agent.id, { instructions: 'v2', script: [{ reply: 'ok' }] });
    const second = await api.ask(agent.id, { message: 'answered' });
    const kept = async () => {
      const rows = await stack()
        .db.knex<{ agent_id: string; version: number }>('agent_versions')
        .where({ agent_id: agent.id });
      return rows.map(({ version }) => version).sort((a, b) => a - b);
    };
    for (let n = 3; n <= 55; n++) await api.changeAgent(agent.id, { instructions: `v${n}` });
    assert.deepEqual((await kept()).slice(0, 3), [1, 2, 5]);
    for (const { conversation_id } of [first, second])
      assert.equal((await api.call('DELETE', `/conversations/${conversation_id}`)).status, 204);
    await until('both conversations to be erased', async () => {
      const left = await stack()
        .db.knex('conversations')
        .whereIn('id', [first.conversation_id, second.conversation_id]);
      return left.length === 0;
    });
    await api.changeAgent(agent.id, { instructions: 'v56' });
    const last = await kept();
    assert.deepEqual([last[0], last.length], [6, 51]);
  });

  it('a draft changes no answer before it is published, once, over the version on which it was saved', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ instructions: 'one', script: [{ reply: 'old' }] });
    const at = (path: string) => `/agents/${agent.id}/${path}`;
    const none = await api.refused(409, 'POST', at('versions'), { body: {} });
    assert.equal(none.code, 'invalid_state');
    await api.refused(404, 'GET', at('draft'));
    const save = async (body: object) => {
      const answer = await api.call('PUT', at('draft'), { body });
      return agentDraft.strict().parse(good(answer));
    };
    await save({ instructions: 'lost' });
    const draft = await save({ script: [{ reply: 'new' }] });
    assert.deepEqual([draft.base_version, draft.content.instructions], [1, 'one']);
    assert.deepEqual(good(await api.call('GET', at('draft'))), draft);
    assert.equal((await api.ask(agent.id, { message: 'hello' })).response, 'old');

    await api.changeAgent(agent.id, { instructions: 'two' });
    const stale = await api.refused(409, 'POST', at('versions'), { body: {} });
    assert.equal(stale.code, 'version_conflict');
    assert.equal((await versionsOf(api, agent.id)).length, 2);
    await save({ script: [{ reply: 'new' }] });
    const publishers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => api.call('POST', at('versions'), { body: { note: `by ${n}` } })),
    );
    const done = publishers.filter(({ status }) => status === 200);
    assert.ok(
      publishers.every(({ status }) => status === 200 || status === 409),
      JSON.stringify(publishers),
    );
    assert.equal(done.length, 1);
    const [published] = await versionsOf(api, agent.id);
    assert.deepEqual([published?.version, published?.published], [3, true]);
    assert.match(published?.note ?? '', /^by \d$/);
    assert.equal((await api.ask(agent.id, { message: 'hello' })).response, 'new');
    await api.refused(404, 'GET', at('draft'));
  });

  it('of two editors of a draft, the second gets a conflict; neither publishes or discards what it has not read', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ instructions: 'one' });
    const at = (path: string) => `/agents/${agent.id}/${path}`;
    const seeing = (updated_at: string) => ({ headers: { 'if-match': `"${updated_at}"` } });
    const save = async (instructions: string, updated_at: string) =>
      agentDraft
        .strict()
        .parse(good(await api.call('PUT', at('draft'), { body: { instructions }, ...seeing(updated_at) })));
    const isConflict = async (method: string, path: string, more: object) => {
      assert.equal((await api.refused(409, method, at(path), more)).code, 'version_conflict', path);
    };

    const first = await save('mine', agent.updated_at);
    await isConflict('PUT', 'draft', { body: { instructions: 'theirs' }, ...seeing(agent.updated_at) });
    const second = await save('both', first.updated_at);
    assert.ok(second.updated_at > first.updated_at);
    await isConflict('POST', 'versions', { body: {}, ...seeing(first.updated_at) });
    await isConflict('DELETE', 'draft', seeing(first.updated_at));
    const base = await api.refused(409, 'PUT', at('draft'), { body: { base_version: 2 } });
    assert.equal(base.code, 'version_conflict');
    assert.deepEqual(good(await api.call('GET', at('draft'))), second);

    const racers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        api.call('PUT', at('draft'), {
          body: { instructions: `by ${n}`, base_version: 1 },
          ...seeing(second.updated_at),
        }),
      ),
    );
    assert.deepEqual(racers.map(({ status }) => status).sort(), [
      200,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    const last = agentDraft.strict().parse(good(await api.call('GET', at('draft'))));
    assert.deepEqual(racers.find(({ status }) => status === 200)?.body, last);
    for (const percent of [0, 101, 1.5, -1, '10'])
      await api.refused(422, 'POST', at('versions'), { body: { percent } });
    for (const percent of [101, 1.5, -1]) {
      const body = { version: 1, percent };
      await api.refused(422, 'PUT', at('candidate'), { body });
    }
    assert.equal((await api.call('DELETE', at('draft'), seeing(last.updated_at))).status, 204);
    await api.refused(404, 'DELETE', at('draft'));
    assert.equal((await versionsOf(api, agent.id)).length, 1);
  });

  it('keeps at most 50 candidates that nothing was answered with', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ instructions: 'published' });
    const at = (path: string) => `/agents/${agent.id}/${path}`;
    for (let n = 2; n <= 61; n++) {
      good(await api.call('PUT', at('draft'), { body: { instructions: `v${n}` } }));
      good(await api.call('POST', at('versions'), { body: { percent: 1 } }));
    }
    const kept = (await versionsOf(api, agent.id)).map(({ version }) => version);
    assert.deepEqual([kept.length, kept[0], kept.at(-1), kept.at(-2)], [52, 61, 1, 11]);
    assert.equal((await read(api, agent.id, '61')).candidate_percent, 1);
    const oldest = await api.refused(422, 'PUT', at('candidate'), { body: { version: 2, percent: 1 } });
    assert.match(JSON.stringify(oldest.details), /version/);
  });

  it('gives a candidate its share of new conversations, each permanently, until it ends or is published', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ script: [{ reply: 'published' }] });
    const at = (path: string) => `/agents/${agent.id}/${path}`;
    await api.call('PUT', at('draft'), { body: { script: [{ reply: 'candidate' }] } });
    const made = agentVersionDetail
      .strict()
      .parse(good(await api.call('POST', at('versions'), { body: { percent: 10 } })));
    assert.deepEqual([made.version, made.published, made.candidate_percent], [2, false, 10]);
    const begin = async (count: number) => {
      const ids: string[] = [];
      while (ids.length < count) {
        const sent = await Promise.all(
          Array.from({ length: 20 }, () => api.send(agent.id, { message: 'a' })),
        );
        ids.push(...sent.map(({ conversation_id }) => conversation_id));
      }
      return ids;
    };
    /** Finds the conversations that the share would draw, by the function that accept_input calls. */
    const drawnBy = async (ids: string[], percent: number) => {
      const { rows } = await stack().db.pool.query<{ id: string }>(
        `select c::text as id from unnest($1::uuid[]) c, agents a,
           jsonb_populate_record(a, jsonb_build_object('candidate_percent', $3::integer)) shared
           where a.id = $2 and draws_candidate(shared, c)`,
        [ids, agent.id, percent],
      );
      return rows.map(({ id }) => id);
    };
    const many = Array.from({ length: 10_000 }, () => newId());
    const tenth = await drawnBy(many, 10);
    assert.ok(tenth.length > 850 && tenth.length < 1150, `${tenth.length} of 10,000`);
    assert.deepEqual(await drawnBy(many, 10), tenth);
    assert.deepEqual(await drawnBy(tenth, 60), tenth);
    assert.deepEqual([(await drawnBy(many, 0)).length, (await drawnBy(many, 100)).length], [0, 10_000]);

    const { pool } = stack().db;
    const drawnOf = async (ids: string[]) => {
      const { rows } = await pool.query<{ id: string }>(
        'select id from conversations where id = any($1) and candidate_version = 2 and candidate_agent_id = $2',
        [ids, agent.id],
      );
      return rows.map(({ id }) => id);
    };
    const first = await begin(80);
    const drawn = await drawnOf(first);
    assert.deepEqual(drawn.sort(), (await drawnBy(first, 10)).sort());
    assert.ok(drawn.length > 0 && drawn.length < 30, `${drawn.length} of 80`);
    const answered = async (ids: readonly string[], messages: number) =>
      await Promise.all(
        ids.map(async (id) =>
          (await api.settled(id, messages, 100_000)).flatMap((one) =>
            one.role === 'agent' ? [`${one.text} ${one.agent_version}`] : [],
          ),
        ),
      );
    const others = first.filter((id) => !drawn.includes(id));
    const some = [...drawn.slice(0, 3), ...others.slice(0, 3)];
    const expected = some.map((id) => (drawn.includes(id) ? 'candidate 2' : 'published 1'));
    assert.deepEqual(
      await answered(some, 1),
      expected.map((one) => [one]),
    );

    // A larger share changes no conversation that has begun.
    good(await api.call('PUT', at('candidate'), { body: { version: 2, percent: 60 } }));
    for (const conversation_id of some) await api.send(agent.id, { message: 'b', conversation_id });
    assert.deepEqual(
      await answered(some, 2),
      expected.map((one) => [one, one]),
    );

    good(await api.call('PUT', at('candidate'), { body: { version: 2, percent: 0 } }));
    for (const conversation_id of some) await api.send(agent.id, { message: 'c', conversation_id });
    assert.deepEqual(
      (await answered(some, 3)).map((texts) => texts.at(-1)),
      expected.map(() => 'published 1'),
    );
    const gone = await api.refused(409, 'PUT', at('candidate'), { body: { version: 2, percent: 100 } });
    assert.equal(gone.code, 'invalid_state');
    for (const percent of [50, 100])
      good(await api.call('PUT', at('candidate'), { body: { version: 2, percent } }));
    assert.equal((await api.ask(agent.id, { message: 'd' })).response, 'candidate');
    assert.deepEqual(
      (await versionsOf(api, agent.id)).map((one) => [one.version, one.published, one.candidate_percent]),
      [
        [2, true, null],
        [1, false, null],
      ],
    );
    await api.refused(409, 'PUT', at('candidate'), { body: { version: 2, percent: 10 } });
    await api.refused(422, 'PUT', at('candidate'), { body: { version: 9, percent: 10 } });
    const next = await api.changeAgent(agent.id, { script: [{ reply: 'third' }] });
    assert.equal(next.version, 3);
  });

  it('a draft is tried in a test conversation, which keeps it, and is no version', async () => {
    const { api } = await stack().stranger();
    const { db } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'published' }] });
    const at = (path: string) => `/agents/${agent.id}/${path}`;
    const none = await api.refused(409, 'POST', `/chat/${agent.id}`, { body: { message: 'a', draft: true } });
    assert.equal(none.code, 'invalid_state');
    const save = async (reply: string) => {
      good(await api.call('PUT', at('draft'), { body: { script: [{ reply }] } }));
    };
    const ask = async (more: object) => await api.ask(agent.id, { message: 'hello', ...more });
    const kept = async () => {
      const rows = await db.knex<{ agent_id: string; version: number }>('agent_versions').where({
        agent_id: agent.id,
      });
      return rows.map(({ version }) => version).sort((a, b) => a - b);
    };
    await save('first draft');
    const first = await ask({ draft: true });
    assert.equal(first.response, 'first draft');
    assert.equal((await ask({ draft: true })).response, 'first draft');
    assert.deepEqual(await kept(), [-1, 1]);
    await save('second draft');
    assert.equal((await ask({ draft: true })).response, 'second draft');
    assert.equal((await ask({})).response, 'published');
    const { conversation_id } = first;
    assert.equal((await ask({ conversation_id })).response, 'first draft');
    good(await api.call('POST', at('versions'), { body: {} }));
    assert.equal((await ask({ conversation_id })).response, 'first draft');
    assert.equal((await ask({})).response, 'second draft');
    assert.deepEqual(
      (await api.messages(conversation_id)).flatMap((one) =>
        one.role === 'agent' ? [[one.text, one.agent_version]] : [],
      ),
      [
        ['first draft', undefined],
        ['first draft', undefined],
        ['first draft', undefined],
      ],
    );
    assert.deepEqual(
      (await versionsOf(api, agent.id)).map(({ version }) => version),
      [2, 1],
    );
    const previous = await read(api, agent.id, '1');
    assert.deepEqual([previous.compared_with, previous.changes], [null, []]);
    const rows = await db
      .knex<{ target_id: string; is_test: boolean }>('conversations')
      .where({ is_test: true, target_id: agent.id });
    assert.equal(rows.length, 3);
    for (const more of [{ conversation_id }, { contact: { id: 'c' } }])
      await api.refused(422, 'POST', `/chat/${agent.id}`, { body: { message: 'a', draft: true, ...more } });
  });

  it('a candidate is tried in a test conversation, which it answers while it is the candidate', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ script: [{ reply: 'published' }] });
    const chat = `/chat/${agent.id}`;
    const ask = async (more: object) => await api.ask(agent.id, { message: 'hello', ...more });
    const none = await api.refused(409, 'POST', chat, { body: { message: 'a', candidate: true } });
    assert.equal(none.code, 'invalid_state');
    assert.match(none.error, /no candidate.*PUT \/v1\/agents\/\{id\}\/candidate/);
    const body = { script: [{ reply: 'candidate' }] };
    good(await api.call('PUT', `/agents/${agent.id}/draft`, { body }));
    good(await api.call('POST', `/agents/${agent.id}/versions`, { body: { percent: 1 } }));
    const { response, conversation_id } = await ask({ candidate: true });
    assert.equal(response, 'candidate');
    const tests = await stack()
      .db.knex<{ id: string; is_test: boolean; target_id: string }>('conversations')
      .where({
        ...{ is_test: true, target_id: agent.id },
      });
    assert.deepEqual(
      tests.map(({ id }) => id),
      [conversation_id],
    );
    assert.equal((await ask({ conversation_id })).response, 'candidate');
    for (const more of [{ conversation_id }, { contact: { id: 'c' } }, { draft: true }])
      await api.refused(422, 'POST', chat, { body: { message: 'a', candidate: true, ...more } });
    const end = { version: 2, percent: 0 };
    good(await api.call('PUT', `/agents/${agent.id}/candidate`, { body: end }));
    assert.equal((await ask({ conversation_id })).response, 'published');
  });

  it('keeps at most 50 drafts that were tried and that no kept answer came from', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { pool } = stack().db;
    for (let n = 1; n <= 60; n++) {
      const body = { instructions: `Draft ${n}.` };
      good(await api.call('PUT', `/agents/${agent.id}/draft`, { body }));
      await pool.query('select draft_to_try($1)', [agent.id]);
    }
    const { rows } = await pool.query<{ oldest: number; newest: number; count: number }>(
      'select max(version) as oldest, min(version) as newest, count(*) from agent_versions where agent_id = $1 and version < 0',
      [agent.id],
    );
    assert.deepEqual(rows, [{ oldest: -11, newest: -60, count: 50 }]);
  });

  it('a draft is kept while a message that tries it waits for its run, however often its agent changes', async () => {
    const { api } = await stack().stranger();
    const agent = await api.createAgent({ script: [{ reply: 'published' }], ...twoInAGroup });
    good(await api.call('PUT', `/agents/${agent.id}/draft`, { body: { script: [{ reply: 'draft' }] } }));
    const { conversation_id: id } = await api.send(agent.id, {
      ...{ message: 'hello', draft: true, webhook_url: stack().receiver.url('/waits-with-its-draft') },
    });
    const { pool } = stack().db;
    for (let n = 1; n <= 60; n++)
      await pool.query('update agents set instructions = $2 where id = $1', [agent.id, `Version ${n}.`]);
    const { rows } = await pool.query<{ state: string }>(
      'select state from runs where conversation_id = $1',
      [id],
    );
    assert.deepEqual(rows, [{ state: 'collecting' }]);
    await api.send(agent.id, { message: 'and now', conversation_id: id });
    assert.deepEqual(
      (await api.settled(id)).flatMap(({ role, text }) => (role === 'agent' ? [text] : [])),
      ['draft'],
    );
  });

  it('of another organization are not found, and cannot be published', async () => {
    const { api } = await stack().stranger();
    const { api: foreign } = await stack().stranger();
    const agent = await api.createAgent({ instructions: 'one' });
    await api.changeAgent(agent.id, { instructions: 'two' });
    for (const path of ['versions', 'versions/1', 'versions/1?compare_with=2'])
      await foreign.refused(404, 'GET', `/agents/${agent.id}/${path}`);
    await foreign.refused(404, 'POST', `/agents/${agent.id}/rollback`, { body: { version: 1 } });
    await api.call('PUT', `/agents/${agent.id}/draft`, { body: { instructions: 'three' } });
    const others: [method: string, path: string, body?: object][] = [
      ['GET', 'draft'],
      ['DELETE', 'draft'],
      ['PUT', 'draft', { instructions: 'theirs' }],
      ['POST', 'versions', {}],
      ['PUT', 'candidate', { version: 1, percent: 50 }],
    ];
    for (const [method, path, body] of others)
      await foreign.refused(404, method, `/agents/${agent.id}/${path}`, body && { body });
    const draft = agentDraft.strict().parse(good(await api.call('GET', `/agents/${agent.id}/draft`)));
    assert.equal(draft.content.instructions, 'three');
    assert.equal((await versionsOf(api, agent.id)).length, 2);
    assert.equal((await api.call('DELETE', `/agents/${agent.id}`)).status, 204);
    for (const [method, path, body] of others)
      await api.refused(404, method, `/agents/${agent.id}/${path}`, body && { body });
  });
});
