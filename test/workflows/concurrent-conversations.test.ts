import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { acknowledgement } from '../../src/contract/conversations/chat.ts';
import { numbers } from '../support/interleavings/interleaving.ts';
import { useSharedStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const conversations = 200;
const each = 5;
const spreadMs = 15_000;

describe('200 conversations at once, of 5 messages at random times', () => {
  const stack = useSharedStack();

  /** Repeats after 503, as a caller does: nothing was accepted, and Retry-After gives the time. @returns the group */
  const send = async (target: string, body: Record<string, unknown>): Promise<string> => {
    for (let tries = 20; ; tries--) {
      const answer = await stack().api.call('POST', `/chat/${target}`, { body });
      if (answer.status !== 503 || tries === 0) {
        assert.equal(answer.status, 202, JSON.stringify(answer.body));
        return acknowledgement.parse(answer.body).group_id ?? '';
      }
      await delay(Number(answer.headers.get('retry-after')) * 1000 * (1 + Math.random()));
    }
  };

  it('have each message in exactly one group, and one callback per group', async () => {
    const { api, receiver, db } = stack();
    const random = numbers(4);
    const agent = await api.createAgent({
      grouping_window_seconds: 1.5,
      script: [{ when: '(?s)(.+)', reply: '$1' }],
    });
    const path = '/many';
    const sent = await Promise.all(
      Array.from({ length: conversations }, async (_, number) => {
        const times = Array.from({ length: each }, () => random() * spreadMs).sort((a, b) => a - b);
        const started = Date.now();
        const groups = new Map<string, string[]>();
        for (const [index, time] of times.entries()) {
          await delay(Math.max(0, started + time - Date.now()));
          const message = `${number}-${index}`;
          const group_id = await send(agent.id, {
            message,
            contact: { id: `many-${number}` },
            webhook_url: receiver.url(path),
          });
          groups.set(group_id, [...(groups.get(group_id) ?? []), message]);
        }
        return groups;
      }),
    );
    const expected = sent.flatMap((groups) => [...groups.values()].map((texts) => texts.join('\n')));
    const callbacks = await receiver.callbacks(path, expected.length, 180_000);
    await until('nothing to be open', async () => {
      const open: unknown[] = await db
        .knex('runs')
        .join('conversations', 'conversations.id', 'runs.conversation_id')
        .where('conversations.agent_id', agent.id)
        .whereIn('state', ['collecting', 'ready', 'running']);
      return open.length === 0;
    });
    assert.equal(receiver.requestsTo(path).length, expected.length);
    const said = callbacks.map((one) => (one.event === 'message.completed' ? one.response : one.error));
    assert.deepEqual(said.sort(), expected.sort());
  });
});
