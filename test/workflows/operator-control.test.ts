import assert from 'node:assert/strict';
import {
  conversationWorkflowId,
  controlSignal,
  type Control,
  nudgeSignal,
  statusQuery,
} from '../../src/contract/workflows.ts';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('An operator', () => {
  const stack = useSharedStack();
  const workflow = (id: string) => stack().temporal.client.workflow.getHandle(conversationWorkflowId(id));
  const control = async (id: string, command: Control) => {
    await until('the workflow to start', () => workflow(id).describe());
    await workflow(id).signal(controlSignal, command);
  };

  it('runs an open group at once, by a signal', async () => {
    const { api } = stack();
    const agent = await api.createAgent({ grouping_window_seconds: 60, script: [{ reply: 'ok' }] });
    const contact = { id: 'flushed' };
    const { conversation_id } = await api.send(agent.id, { message: '1', contact });
    await api.send(agent.id, { message: '2', contact });
    await control(conversation_id, 'flush');
    const [, , answer] = await api.settled(conversation_id);
    assert.ok(answer?.role === 'agent');
    assert.equal(answer.in_reply_to.length, 2);
  });

  const ended = async (id: string) => {
    await until(
      'the workflow to end',
      async () => (await workflow(id).describe()).status.name === 'COMPLETED',
    );
  };

  it('closes a conversation with an open group after its answer, without waiting for follow-ups', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      grouping_window_seconds: 4,
      script: [{ reply: 'ok' }],
      follow_ups: [{ after_seconds: 3600, instructions: 'still there?' }],
    });
    const { conversation_id } = await api.send(agent.id, { message: '1' });
    await control(conversation_id, 'close');
    await ended(conversation_id);
    await api.settled(conversation_id, 1);
  });

  it('closes a conversation once nothing waits, and the next input opens it again', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      script: [{ reply: 'ok', delay_ms: 700 }],
      follow_ups: [{ after_seconds: 3600, instructions: 'still there?' }],
    });
    const { conversation_id } = await api.send(agent.id, { message: '1' });
    await control(conversation_id, 'close');
    await ended(conversation_id);
    await api.settled(conversation_id, 1);
    await api.send(agent.id, { message: '2', conversation_id });
    await api.settled(conversation_id, 2);
  });

  const status = (id: string) => workflow(id).query(statusQuery);

  it('who terminates a conversation also ends its follow-ups, until the user writes again', async () => {
    const { api } = stack();
    const agent = await api.createAgent({
      script: [{ reply: 'ok' }],
      follow_ups: [{ after_seconds: 10, instructions: 'still there?' }],
    });
    const begin = async () => {
      const { conversation_id: id } = await api.send(agent.id, { message: '1' });
      await until('the follow-up to be planned', async () => (await status(id)).followUp);
      return id;
    };
    const terminated = await begin();
    await workflow(terminated).terminate();
    const other = await begin();
    await api.settled(other, 2);
    assert.equal((await workflow(terminated).describe()).status.name, 'TERMINATED');
    assert.equal((await api.messages(terminated)).length, 2);
    await api.send(agent.id, { message: '2', conversation_id: terminated });
    await api.settled(terminated, 3);
  });
  const noCommands: [string, unknown[]][] = [
    ['a command in other letters', ['Flush']],
    ['an object', [{ a: 1 }]],
    ['null', [null]],
    ['no data', []],
    ['a list', [['close']]],
    ['the name of a property that every object has', ['constructor']],
  ];
  for (const [what, data] of noCommands) {
    it(`who sends ${what} as a control signal changes nothing, and gets an error`, async () => {
      const { api } = stack();
      const agent = await api.createAgent({
        script: [{ reply: 'ok' }],
        follow_ups: [{ after_seconds: 3600, instructions: 'still there?' }],
      });
      const { conversation_id } = await api.send(agent.id, { message: '1' });
      const before = await until('the follow-up to be planned', async () => {
        const now = await status(conversation_id);
        return now.followUp && now.doing.startsWith('waiting') && now;
      });
      await workflow(conversation_id).signal(controlSignal.name, ...data);
      const after = await until('the refusal to be told', async () => {
        const now = await status(conversation_id);
        return now.refused && now;
      });
      const { since, refused, ...rest } = after;
      assert.ok(since >= before.since);
      assert.equal(refused?.signal, 'control');
      assert.deepEqual({ ...rest, since: before.since }, before);
      assert.equal((await workflow(conversation_id).describe()).status.name, 'RUNNING');
    });
  }

  const noTimes: [string, unknown[]][] = [
    ['a number', [5]],
    ['a word', ['abc']],
    ['an object without a time', [{ x: 1 }]],
    ['a time that is no number', [{ at: 'now' }]],
    ['a time that no calendar has', [{ at: 1e300 }]],
    ['a time beyond every timer', [{ at: 8e15 }]],
    ['a time in the year 2200', [{ at: Date.UTC(2200) }]],
    ['a time before all times', [{ at: -1e300 }]],
    ['null', [null]],
    ['no data', []],
  ];
  for (const [what, data] of noTimes) {
    it(`who sends ${what} as a nudge leaves a conversation that still answers`, async () => {
      const { api } = stack();
      const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
      const { conversation_id } = await api.send(agent.id, { message: '1' });
      await api.settled(conversation_id, 1);
      await workflow(conversation_id).signal(nudgeSignal.name, ...data);
      await api.send(agent.id, { message: '2', conversation_id });
      // Within less than the minute after which recovery would replace the workflow.
      await api.settled(conversation_id, 2, 30_000);
      // The rows are written before the workflow takes its next step.
      const { refused } = await until('no group to be due', async () => {
        const now = await status(conversation_id);
        return now.groupDueAt === undefined && now;
      });
      assert.equal(refused?.signal, 'nudge');
    });
  }

  it('who terminates a conversation leaves consistent rows: the run fails with a reason, the next one continues', async () => {
    const { api, receiver, db } = stack();
    const agent = await api.createAgent({
      script: [
        { when: '^slow$', reply: 'too late', delay_ms: 60_000 },
        { when: '(.+)', reply: 'answer: $1' },
      ],
    });
    const path = '/terminated';
    const webhook_url = receiver.url(path);
    const contact = { id: 'terminated' };
    const { conversation_id } = await api.send(agent.id, { message: 'slow', contact, webhook_url });
    await until('the run to have begun', async () => {
      const [message] = await api.messages(conversation_id);
      return message?.role === 'user' && message.status === 'processing';
    });
    await workflow(conversation_id).terminate('by an operator');
    await receiver.waitFor(path, 1, 90_000);
    await api.send(agent.id, { message: 'next', contact, webhook_url });
    const callbacks = await receiver.callbacks(path, 2);
    const messages = await api.settled(conversation_id);
    const states: { state: string }[] = await db
      .knex<{ conversation_id: string; state: string; ordinal: number }>('runs')
      .where({ conversation_id })
      .orderBy('ordinal')
      .select('state');
    assert.deepEqual(
      [
        callbacks.map(({ event }) => event),
        messages.map((one) => (one.role === 'user' ? one.status : one.text)),
        states.map(({ state }) => state),
      ],
      [
        ['message.error', 'message.completed'],
        ['failed', 'answered', 'answer: next'],
        ['failed', 'answered'],
      ],
    );
  });
});
