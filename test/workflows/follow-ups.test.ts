import assert from 'node:assert/strict';
import { controlSignal, conversationWorkflowId } from '../../src/contract/workflows.ts';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { planned, script, told } from './planned-follow-ups.ts';

describe('Follow-ups', () => {
  const stack = useSharedStack();

  it('are sent one after another while the user is silent: to the stored URL, numbered, with the last input’s metadata', async () => {
    const { api, receiver, db } = stack();
    const agent = await api.createAgent({
      script,
      follow_ups: [
        { after_seconds: 1, instructions: 'still there?' },
        { after_seconds: 2, instructions: 'and now?' },
      ],
    });
    const { conversation_id } = await api.send(agent.id, {
      message: 'hi',
      webhook_url: receiver.url('/silent'),
      metadata: { order: 1 },
    });
    const callbacks = await receiver.callbacks('/silent', 3);
    assert.deepEqual(told(callbacks), [
      ['answer: hi', undefined, undefined, { order: 1 }],
      ['follow-up: still there?', true, 1, { order: 1 }],
      ['follow-up: and now?', true, 2, { order: 1 }],
    ]);
    const runs = await db
      .knex<{ conversation_id: string; opened_at: Date; finished_at: Date; ordinal: number }>('runs')
      .where({ conversation_id })
      .orderBy('ordinal');
    const silence = runs.map(
      ({ opened_at }, n) => opened_at.getTime() - (runs[n - 1]?.finished_at.getTime() ?? 0),
    );
    assert.ok((silence[1] ?? 0) >= 1000 && (silence[2] ?? 0) >= 2000, `after ${String(silence)} ms`);
    const messages = await api.settled(conversation_id, 3);
    assert.deepEqual(
      messages.flatMap((one) => (one.role === 'agent' ? [[one.followup, one.followup_attempt]] : [])),
      [
        [undefined, undefined],
        [true, 1],
        [true, 2],
      ],
    );
  });

  it('are cancelled by any input, and start again at attempt 1 after its answer', async () => {
    const { api, receiver, db } = stack();
    const agent = await api.createAgent({
      script,
      follow_ups: [{ after_seconds: 12, instructions: 'still there?' }],
    });
    const path = '/interrupted';
    const contact = { id: 'interrupts' };
    const webhook_url = receiver.url(path);
    const first = await api.send(agent.id, { message: '1', contact, webhook_url, metadata: { n: 1 } });
    await receiver.waitFor(path, 1);
    await until(
      'a follow-up to be planned',
      async () => (await planned(stack(), first.conversation_id)).followUp,
    );
    // A synchronous one, without metadata; its URL is the stored one from now on.
    await api.ask(agent.id, { message: '2', contact, webhook_url: receiver.url('/later') });
    const callbacks = await receiver.callbacks('/later', 1);
    assert.deepEqual(told(callbacks), [['follow-up: still there?', true, 1, undefined]]);
    assert.equal(receiver.requestsTo(path).length, 1);
    const followUps = await db
      .knex('runs')
      .where({ conversation_id: first.conversation_id, mode: 'follow_up' });
    assert.equal(followUps.length, 1);
  });

  it('are not planned after a failed run, nor after an empty answer', async () => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({
      script: [
        { when: 'fail', fail: { message: 'broken', retryable: false } },
        { when: 'nothing', reply: '' },
        ...script,
      ],
      follow_ups: [{ after_seconds: 60, instructions: 'still there?' }],
    });
    const webhook_url = receiver.url('/unplanned');
    const failed = await api.send(agent.id, { message: 'fail', webhook_url });
    await receiver.waitFor('/unplanned', 1);
    const silent = await api.send(agent.id, { message: 'say nothing' });
    const answered = await api.send(agent.id, { message: 'hello' });
    await api.settled(answered.conversation_id);
    for (const [{ conversation_id }, expected] of [
      [failed, undefined],
      [silent, undefined],
      [answered, 1],
    ] as const) {
      await api.settled(conversation_id, 0);
      const { followUp } = await until('the conversation to wait', async () => {
        const now = await planned(stack(), conversation_id);
        return now.waits && now;
      });
      assert.equal(followUp?.attempt, expected);
    }
  });

  it('are stopped by an operator until the user writes again', async () => {
    const { api, temporal } = stack();
    const agent = await api.createAgent({
      script,
      follow_ups: [{ after_seconds: 60, instructions: 'still there?' }],
    });
    const { conversation_id } = await api.send(agent.id, { message: 'hi' });
    const hasPlan = async () => (await planned(stack(), conversation_id)).followUp !== undefined;
    await until('a follow-up to be planned', hasPlan);
    const handle = temporal.client.workflow.getHandle(conversationWorkflowId(conversation_id));
    await handle.signal(controlSignal, 'stopFollowUps');
    await until('no follow-up to be planned', async () => !(await hasPlan()));
    await api.send(agent.id, { message: 'again', conversation_id });
    await until('a follow-up to be planned', hasPlan);
  });
});
