/** An attack: code that runs in a process of its own, and the fix against it that can be undone. */
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.ts';
import type { Stand } from './stand.ts';

export type Edit = readonly [file: string, from: string, to: string];

export interface Attack {
  name: string;
  what: string;
  /** Settings over those of the product, for API and worker. */
  env?: NodeJS.ProcessEnv;
  /** Rows and people that A has; what is given goes to the attacker. */
  seed?: (stand: Stand) => Promise<Record<string, string>>;
  /** Creates what A needs before it attacks. */
  prepare?: (attacker: Attacker) => Promise<void>;
  run: (attacker: Attacker) => Promise<void>;
  /** Checks the database after the attack. @returns the violations */
  check?: (stand: Stand) => Promise<string[]>;
  /** How often API and worker may end all the same. */
  mayRestart?: number;
  /** Maximum time of any of B's calls, instead of the usual limits. */
  mayWaitMs?: number;
  /** The attack takes at least so long. */
  leastSeconds?: number;
  /** Undoes the fix: edits of the source, settings, statements. */
  plant: { edits?: readonly Edit[]; env?: NodeJS.ProcessEnv; sql?: string; seconds?: number };
}

export interface Target {
  origin: string;
  token: string;
  docsToken: string;
  docsPage: string;
  seed: number;
  given: Record<string, string>;
}

/** Chosen. */
const maxFirstAnswerMs = 30_000;

/** The tools of an attack, in the attacker's process. */
export class Attacker {
  readonly target: Target;
  readonly api: ApiClient;
  readonly answers = new Map<string, number>();
  /** Time by `performance.now()`. */
  until = Infinity;
  readonly #ends: (() => unknown)[] = [];

  constructor(target: Target) {
    this.target = target;
    this.api = new ApiClient(`${target.origin}/v1`, target.token);
  }

  /** On a busy machine the first answer can come after `until`: the attack continues for it. */
  get isOver(): boolean {
    const late = performance.now() - this.until;
    return late >= (this.answers.size === 0 ? maxFirstAnswerMs : 0);
  }

  count(answer: string | number): void {
    this.answers.set(String(answer), (this.answers.get(String(answer)) ?? 0) + 1);
  }

  /** Done at the attack's end. */
  atEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }

  /** Calls the API as A does and counts the answer. */
  async call(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string>; token?: string | null; url?: string } = {},
  ): Promise<unknown> {
    const { url, ...call } = options;
    const api = url === undefined ? this.api : new ApiClient(url, this.target.token);
    try {
      const { status, body } = await api.call(method, path, call);
      this.count(status);
      return body;
    } catch (error) {
      this.count(wordOf(error));
      return undefined;
    }
  }

  /**
   * Does it so often a second until the attack is over, so many at once at most: what is later than that is left out.
   */
  async repeat(perSecond: number, atOnce: number, act: (number: number) => Promise<unknown>): Promise<void> {
    const underWay = new Set<Promise<unknown>>();
    const began = performance.now();
    for (let number = 0; ; number++) {
      const wait = began + (number * 1000) / perSecond - performance.now();
      if (wait > 1) await delay(wait);
      if (underWay.size >= atOnce) await Promise.race(underWay);
      if (this.isOver) return;
      const one = act(number).finally(() => underWay.delete(one));
      underWay.add(one);
    }
  }

  async rest(): Promise<void> {
    while (!this.isOver) await delay(50);
  }
}

export function wordOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.name : 'error';
}
