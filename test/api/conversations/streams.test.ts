/** A synchronous call that streams its answer while the model writes it. */
import assert from 'node:assert/strict';
import { chatAnswer } from '../../../src/contract/conversations/chat.ts';
import { cleanUps, deleteBatch } from '../../../src/adapters/postgres/data/clean-ups.ts';
import {
  appendStreamEvents,
  beginStreamedStep,
} from '../../../src/adapters/postgres/conversations/stream-events.ts';
import { allTold, kinds, lastOf, pathOf, textsOf, told, type Told } from '../../support/event-reader.ts';
import { useSharedStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const fable = 'A crow stole a piece of cheese and sat with it in a high tree where a fox saw it.';

describe('A streamed call', () => {
  const stack = useSharedStack();

  it('streams the answer in pieces, and ends with exactly the body of the sync call', async () => {
    const { api } = stack();
    // Slow, because words that are written while the database is busy become one piece.
    const agent = await api.createAgent({ script: [{ reply: fable, word_ms: 150 }] });
    const path = `/chat/${agent.id}`;
    const body = { message: 'tell', sync: true, metadata: { n: 1 } };
    const headers = { 'idempotency-key': 'told' };
    const events = await allTold(told(api, path, { body, headers }));
    assert.deepEqual(kinds(events), ['accepted', 'delta', 'completed']);
    assert.deepEqual(textsOf(events), [fable]);
    assert.ok(events.length > 4, `${events.length} events`);
    assert.deepEqual(
      events.map(({ id }) => id),
      ['0', ...events.slice(1, -1).map((_, index) => String(index + 1)), 'end'],
    );
    const { data } = lastOf(events);
    assert.equal(chatAnswer.strict().parse(data).response, fable);
    // The same call without a stream returns the final answer of the first one.
    const repeated = await api.call('POST', path, { body, headers });
    assert.deepEqual([repeated.status, repeated.body], [200, data]);
  });

  it('emits transfers and tool calls when they happen', async () => {
    const { api } = stack();
    const second = await api.createAgent({
      script: [{ on: 'tool_result', reply: 'done' }, { tool: { action: 'DOCS_NONE', input: {} } }],
    });
    const first = await api.createAgent({
      transfers_to: [second.id],
      script: [{ reply: 'over to you', transfer_to: second.name }],
    });
    const body = { message: 'a', sync: true };
    const events = await allTold(told(api, `/chat/${first.id}`, { body }));
    const call = { step: 1, call_id: 'script-1', name: 'DOCS_NONE' };
    const others = events.slice(1, -1).filter(({ event }) => event !== 'delta');
    assert.deepEqual(
      others.map(({ event, data }) => ({ event, data })),
      [
        { event: 'transfer', data: { step: 0, agent_id: second.id, responding_agent_name: second.name } },
        { event: 'tool_call', data: { ...call, status: 'started' } },
        { event: 'tool_call', data: { ...call, status: 'failed' } },
      ],
    );
    assert.deepEqual(kinds(events), ['accepted', 'delta', 'transfer', 'tool_call', 'delta', 'completed']);
    assert.deepEqual([textsOf(events)[0], textsOf(events)[2]], ['over to you', 'done']);
    const { messages } = chatAnswer.parse(lastOf(events).data);
    assert.deepEqual(
      messages.map(({ response }) => response),
      ['over to you', 'done'],
    );
  });

  it('ends with the body of the error if the run fails', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      script: [{ fail: { message: 'out of order', retryable: false } }],
    });
    const events = await allTold(told(api, `/chat/${agent.id}`, { body: { message: 'a', sync: true } }));
    const [accepted] = events;
    assert.ok(accepted?.event === 'accepted');
    const { conversation_id } = accepted.data;
    assert.deepEqual(lastOf(events), {
      id: 'end',
      event: 'failed',
      data: { error: 'out of order', code: 'agent_failed', conversation_id },
    });
  });

  it('is refused in JSON if nothing was accepted, and is a stream only on request', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'hi' }] });
    const path = `/chat/${agent.id}`;
    const headers = { accept: 'text/event-stream' };
    const empty = await api.refused(422, 'POST', path, { body: { sync: true }, headers });
    assert.equal(empty.code, 'validation_failed');
    // Asynchronous: there is nothing to stay on the line for.
    await api.send(agent.id, { message: 'a' }, headers);
    for (const accept of ['*/*', 'application/json, text/event-stream', 'application/json']) {
      const call = { body: { message: 'a', sync: true }, headers: { accept } };
      const answer = await api.call('POST', path, call);
      assert.equal(chatAnswer.strict().parse(answer.body).response, 'hi');
    }
    const runs = stack().db.knex('runs').where({ agent_id: agent.id }).select('id');
    const watched = await stack().db.knex('run_streams').whereIn('run_id', runs);
    assert.deepEqual(watched, [], 'turns that nobody watches write nothing for it');
  });

  describe('whose connection breaks', () => {
    it('is answered even if nobody resumes it', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ script: [{ reply: fable, word_ms: 10 }] });
      const events = told(api, `/chat/${agent.id}`, { body: { message: 'tell', sync: true } });
      const first = await events.next();
      await events.return(undefined);
      assert.ok(first.value?.event === 'accepted');
      const messages = await api.settled(first.value.data.conversation_id);
      assert.equal(messages.at(-1)?.text, fable);
    });

    it('refuses an id that no event can have', async () => {
      const { api } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'hi' }] });
      const [accepted] = await allTold(
        told(api, `/chat/${agent.id}`, { body: { message: 'a', sync: true } }),
      );
      assert.ok(accepted?.event === 'accepted');
      const call = { headers: { 'last-event-id': 'yesterday' } };
      const path = pathOf(accepted.data.stream_url);
      const { details } = await api.refused(422, 'GET', path, call);
      assert.equal(details?.[0]?.path, 'Last-Event-ID');
    });
  });

  it('of a run that ended long ago has only its last event', async () => {
    const { api, db } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'short' }] });
    const events = await allTold(told(api, `/chat/${agent.id}`, { body: { message: 'a', sync: true } }));
    const [accepted] = events;
    assert.ok(accepted?.event === 'accepted');
    const { conversation_id, stream_url } = accepted.data;
    await db
      .knex('runs')
      .where({ conversation_id })
      .update({ finished_at: new Date(Date.now() - 601_000) });
    for (const one of cleanUps) if (one.table === 'run_streams') await deleteBatch(db, one, 100);
    const later = await allTold(told(api, pathOf(stream_url)));
    assert.deepEqual(kinds(later), ['accepted', 'completed']);
    assert.equal(chatAnswer.parse(lastOf(later).data).response, 'short');
  });

  it('withdraws the text of an abandoned attempt, and drops what it still writes', async () => {
    const { api, db } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'late', delay_ms: 60_000 }] });
    const reading = told(api, `/chat/${agent.id}`, { body: { message: 'a', sync: true } });
    const { value } = await reading.next();
    assert.ok(value?.event === 'accepted');
    const { conversation_id, message_id } = value.data;
    // Once the worker's own attempt has begun: its text would count from then on, and that of no one before.
    const watched = db
      .knex<{ run_id: string; writer: string | null }>('run_streams')
      .select('run_id')
      .whereNotNull('writer')
      .where('run_id', db.knex('messages').select('run_id').where('id', message_id));
    const { run_id } = await until('the attempt', async () => await watched.clone().first());
    const [dead, living] = [crypto.randomUUID(), crypto.randomUUID()];
    const delta = (writer: string, text: string) => ({
      run_id,
      step: 7,
      event: 'delta' as const,
      data: JSON.stringify({ step: 7, text }),
      writer,
    });
    const events: Told[] = [];
    const heard = async (text: string) => {
      while (textsOf(events)[7] !== text) {
        const next = await reading.next();
        assert.ok(next.value, `the stream ended before it told "${text}"`);
        events.push(next.value);
      }
    };
    await beginStreamedStep(db, run_id, 7, dead);
    await appendStreamEvents(db, [delta(dead, 'half an ')]);
    await heard('half an ');
    await beginStreamedStep(db, run_id, 7, living);
    await appendStreamEvents(db, [delta(dead, 'answer'), delta(living, 'a whole one')]);
    await heard('a whole one');
    await api.call('POST', `/conversations/${conversation_id}/cancel`);
    events.push(...(await allTold(reading)));
    assert.equal(textsOf(events)[7], 'a whole one');
    assert.deepEqual(
      events.filter(({ data }) => 'step' in data && data.step === 7).map(({ event }) => event),
      ['delta', 'restart', 'delta'],
    );
  });
});
