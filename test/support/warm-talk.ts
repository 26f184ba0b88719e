/** A conversation of a user who answers at once, so that it is kept warm. */
import assert from 'node:assert/strict';
import type { ApiClient } from './api-client.ts';
import type { Stack } from './stack.ts';

export const echo = { script: [{ when: '(?s)^(.*)$', reply: 'echo: $1' }] };

export type WarmTalk = {
  id: string;
  /** Path of its webhook. */
  path: string;
  /** Sends a message, and waits for the callback with its answer. */
  say: (turn: number, ms?: number) => Promise<void>;
  /** Sends a message, and waits for its acceptance alone. */
  send: (turn: number) => Promise<void>;
  /** Each message is answered once, in order, with one callback. */
  assertAnswered: (turns: number) => Promise<void>;
};

/** Sends messages one after another, each after the answer to the one before. */
export async function warmTalk(
  { receiver, ...stack }: Pick<Stack, 'api' | 'receiver'>,
  contact: string,
  turns: number,
  agentFields: Record<string, unknown> = echo,
  api: ApiClient = stack.api,
): Promise<WarmTalk> {
  const agent = await api.createAgent(agentFields);
  const path = `/warm/${contact}`;
  let id = '';
  const send = async (turn: number) => {
    const sent = await api.send(agent.id, {
      message: `message ${turn}`,
      contact: { id: contact },
      webhook_url: receiver.url(path),
    });
    id = sent.conversation_id;
  };
  const say = async (turn: number, ms = 40_000) => {
    await send(turn);
    await receiver.waitFor(path, turn, ms);
  };
  const assertAnswered = async (count: number) => {
    await api.settled(id, count, 60_000);
    const texts = (await api.messages(id)).map(({ role, text }) => `${role} ${text}`);
    const expected = Array.from({ length: count }, (_, index) => [
      `user message ${index + 1}`,
      `agent echo: message ${index + 1}`,
    ]).flat();
    assert.deepEqual(texts, expected);
    assert.equal((await receiver.waitFor(path, count)).length, count);
  };
  for (let turn = 1; turn <= turns; turn++) await say(turn);
  return { id, path, say, send, assertAnswered };
}
