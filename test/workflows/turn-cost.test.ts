import assert from 'node:assert/strict';
import { turnCosts, type TurnCost } from '../support/history-per-turn.ts';
import { useSharedStack } from '../support/stack.ts';

describe('A turn of a conversation', () => {
  const stack = useSharedStack();

  const costs = async (turns: number, fields: Record<string, unknown>) => {
    const { api, receiver } = stack();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }], ...fields });
    const path = `/cost/${agent.id}`;
    const contact = { id: 'pays' };
    const found = await turnCosts(stack(), turns, async (turn) => {
      const sent = await api.send(agent.id, { message: 'hi', contact, webhook_url: receiver.url(path) });
      await receiver.waitFor(path, turn);
      return sent.conversation_id;
    });
    // The first turn has none before it. A later one without costs has continued as new, and would hide what it costs.
    return found.slice(1).map((cost, index) => cost ?? assert.fail(`turn ${index + 2} continued as new`));
  };
  const followUps = { follow_ups: [{ after_seconds: 3600, instructions: 'still there?' }] };

  /** A signal that comes between two workflow tasks adds a third: the cheapest turn has the least of them. */
  const cheapest = (turns: TurnCost[]): TurnCost => ({
    events: Math.min(...turns.map(({ events }) => events)),
    bytes: Math.min(...turns.map(({ bytes }) => bytes)),
    ms: Math.min(...turns.map(({ ms }) => ms)),
  });
  function assertCheap(turns: TurnCost[], maxEvents: number, maxBytes: number): void {
    const { events, bytes } = cheapest(turns);
    assert.ok(events <= maxEvents && bytes <= maxBytes, JSON.stringify(turns));
  }

  it('with window, callback and follow-up adds at most 15 events and 2,200 bytes to its history', async () => {
    assertCheap(await costs(4, { grouping_window_seconds: 2, ...followUps }), 15, 2_200);
  });

  it('without window adds at most 10 events and 1,600 bytes', async () => {
    assertCheap(await costs(6, {}), 10, 1_600);
  });

  it('adds as much to a long history as to a short one', async () => {
    const all = await costs(30, followUps);
    const [early, late] = [cheapest(all.slice(2, 7)), cheapest(all.slice(24, 29))];
    assert.ok(
      late.events <= early.events * 1.1 && late.bytes <= early.bytes * 1.1,
      `${JSON.stringify(early)}, then ${JSON.stringify(late)}`,
    );
  });
});
