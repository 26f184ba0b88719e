/** A conversation under test: its interleaving, its clock, and what was seen of it so far. */
import { acceptInput } from '../../../src/adapters/postgres/conversations/inputs.ts';
import { cancelRuns } from '../../../src/adapters/postgres/conversations/cancel-runs.ts';
import type { Database } from '../../../src/adapters/postgres/database.ts';
import { interleavingOf, pairs, type Accident, type Interleaving, type Op } from './interleaving.ts';
import type { AgentRules, Observation, Seen } from './observation.ts';
import type { Cast } from './cast.ts';

export interface Clock {
  now(): number | Promise<number>;
  sleep(ms: number): Promise<void>;
}

let stamps = 0;

/** Takes the place of a process that was killed. */
export class WorkerLost extends Error {}

export class Scene {
  readonly plan: Interleaving;
  readonly agents: [AgentRules, AgentRules];
  readonly history: Seen[] = [];
  readonly late: Promise<unknown>[] = [];
  conversationId: string | undefined;
  asked = 0;
  posted = 0;
  attempted = 0;
  claimBegan = 0;
  readonly db: Database;
  readonly clock: Clock;
  readonly #cast: Cast;
  readonly #take: number;

  constructor(plan: Interleaving | number, db: Database, clock: Clock, cast: Cast) {
    this.plan = typeof plan === 'number' ? interleavingOf(plan) : plan;
    this.agents = pairs[this.plan.pair]!;
    this.db = db;
    this.clock = clock;
    this.#cast = cast;
    this.#take = cast.take++;
  }

  /** Times whatever is seen: the answer of a statement, a post. */
  async see<T>(act: (t: number) => Promise<T>, what: (result: T, t: number) => Observation): Promise<T> {
    const t = await this.clock.now();
    stamps += 1;
    const from = stamps;
    const result = await act(t);
    stamps += 1;
    this.history.push({ from, to: stamps, what: what(result, t) });
    return result;
  }

  sawStop(t: number): void {
    stamps += 1;
    this.history.push({ from: stamps, to: stamps, what: { kind: 'stop', t, stamp: stamps } });
  }

  async cancel(): Promise<void> {
    const { conversationId } = this;
    if (conversationId === undefined) return;
    await this.see(
      async (t) => await cancelRuns(this.db, conversationId, new Date(t)),
      ({ length }, t) => ({ kind: 'cancel', t, inputs: length }),
    );
  }

  claimBegins(): void {
    stamps += 1;
    this.claimBegan = stamps;
  }

  accident(): Accident | undefined {
    return this.plan.accidents[this.attempted++];
  }

  get agentIds(): [string, string] {
    return this.#cast.agents[this.plan.pair]!;
  }

  /** The API's transaction. @returns when to nudge, if at all */
  async accept(index: number, op: Extract<Op, { do: 'input' }>): Promise<number | undefined> {
    const text = `m${this.plan.seed}-${index}`;
    const url = op.url === undefined ? undefined : `https://receiver.example/${op.url}`;
    const accepted = await this.see(
      async (t) => {
        const answer = await acceptInput(
          this.db,
          {
            caller: { kind: 'system' },
            organizationId: this.#cast.organizationId,
            targetId: this.agentIds[0],
            contact: { id: `scene-${this.plan.seed}-${this.#take}` },
            text,
            sync: op.sync,
            webhookUrl: url,
            metadata: op.meta === undefined ? undefined : { n: op.meta },
            idempotency: {
              tokenId: this.#cast.tokenId,
              path: '/chat',
              key: `${text}-${this.#take}`,
              requestHash: '00',
            },
          },
          new Date(t),
        );
        if (answer.outcome !== 'accepted' && answer.outcome !== 'repeat') throw new Error(answer.outcome);
        return answer;
      },
      ({ run_id: run, debounced, outcome }, t) => {
        const repeat = outcome === 'repeat';
        return { kind: 'accept', t, text, sync: op.sync, url, meta: op.meta, run, debounced, repeat };
      },
    );
    this.conversationId = accepted.conversation_id;
    this.#cast.scenes.set(accepted.conversation_id, this);
    return accepted.wake_at?.getTime();
  }
}
