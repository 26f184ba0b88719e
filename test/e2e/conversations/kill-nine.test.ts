/**
 * kill -9 of any process of `npm start` while conversations run: every message is answered once, no callback is
 * repeated.
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import type { Message } from '../../../src/contract/conversations/conversations.ts';
import { freePort } from '../../../src/local/ports.ts';
import { ApiClient } from '../../support/api-client.ts';
import {
  endCopies,
  freshFolder,
  idOf,
  killPart,
  startCopy,
  type LocalCopy,
} from '../../support/local-copy.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const conversations = 20;
const messagesEach = 3;
const patienceMs = 120_000;
const callbackTimeoutMs = 5000;

type Told = { conversationId: string; path: string; kind: Kind };
type Kind = 'plain' | 'grouped' | 'transferred';
const kinds: readonly Kind[] = ['plain', 'grouped', 'transferred'];

describe('kill -9 while 20 conversations run under npm start', () => {
  const folder = freshFolder();
  let env: NodeJS.ProcessEnv;
  let copy: LocalCopy;
  let receiver: Receiver;
  let api: ApiClient;
  let agents: Record<Kind, Agent>;

  const start = () => startCopy(folder, env, ['npm', 'start', '--silent']);

  before(async () => {
    receiver = await startReceiver();
    env = {
      ...{ PORT: String(await freePort()), ECHO: 'off', CALLBACK_ALLOW: receiver.host },
      ...{ CALLBACK_TIMEOUT_SECONDS: String(callbackTimeoutMs / 1000), RATE_LIMIT: 'off', LOG_LEVEL: 'warn' },
    };
    copy = start();
    const { base_url, token } = await copy.ready();
    api = new ApiClient(base_url, token);
    const script = [{ when: '(.*)', reply: 're $1', delay_ms: 250 }];
    const expert = await api.createAgent({ name: 'Expert', script });
    agents = {
      plain: await api.createAgent({ script }),
      grouped: await api.createAgent({ script, grouping_window_seconds: 0.4 }),
      transferred: await api.createAgent({
        script: [{ transfer_to: 'Expert', reply: 'One moment', delay_ms: 100 }],
        transfers_to: [expert.id],
      }),
    };
  });

  after(async () => {
    await endCopies();
    await receiver.close();
  });

  /** Repeats the same call with the same key until it is accepted, as a careful caller does. */
  async function tell(target: string, body: Record<string, unknown>, key: string): Promise<string> {
    const call = { body, headers: { 'idempotency-key': key } };
    return await until(
      `${key} to be accepted`,
      async () => {
        const answer = await api.call('POST', `/chat/${target}`, call).catch(() => undefined);
        if (answer === undefined || answer.status === 503) {
          await delay(100);
          return undefined;
        }
        assert.equal(answer.status, 202, JSON.stringify(answer.body));
        return (answer.body as { conversation_id: string }).conversation_id;
      },
      patienceMs,
    );
  }

  async function converse(round: string, n: number): Promise<Told> {
    const kind = kinds[n % kinds.length] ?? 'plain';
    const path = `/${round}/${n}`;
    let conversationId = '';
    for (let m = 0; m < messagesEach; m++) {
      const body = { message: `${m}`, contact: { id: path }, webhook_url: receiver.url(path) };
      conversationId = await tell(agents[kind].id, body, `${path}/${m}`);
    }
    return { conversationId, path, kind };
  }

  const posted = (round: string) =>
    Array.from({ length: conversations }, (_, n) => receiver.requestsTo(`/${round}/${n}`).length).reduce(
      (sum, count) => sum + count,
    );

  /** Waits until nothing of a conversation is open, callbacks included. */
  async function ended({ conversationId }: Told): Promise<Message[]> {
    return await until(
      `conversation ${conversationId} to end`,
      async () => {
        const all = await api.messages(conversationId).catch(() => []);
        const open = all.some((one) =>
          one.role === 'user'
            ? /queued|processing/.test(one.status)
            : /pending|attempting/.test(one.delivery?.status ?? 'pending'),
        );
        return all.length > messagesEach && !open && all;
      },
      patienceMs,
    );
  }

  /** @returns the messages whose callbacks have an unknown outcome */
  function judge({ path, kind }: Told, messages: Message[]): string[] {
    const inputs = messages.filter((one) => one.role === 'user');
    const answers = messages.filter((one) => one.role === 'agent');
    const final = answers.filter((one) => one.pre_transfer !== true);
    assert.deepEqual(
      inputs.map(({ text, status }) => [text, status]),
      Array.from({ length: messagesEach }, (_, m) => [`${m}`, 'answered']),
    );
    assert.deepEqual(
      final.flatMap((one) => one.in_reply_to),
      inputs.map(({ id }) => id),
      'each input is answered once, in order',
    );
    const texts = final.map(({ text }) => text.replaceAll('\n', '')).join(' ');
    if (kind === 'grouped') assert.equal(texts.replaceAll(/re | /g, ''), '012');
    else assert.equal(texts, 're 0 re 1 re 2');
    assert.equal(answers.length - final.length, kind === 'transferred' ? 1 : 0);

    const calledBack = receiver.requestsTo(path).map(({ body }) => {
      const { message_id, event } = JSON.parse(body) as { message_id: string; event: string };
      assert.equal(event, 'message.completed');
      return message_id;
    });
    assert.equal(new Set(calledBack).size, calledBack.length, 'no callback twice');
    for (const { id, delivery } of answers) {
      // Unknown: the process died while it posted. It may have arrived, or not.
      if (delivery?.status === 'unknown') continue;
      assert.equal(delivery?.status, 'delivered');
      assert.ok(calledBack.includes(id), 'delivered means arrived');
    }
    const known = new Set(answers.map(({ id }) => id));
    assert.ok(calledBack.every((id) => known.has(id)));
    const unknown = answers.filter(({ delivery }) => delivery?.status === 'unknown').map(({ id }) => id);
    assert.ok(calledBack.length >= answers.length - unknown.length);
    return unknown;
  }

  /** Only a callback that was in flight at the kill may be unknown. */
  async function assertPostedAt(killedAt: number, backAt: number, unknown: string[]): Promise<void> {
    const rows = unknown.length === 0 ? [] : await api.deliveries({ status: 'unknown' });
    for (const id of unknown) {
      const attempted = Date.parse(rows.find(({ message_id }) => message_id === id)?.attempted_at ?? '');
      assert.ok(
        attempted > killedAt - callbackTimeoutMs && attempted <= backAt,
        `${id} was attempted at ${attempted}, the kill was at ${killedAt}`,
      );
    }
  }

  for (const [name, afterCallbacks] of [
    ['worker', 8],
    ['api', 4],
    ['postgres', 12],
    ['temporal', 6],
    ['supervisor', 10],
  ] as const) {
    it(`of ${name}: all are answered, none twice, at most one callback a message`, async () => {
      const told = Promise.all(Array.from({ length: conversations }, (_, n) => converse(name, n)));
      await until('some callbacks', () => posted(name) >= afterCallbacks, patienceMs);
      const beforeKill = Date.now();
      const killed = await killPart(copy, name);
      const killedAt = Date.now();
      if (name === 'supervisor') {
        await copy.exited;
        copy = start();
      }
      await idOf(copy, name, killed);
      await copy.ready();
      const backAt = Date.now();
      const unknown = [];
      for (const one of await told) unknown.push(judge(one, await ended(one)));
      console.log(`      ${unknown.flat().length} of ${posted(name)} callbacks with an unknown outcome`);
      // A conversation posts one callback at a time, so that one kill can lose the outcome of one; and only the worker
      // posts.
      const most = name === 'api' || name === 'temporal' ? 0 : 1;
      assert.ok(
        unknown.every(({ length }) => length <= most),
        `unknown outcomes: ${unknown.map(({ length }) => length).join()}`,
      );
      // A process of the worker that was killed posts nothing later; one that lost its database may until that is back.
      await assertPostedAt(beforeKill, name === 'postgres' ? backAt : killedAt + 500, unknown.flat());
    });
  }
});
