/** Scripted faults: which request they meet, how often, and what happens instead of a plain answer. */
import type { Json } from './json.ts';

/**
 * `committed: true` lets the route do its work before the fault is answered: the write landed, the caller cannot know.
 * `lost-answer` always commits, then destroys the socket; `reset` never commits. `late` never answers, and does its
 * work once `landing` is over, even if the caller has closed the connection by then. `proxy-page` answers with an HTML
 * page, as a proxy in front of the service does.
 */
export type Fault =
  | { kind: 'lost-answer' }
  | { kind: 'reset' }
  | { kind: 'hang'; committed?: boolean }
  | { kind: 'late'; landing: Promise<unknown> }
  | { kind: 'slow'; ms: number }
  | { kind: 'conflict'; committed?: boolean }
  | { kind: 'rate-limited'; retryAfter: number; reason?: string }
  | { kind: 'overloaded'; retryAfter?: number }
  | { kind: 'bad-gateway'; committed?: boolean }
  | { kind: 'proxy-page'; status: number; html?: string }
  | { kind: 'unavailable'; committed?: boolean }
  | { kind: 'gateway-timeout'; committed?: boolean }
  | { kind: 'internal'; committed?: boolean }
  | { kind: 'cut-json'; committed?: boolean }
  | { kind: 'wrong-json'; body: Json; status?: number; committed?: boolean }
  | { kind: 'error'; status: number; code: string; message: string; committed?: boolean };

export interface FaultRule {
  method?: string;
  /** A string equals the path; a pattern is tested against it. Without it: every path. */
  path?: string | RegExp;
  /** Tested against the parsed body; bodies that are not JSON are null. */
  body?: (body: Json) => boolean;
  /** Matching requests let through before the fault begins; default 0. */
  skip?: number;
  /** How often it happens; default 1. */
  times?: number;
  fault: Fault;
}

export interface ArmedFault {
  /** How often it has happened. */
  readonly hits: number;
  remove(): void;
}

interface Armed extends FaultRule {
  seen: number;
  hits: number;
}

export class Faults {
  readonly #armed: Armed[] = [];

  /** Rules are tried in the order they were added; the first that matches wins. */
  add(rule: FaultRule): ArmedFault {
    const armed: Armed = { ...rule, seen: 0, hits: 0 };
    this.#armed.push(armed);
    return {
      get hits() {
        return armed.hits;
      },
      remove: () => {
        const at = this.#armed.indexOf(armed);
        if (at >= 0) this.#armed.splice(at, 1);
      },
    };
  }

  clear(): void {
    this.#armed.length = 0;
  }

  /** The fault for this request, counted as happened. */
  take(request: { method: string; path: string; body: Json }): Fault | undefined {
    for (const armed of this.#armed) {
      if (!matches(armed, request)) continue;
      armed.seen += 1;
      if (armed.seen <= (armed.skip ?? 0) || armed.hits >= (armed.times ?? 1)) continue;
      armed.hits += 1;
      return armed.fault;
    }
    return undefined;
  }
}

function matches(rule: FaultRule, request: { method: string; path: string; body: Json }): boolean {
  if (rule.method !== undefined && rule.method !== request.method) return false;
  if (typeof rule.path === 'string' && rule.path !== request.path) return false;
  if (rule.path instanceof RegExp && !rule.path.test(request.path)) return false;
  return rule.body === undefined || rule.body(request.body);
}
