/**
 * The callers: send the planned messages, repeat them as a caller with an Idempotency-Key may, and record the answers.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiAnswer, ApiClient } from '../support/api-client.ts';
import type { Sent } from './observed.ts';
import { agentKinds, furtherWave, waveMs, type AgentKind, type PlannedMessage } from './plan-load.ts';

/** In every text, every callback's path and the metadata: must be found in no log and no history. */
export const secret = 'kestrel-7Qx2';

export const textOf = (key: string) => `${key} says ${secret}`;

const patienceMs = 90_000;
const callMs = 15_000;

export class Callers {
  readonly sent: Sent[] = [];
  /** Calls in progress. */
  busy = 0;
  /** Calls answered with a 2xx. */
  taken = 0;
  /** Answers that were no 2xx, by status; 0 if there was none at all. */
  readonly statuses = new Map<number, number>();
  readonly #api: ApiClient;
  readonly #agents: Record<AgentKind, string>;
  readonly #receiverUrl: (path: string) => string;

  constructor(api: ApiClient, agents: Record<AgentKind, string>, receiverUrl: (path: string) => string) {
    this.#api = api;
    this.#agents = agents;
    this.#receiverUrl = receiverUrl;
  }

  /** @param startedAt epoch ms that the plan counts from */
  async run(plan: readonly PlannedMessage[], startedAt: number): Promise<void> {
    await Promise.all(
      plan.map(async (message) => {
        await delay(Math.max(0, startedAt + message.atMs - Date.now()));
        await this.#send(message);
      }),
    );
  }

  /** Sends further waves, so that a kill still meets something. @param fromAt epoch ms of the first */
  async goOn(fromAt: number, isOver: () => boolean): Promise<void> {
    await delay(Math.max(0, fromAt - Date.now()));
    for (let number = 0; !isOver(); number++) {
      await Promise.all([...furtherWave(number).map((message) => this.#send(message)), delay(waveMs)]);
    }
  }

  async #send(planned: PlannedMessage): Promise<void> {
    const { key, behaviour, copies } = planned;
    const text = textOf(key);
    const path = `/cb/${behaviour}/${key}/${secret}`;
    const sent: Sent = { ...planned, text, path, outcome: 'refused', conversationIds: [], groupIds: [] };
    this.sent.push(sent);
    await Promise.all(Array.from({ length: copies }, () => this.#sendOne(sent)));
  }

  async #sendOne(sent: Sent): Promise<void> {
    const { key, conversation, agent, keyless, sync, text, path } = sent;
    const body = {
      ...{ message: text, contact: { id: conversation }, metadata: { key, secret } },
      ...(sync ? { sync } : { webhook_url: this.#receiverUrl(path) }),
    };
    const end = Date.now() + patienceMs;
    for (let wait = 100; Date.now() < end; wait = Math.min(wait * 2, 2000)) {
      const answer = await this.#call(this.#agents[agent], body, keyless ? undefined : key);
      if (answer !== undefined && answer.status < 300) {
        const said = answer.body as { conversation_id: string; group_id?: string };
        this.taken += 1;
        sent.outcome = 'accepted';
        sent.acceptedAt ??= Date.now();
        sent.conversationIds.push(said.conversation_id);
        if (said.group_id !== undefined) sent.groupIds.push(said.group_id);
        return;
      }
      const status = answer?.status ?? 0;
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (keyless) {
        // It may have been taken: a careful caller does not ask twice.
        sent.outcome = 'ambiguous';
        sent.toldRefused = status === 503;
        return;
      }
      await delay(wait);
    }
  }

  async #call(agentId: string, body: unknown, key: string | undefined): Promise<ApiAnswer | undefined> {
    this.busy += 1;
    try {
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      const call = this.#api.call('POST', `/chat/${agentId}`, { body, headers });
      const late = delay(callMs, undefined, { ref: false });
      return await Promise.race([call, late]);
    } catch {
      return undefined; // the API was gone
    } finally {
      this.busy -= 1;
    }
  }
}

/** An agent of each kind. Their answers repeat the run's input, so that what was merged can be read from them. */
export async function createAgents(api: ApiClient): Promise<Record<AgentKind, string>> {
  const when = '(?s)(.*)';
  const reply = 'Answer to: $1';
  const destination = await api.createAgent({
    ...{ model: 'scripted/default', script: [{ when, reply, delay_ms: 150 }] },
  });
  const wanted: Record<AgentKind, Record<string, unknown>> = {
    plain: { script: [{ when, reply, delay_ms: 60 }] },
    grouping: { grouping_window_seconds: 0.6, script: [{ when, reply, delay_ms: 250 }] },
    transferring: {
      transfers_to: [destination.id],
      script: [{ reply: 'One moment.', transfer_to: destination.name, delay_ms: 80 }],
    },
    following: {
      follow_ups: [{ after_seconds: 2, instructions: 'Ask again' }],
      script: [
        { when, reply, delay_ms: 120 },
        { on: 'follow_up', reply: 'Still there?' },
      ],
    },
    flaky: {
      script: [
        { when: '(.*m0 .*)', fail: { message: 'a hiccup', retryable: true, times: 2 }, reply },
        { when, reply, delay_ms: 500 },
      ],
    },
    failing: { script: [{ fail: { message: 'out of order', retryable: false } }] },
    modelled: { model: 'custom/chaos' },
  };
  const made = await Promise.all(
    agentKinds.map(
      async (kind) =>
        [kind, (await api.createAgent({ model: 'scripted/default', ...wanted[kind] })).id] as const,
    ),
  );
  return Object.fromEntries(made) as Record<AgentKind, string>;
}
