/** Contacts on WhatsApp: gateway instances that post what is planned, take the replies, and misbehave as planned. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.ts';
import { landsFirst } from '../support/gateway/emulator-faults.ts';
import { startGatewayEmulator, type GatewayEmulator } from '../support/gateway/start-gateway-emulator.ts';
import type { GivenFault, LandedSend, SentEvent } from './observed.ts';
import { channelKinds, type ChannelKind, type PlannedEvent } from './plan-events.ts';
import { textOf } from './send-load.ts';

/** More than a message on WhatsApp holds. */
const longText = 5000;
/** How often and after what times a gateway posts an event again is not known; long enough for an API to come back. */
const webhookTries = { attempts: 30, waitMs: 2000 };
/** Milliseconds that a reply is in progress: a kill meets it before or after it has landed. */
const sendMs = { before: 60, after: 140 };
const retryAfterSeconds = 2;

export class GatewayTraffic {
  readonly events: SentEvent[] = [];
  readonly given: GivenFault[] = [];
  /** Posts in progress. */
  busy = 0;
  /** Posts answered with a 2xx. */
  taken = 0;
  /** Answers that were no 2xx, by status. */
  readonly statuses = new Map<number, number>();
  readonly #instances: Readonly<Record<ChannelKind, GatewayEmulator>>;

  private constructor(instances: Readonly<Record<ChannelKind, GatewayEmulator>>) {
    this.#instances = instances;
  }

  static async start(plan: readonly PlannedEvent[]): Promise<GatewayTraffic> {
    const [plainChannel, groupingChannel] = [
      await startGatewayEmulator({ owner: '5511999990001' }),
      await startGatewayEmulator({ owner: '5511999990002' }),
    ];
    const traffic = new GatewayTraffic({ plainChannel, groupingChannel });
    const faults = new Map(plan.map(({ key, sendFault }) => [key, sendFault]));
    for (const { state, faults: queue } of traffic.#all()) {
      Object.assign(state, { webhookTries, sendMs, retryAfterSeconds });
      queue.choose = (path, { text, track_id: trackId }) => {
        const key = path === '/send/text' ? /\bw\d+e\d+\b/.exec(String(text))?.[0] : undefined;
        const fault = key === undefined ? undefined : faults.get(key);
        if (key === undefined || fault === undefined) return undefined;
        faults.delete(key);
        traffic.given.push({ at: Date.now(), fault, landed: landsFirst(fault), trackId: String(trackId) });
        return fault;
      };
    }
    return traffic;
  }

  /** Agents whose channels are connected to these instances. */
  async connect(api: ApiClient): Promise<void> {
    const when = '(?s)(.*)';
    const reply = 'Answer to: $1';
    const fields: Record<ChannelKind, Record<string, unknown>> = {
      plainChannel: { script: [{ when, reply, delay_ms: 60 }] },
      groupingChannel: { grouping_window_seconds: 0.6, script: [{ when, reply, delay_ms: 250 }] },
    };
    for (const kind of channelKinds) {
      const { url, instanceToken, setWebhook } = this.#instances[kind];
      const { id } = await api.createAgent({ model: 'scripted/default', ...fields[kind] });
      const body = { base_url: url, instance_token: instanceToken };
      const { webhook_url: webhook } = await channelCall(api, 'PUT', id, '', body);
      const { state } = await channelCall(api, 'POST', id, '/verify');
      if (state !== 'connected') throw new Error(`The channel is ${String(state)}.`);
      // Behind a balancer an API does not know its address.
      setWebhook({ url: new URL(new URL(String(webhook)).pathname, api.baseUrl).href });
    }
  }

  /** @param startedAt epoch ms that the plan counts from */
  async run(plan: readonly PlannedEvent[], startedAt: number): Promise<void> {
    await Promise.all(plan.map((event) => this.#tell(event, startedAt)));
  }

  async #tell(planned: PlannedEvent, startedAt: number): Promise<void> {
    const { key, number, channel, writtenAtMs, postedAtMs, long } = planned;
    const text = long ? longTextOf(key) : textOf(key);
    const event: SentEvent = { ...planned, text, outcome: 'refused', answers: [] };
    this.events.push(event);
    const atMs = Math.floor((startedAt + writtenAtMs) / 1000) * 1000;
    const post = async (at: number) => {
      await delay(Math.max(0, startedAt + at - Date.now()));
      this.busy += 1;
      const inbound = { from: number, text, messageId: `3EB0${key.toUpperCase()}`, atMs };
      const { answers } = await this.#instances[channel].deliverInbound(inbound);
      this.busy -= 1;
      for (const { status, text: said } of answers) {
        if (status < 200 || status >= 300) {
          this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
          continue;
        }
        this.taken += 1;
        event.outcome = 'accepted';
        event.answers.push(said);
      }
    };
    await Promise.all(postedAtMs.map(post));
  }

  /** Sends that have arrived and are not answered yet. */
  inFlight(): number {
    return this.#all().reduce((sum, { state }) => sum + state.sendsUnderWay, 0);
  }

  landed(): LandedSend[] {
    return this.#all().flatMap(({ sent }) =>
      sent.map(({ atMs, trackId, number, shown }) => ({ at: atMs, trackId, number, text: shown })),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((one) => one.stop()));
  }

  #all(): GatewayEmulator[] {
    return Object.values(this.#instances);
  }
}

/** Every word contains the event's key, so the parts of its reply differ from those of all others. */
function longTextOf(key: string): string {
  const words = Array.from({ length: Math.ceil(longText / (key.length + 5)) }, (_, at) => `${key}.${at}`);
  return `${textOf(key)} ${words.join(' ')}`;
}

async function channelCall(
  api: ApiClient,
  method: string,
  agentId: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await api.call(method, `/agents/${agentId}/channel${path}`, { body });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body as Record<string, unknown>;
}
