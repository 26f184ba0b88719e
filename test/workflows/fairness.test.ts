/** One organization's burst and another's single message: judged by the order in which runs begin, not by a clock. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const burst = 200;
/** Number of messages of a burst of 200 that may begin first: the worker can have taken 40 workflows already. */
const mayGoBefore = 80;

describe('One organization’s burst of 200 messages', () => {
  const stack = useStack();

  const newAgent = async (api: ApiClient) =>
    (await api.createAgent({ script: [{ when: '(?s)(.*)', reply: '$1' }] })).id;
  /** Repeats after 503, as a caller does: nothing was accepted, and Retry-After gives the time. */
  const send = async (api: ApiClient, agentId: string, body: object) => {
    await until('the message to be accepted', async () => {
      const { status, headers, body: answer } = await api.call('POST', `/chat/${agentId}`, { body });
      if (status === 503) await delay(Number(headers.get('retry-after')) * 1000);
      else assert.equal(status, 202, JSON.stringify(answer));
      return status === 202;
    });
  };
  /** Each in a conversation of its own. */
  const sendBurst = async (api: ApiClient, agentId: string) => {
    const numbers = Array.from({ length: burst }, (_, n) => n).values();
    // 20 callers: a busy machine refuses more at once (503), because their calls become slow ones.
    const callers = Array.from({ length: 20 }, async () => {
      for (const n of numbers) await send(api, agentId, { message: 'many', contact: { id: `c${n}` } });
    });
    await Promise.all(callers);
  };
  const allBegun = async (agents: string[], count: number) =>
    await until(`${count} runs to have begun`, async () => {
      const begun: { agent_id: string; claimed_at: Date }[] = await stack()
        .db.knex('runs')
        .join('conversations', 'conversations.id', 'runs.conversation_id')
        .whereIn('conversations.agent_id', agents)
        .whereNotNull('claimed_at')
        .orderBy('claimed_at')
        .select('conversations.agent_id', 'claimed_at');
      return begun.length >= count && begun;
    });

  it('does not delay another’s single message that was accepted after it without a worker', async () => {
    const [many, one] = [await stack().stranger(), await stack().stranger()];
    const [busy, single] = [await newAgent(many.api), await newAgent(one.api)];
    await stack().worker.kill();
    await sendBurst(many.api, busy);
    await one.api.send(single, { message: 'one' });
    await stack().worker.start();
    const begun = await allBegun([busy, single], burst + 1);
    const place = begun.findIndex(({ agent_id }) => agent_id === single);
    assert.ok(place >= 0 && place <= mayGoBefore, `${place} of ${burst} went before it`);
  });

  it('does not delay another’s single message that arrives while the burst is processed', async () => {
    const [many, one] = [await stack().stranger(), await stack().stranger()];
    const [busy, single] = [await newAgent(many.api), await newAgent(one.api)];
    await sendBurst(many.api, busy);
    const { conversation_id } = await one.api.send(single, { message: 'one' });
    const begun = await allBegun([busy, single], burst + 1);
    const { rows } = await stack().db.pool.query<{ at: Date }>(
      'select created_at as at from messages where conversation_id = $1 order by id limit 1',
      [conversation_id],
    );
    const accepted = rows[0]?.at ?? assert.fail('no message');
    const place = begun.findIndex(({ agent_id }) => agent_id === single);
    const between = begun.slice(0, place).filter(({ claimed_at }) => claimed_at > accepted).length;
    assert.ok(between <= mayGoBefore, `${between} of ${burst} began between its acceptance and its run`);
  });
});
