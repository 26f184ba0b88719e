/** How an answer came about, as the console shows it. */
import assert from 'node:assert/strict';
import { eraseExpiredData } from '../../../src/adapters/postgres/data/retention.ts';
import type { RunDetail, RunHistory, StartedTrial } from '../../../src/contract/conversations/run-detail.ts';
import type { Timeline } from '../../../src/contract/conversations/timeline.ts';
import type { ApiAnswer } from '../../support/api-client.ts';
import { signIn, type ConsoleCaller } from '../../support/console-person.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('The inspection of an answer', () => {
  const stack = useSharedStack();

  async function ground() {
    const { api, organizationId } = await stack().stranger();
    const person = await signIn({ ...stack(), organizationId });
    return { api, organizationId, person };
  }
  const good = ({ status, body }: ApiAnswer): unknown => {
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const runsOf = async ({ call }: ConsoleCaller, conversation: string) =>
    (good(await call('GET', `/conversations/${conversation}/timeline`)) as Timeline).entries.map(
      ({ id }) => id,
    );
  const inspect = async ({ call }: ConsoleCaller, run: string, cursor = '') =>
    good(await call('GET', `/runs/${run}${cursor === '' ? '' : `?cursor=${cursor}`}`)) as RunDetail;

  it('shows instructions as they were, model calls with their failures, tools, the transfer, and where the time went', async () => {
    const { api, person } = await ground();
    const { receiver } = stack();
    const billing = await api.createAgent({
      ...{ name: 'Billing', instructions: 'You are the billing desk.', script: [{ reply: 'Paid.' }] },
    });
    const front = await api.createAgent({
      ...{ name: 'Front', instructions: 'Version one.', transfers_to: [billing.id], tools: [] },
      script: [
        {
          when: 'money',
          fail: { message: 'The model is overloaded.', retryable: true, times: 1 },
          tool: { action: 'DOCS_LIST_USERS', input: { page_size: 5 } },
        },
        { on: 'tool_result', reply: 'One moment.', transfer_to: 'Billing' },
      ],
    });
    const { conversation_id: id } = await api.send(front.id, {
      ...{ message: 'Where is my money?', webhook_url: receiver.url('/inspected') },
    });
    await until('both deliveries', async () => {
      const sent = await api.deliveries({ conversation_id: id });
      return sent.length === 2 && sent.every(({ status }) => status === 'delivered');
    });
    const [run = ''] = await runsOf(person, id);
    const before = await inspect(person, run);
    assert.ok(before.agents.every(({ is_current }) => is_current));
    await api.changeAgent(front.id, { instructions: 'Version two.' });
    const { call } = person;
    const seen = await inspect(person, run);

    assert.deepEqual(
      seen.agents.map(({ name, instructions, is_current, transfers_to }) => [
        name,
        instructions,
        is_current,
        transfers_to,
      ]),
      [
        ['Front', 'Version one.', false, ['Billing']],
        ['Billing', 'You are the billing desk.', true, []],
      ],
    );
    assert.deepEqual(
      seen.steps.map(({ kind, agent_name, history_turns, was_cut, model_id }) => [
        kind,
        agent_name,
        history_turns,
        was_cut,
        model_id,
      ]),
      [
        ['tools', 'Front', 0, false, 'scripted/default'],
        ['transfer', 'Front', 0, false, 'scripted/default'],
        ['answer', 'Billing', 0, false, 'scripted/default'],
      ],
    );
    const [first] = seen.steps;
    assert.equal(first?.failure_count, 1);
    assert.deepEqual(
      first.failures.map(({ error, provider_message }) => [error, provider_message]),
      [['The model is overloaded.', null]],
    );
    assert.ok(first.failures.every(({ ms }) => ms !== null && ms >= 0));
    const [tool] = first.calls;
    assert.deepEqual(
      [tool?.name, tool?.status, JSON.parse(tool?.arguments.text ?? ''), tool?.result?.text],
      [
        'DOCS_LIST_USERS',
        'failed',
        { page_size: 5 },
        "Error: the tool DOCS_LIST_USERS is not among this agent's tools.",
      ],
    );
    assert.match(tool?.does ?? '', /people/);
    assert.deepEqual(
      seen.inputs.map(({ text, is_cut }) => [text, is_cut]),
      [['Where is my money?', false]],
    );
    assert.deepEqual(
      seen.answers.map(({ text, pre_transfer }) => [text, pre_transfer]),
      [
        ['One moment.', true],
        ['Paid.', false],
      ],
    );
    assert.deepEqual(
      seen.deliveries.map(({ kind, status }) => [kind, status]),
      [
        ['callback', 'delivered'],
        ['callback', 'delivered'],
      ],
    );
    assert.deepEqual(
      [seen.model_calls, seen.failed_model_calls, seen.tool_calls, seen.state],
      [3, 1, 1, 'answered'],
    );
    // The pause after the first failure is a second.
    const retries = seen.times.find(({ part }) => part === 'retries')?.ms ?? 0;
    assert.ok(retries >= 900, JSON.stringify(seen.times));
    assert.equal(
      seen.times.reduce((sum, { ms }) => sum + ms, 0),
      seen.total_ms,
    );
    assert.equal(seen.next_cursor, null);

    assert.equal((await call('DELETE', `/conversations/${id}`)).status, 204);
    assert.equal((await call('GET', `/runs/${run}`)).status, 404);
  });

  it('lists the earlier messages that the model could read, newest first, with their texts of that time', async () => {
    const { api, person, organizationId } = await ground();
    const agent = await api.createAgent({ script: [{ when: '(.*)', reply: 're $1' }] });
    const { conversation_id: id } = await api.ask(agent.id, { message: 'first' });
    for (let n = 0; n < 12; n++) await api.ask(agent.id, { message: `m${n}`, conversation_id: id });
    const asked = await api.call('POST', `/conversations/${id}/regenerate`, { body: { sync: true } });
    assert.equal(asked.status, 200, JSON.stringify(asked.body));
    await api.ask(agent.id, { message: 'last', conversation_id: id });
    const { knex } = stack().db;
    const [run = ''] = (await runsOf(person, id)).slice(-1);
    // A language model would have received them.
    await knex('run_steps').where({ run_id: run }).update({ history_turns: 24 });
    const later = new Date(Date.now() + 60_000).toISOString();
    await knex('messages')
      .where({ organization_id: organizationId, text: 'm11' })
      .update({ edits: JSON.stringify([{ text: 'm11 before', replaced_at: later }]) });
    const history = async (of: string) => {
      const turns: string[] = [];
      for (let cursor = ''; ;) {
        const path = `/runs/${of}/history${cursor === '' ? '' : `?cursor=${cursor}`}`;
        const page = good(await person.call('GET', path)) as RunHistory;
        assert.ok(page.data.length <= 20);
        turns.push(...page.data.map(({ text }) => text));
        if (page.next_cursor === null) return turns;
        cursor = page.next_cursor;
      }
    };
    const seen = await history(run);
    assert.equal(seen.length, 24);
    // The replaced answer is not among them.
    assert.deepEqual(seen.slice(0, 4), ['re m11', 'm11 before', 're m10', 'm10']);
    // The run that was replaced: its inputs are now those of the run that replaced it.
    const replaced = (await runsOf(person, id)).at(-3) ?? '';
    await knex('run_steps').where({ run_id: replaced }).update({ history_turns: null });
    const old = await inspect(person, replaced);
    assert.deepEqual(
      old.answers.map((one) => [one.text, one.replaced]),
      [['re m11', true]],
    );
    assert.deepEqual(
      old.inputs.map(({ text }) => text),
      ['m11 before'],
    );
    assert.deepEqual((await history(replaced)).slice(0, 2), ['re m10', 'm10']);
  });

  it('pages a run of hundreds of steps and tool calls, each page of bounded size', async () => {
    const { api, person } = await ground();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'x'.repeat(10_000) });
    const [run = ''] = await runsOf(person, conversation_id);
    const { pool } = stack().db;
    await pool.query(
      `insert into run_steps (run_id, step, agent_id, kind, text, model) select $1, n, $2, 'tools', repeat('t', 100000), 'm' from generate_series(1, 300) n`,
      [run, agent.id],
    );
    await pool.query(
      `insert into tool_calls (run_id, step, position, call_id, name, input, status, result)
         select $1, n, p, p::text, 'DOCS_LIST_USERS', jsonb_build_object('text', repeat('a', 50000)), 'succeeded', repeat('r', 50000)
           from generate_series(1, 300) n, generate_series(0, case when n = 5 then 450 else 0 end) p`,
      [run],
    );
    const steps = new Set<number>();
    const calls: string[] = [];
    let pages = 0;
    for (let cursor = ''; ;) {
      const page = await inspect(person, run, cursor);
      assert.ok(JSON.stringify(page).length < 2_000_000);
      assert.ok(page.steps.length <= 12);
      for (const { step, calls: made } of page.steps) {
        steps.add(step);
        for (const one of made) {
          calls.push(`${step}.${one.position}`);
          assert.ok(one.arguments.is_cut && one.result?.is_cut);
        }
      }
      pages += 1;
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    assert.equal(steps.size, 301);
    assert.equal(calls.length, 750);
    assert.equal(new Set(calls).size, 750);
    assert.ok(pages >= 26, String(pages));
    const [first] = (await inspect(person, run)).inputs;
    assert.deepEqual([first?.text.length, first?.is_cut], [4000, true]);
  });

  it('keeps at most 50 replaced versions of an agent, and at most 4 MiB of them', async () => {
    const { api } = await ground();
    const agent = await api.createAgent({ instructions: 'v1' });
    const { knex } = stack().db;
    const kept = async () =>
      await knex<{ agent_id: string; version: number; instructions: string }>('agent_versions')
        .where({ agent_id: agent.id })
        .orderBy('version');
    await api.changeAgent(agent.id, { description: 'no model reads it', active: false });
    assert.deepEqual(
      (await kept()).map(({ version }) => version),
      [1],
    );
    for (let n = 2; n <= 55; n++) await api.changeAgent(agent.id, { instructions: `v${n}` });
    assert.deepEqual((await kept()).map(({ version, instructions }) => [version, instructions]).slice(0, 1), [
      [5, 'v5'],
    ]);
    assert.equal((await kept()).length, 51);
    for (const sign of 'abcdefghijklmnopqrstuvwxyz')
      await api.changeAgent(agent.id, { instructions: `${'é'.repeat(99_999)}${sign}` });
    const large = await kept();
    const bytes = large
      .slice(0, -1)
      .reduce((sum, { instructions }) => sum + Buffer.byteLength(instructions), 0);
    assert.ok(bytes <= 4_194_304 && large.length >= 20, `${large.length} with ${bytes}`);
  });

  it('is tried again in a conversation that accepts nothing, has no follow-up, and is exported with its contact', async () => {
    const { api, person } = await ground();
    const agent = await api.createAgent({
      ...{ name: 'Silent', follow_ups: [{ after_seconds: 60, instructions: 'Ask again.' }] },
      script: [{ reply: 'ok' }],
    });
    const contact = { id: 'tried contact' };
    const { conversation_id } = await api.ask(agent.id, { message: 'hello', contact });
    const [run = ''] = await runsOf(person, conversation_id);
    const { pool } = stack().db;
    const long = 'é'.repeat(99_990);
    await pool.query(
      `insert into messages (id, organization_id, conversation_id, run_id, run_ordinal, seq, origin, text, quotes, created_at)
         select gen_random_uuid(), organization_id, conversation_id, run_id, run_ordinal, seq + 100, origin, $2, id, created_at
           from messages where conversation_id = $1 and origin = 'user'`,
      [conversation_id, `${long} the end`],
    );
    const made = await person.call('POST', `/runs/${run}/try`, { instructions: 'Be brief.' });
    assert.equal(made.status, 202, JSON.stringify(made.body));
    const trial = made.body as StartedTrial;
    await until('the trial', async () => (await inspect(person, trial.run_id)).state === 'answered');

    const said = await pool.query<{ text: string }>(
      "select text from messages where conversation_id = $1 and origin = 'user'",
      [trial.conversation_id],
    );
    assert.equal(said.rows[0]?.text.length, 100_000);
    assert.ok(said.rows[0].text.endsWith('é the end') && said.rows[0].text.startsWith(']\né'));
    const outcomes = await pool.query<{ outcome: { next: string; follow_ups?: number[] } }>(
      'select run_outcome(id, null) as outcome from unnest($1::uuid[]) id',
      [[run, trial.run_id]],
    );
    assert.deepEqual(
      outcomes.rows.map(({ outcome }) => [outcome.next, outcome.follow_ups]),
      [
        ['answer', [60]],
        ['answer', undefined],
      ],
    );
    const claimed = await pool.query<{ claimed: unknown }>(
      'select claim_follow_up($1, $2, 1, gen_random_uuid(), $3, null) as claimed',
      [trial.conversation_id, trial.run_id, {}],
    );
    assert.deepEqual(claimed.rows[0]?.claimed, { next: 'superseded' });

    const webhook_url = stack().receiver.url('/of-a-trial');
    const named = await api.call('POST', `/chat/${agent.id}`, {
      body: { message: 'go on', conversation_id: trial.conversation_id, webhook_url },
    });
    assert.equal(named.status, 404, JSON.stringify(named.body));

    const exported = await api.call('GET', `/contacts/${encodeURIComponent(contact.id)}/export`);
    assert.equal(exported.status, 200);
    const lines = (exported.body as string).trimEnd().split('\n');
    assert.deepEqual(
      lines
        .map((line) => JSON.parse(line) as { type: string; id: string })
        .filter(({ type }) => type === 'conversation')
        .map(({ id }) => id),
      [conversation_id, trial.conversation_id],
    );
  });

  it('calls a draft a draft, even once its row has made room for newer drafts', async () => {
    const { api, person } = await ground();
    const agent = await api.createAgent({ script: [{ reply: 'published' }] });
    good(await api.call('PUT', `/agents/${agent.id}/draft`, { body: { script: [{ reply: 'draft' }] } }));
    const { conversation_id } = await api.ask(agent.id, { message: 'a', draft: true });
    const [run = ''] = await runsOf(person, conversation_id);
    const versions = async () =>
      (await inspect(person, run)).agents.map(({ version, is_draft }) => [version, is_draft]);
    assert.deepEqual(await versions(), [[null, true]]);
    const deleted = await stack()
      .db.knex('agent_versions')
      .where({ agent_id: agent.id, is_draft: true })
      .delete();
    assert.equal(deleted, 1);
    assert.deepEqual(await versions(), [[null, true]]);
  });

  it('is tried at most 50 times, and erased with its trials 20 at a time', async () => {
    const { api, person } = await ground();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'hello' });
    const [run = ''] = await runsOf(person, conversation_id);
    const { db } = stack();
    const left = async () =>
      (
        await db.pool.query('select 1 from conversations where tries_conversation = $1 or id = $1', [
          conversation_id,
        ])
      ).rowCount;
    await db.pool.query(
      `insert into conversations (id, organization_id, target_id, agent_id, channel, is_test, tries_conversation, tries_run)
         select gen_random_uuid(), organization_id, target_id, agent_id, channel, true, id, $2
           from conversations cross join generate_series(1, 49) where id = $1`,
      [conversation_id, run],
    );
    const attempt = () => person.call('POST', `/runs/${run}/try`, { instructions: 'Be brief.' });
    const last = await attempt();
    assert.equal(last.status, 202, JSON.stringify(last.body));
    const { run_id } = last.body as StartedTrial;
    await until('the trial', async () => (await inspect(person, run_id)).state === 'answered');
    const refused = await attempt();
    assert.equal(refused.status, 409);
    assert.match(JSON.stringify(refused.body), /tried 50 times, which is the maximum/);
    const seen: (number | null)[] = [];
    for (const before = new Date(Date.now() + 60_000); (await left()) !== 0;) {
      await eraseExpiredData(db, { id: conversation_id, before }, () => false);
      seen.push(await left());
    }
    assert.deepEqual(seen, [31, 11, 0]);
  });

  it('is not tried once retention has erased it at the same moment', async () => {
    const { api, person } = await ground();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'hello' });
    await api.ask(agent.id, { message: 'go on', conversation_id });
    const [run = ''] = await runsOf(person, conversation_id);
    const { db } = stack();
    for (const erased of ['runs where id = $1', 'conversations where id = $1']) {
      const eraser = await db.pool.connect();
      let tried: Promise<ApiAnswer> | undefined;
      try {
        await eraser.query('begin');
        await eraser.query('select from conversations where id = $1 for update', [conversation_id]);
        const id = erased.startsWith('runs') ? run : conversation_id;
        await eraser.query(`delete from ${erased}`, [id]);
        const [now = ''] = await runsOf(person, conversation_id);
        tried = person.call('POST', `/runs/${now}/try`, { instructions: 'Be brief.' });
        await until('the trial to wait', async () => {
          const { rows } = await db.pool.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%accept_input%'
               and datname = current_database()`,
          );
          return rows.length > 0;
        });
        await eraser.query('commit');
      } finally {
        eraser.release();
      }
      const { status, body } = await tried;
      assert.equal(status, 404, JSON.stringify(body));
    }
  });

  it('is refused without the capability, to other organizations, and with a cursor of another list', async () => {
    const { api, person, organizationId } = await ground();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'hello' });
    const [run = ''] = await runsOf(person, conversation_id);
    const viewer = await signIn({ ...stack(), organizationId }, ['conversations.view']);
    const other = await signIn({ ...stack(), organizationId }, ['conversations.take_over', 'agents.manage']);
    const stranger = (await ground()).person;
    for (const path of [`/runs/${run}`, `/runs/${run}/history`]) {
      assert.equal((await viewer.call('GET', path)).status, 200);
      assert.equal((await other.call('GET', path)).status, 403);
      assert.equal((await stranger.call('GET', path)).status, 404);
      assert.equal((await person.call('GET', `${path}?cursor=x`)).status, 422);
    }
  });
});
