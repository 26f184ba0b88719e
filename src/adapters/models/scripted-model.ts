/** `scripted/default`: answers from the agent's script, without a key or network. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptRule } from '../../contract/conversations/agents.ts';
import { noRuleNote, scriptedModelId } from '../../contract/models/scripted.ts';
import { ModelFault, transferTool, type Model, type ModelReply, type ModelRequest } from './model.ts';
import { firstMatch } from './script-patterns.ts';

/** Counts one more failure of a rule in a conversation. @returns the count, including this failure */
export type CountScriptFailure = (conversationId: string, rule: string, most: number) => Promise<number>;

/** Maximum delay of one answer, even if a script asks for more. Chosen. */
const maxWaitMs = 60_000;
/**
 * Milliseconds of matching that an organization may use per second, and at once after a pause. Most matches take less
 * than 0.1 ms. Chosen.
 */
const matching = { shareMs: 100, burstMs: 300 };

/**
 * The model that answers from the agent's script. `ask` throws ModelFault if a rule demands it, or if an expression
 * cannot be compiled.
 */
export function scriptedModel(countFailure: CountScriptFailure): Model {
  const shares = new TimeShares(matching);
  return {
    id: scriptedModelId,
    ask: async (request) => {
      const { kind, text, data } = trigger(request);
      const { agent, organizationId, signal } = request;
      const found = await shares.use(organizationId, signal, () =>
        firstMatch(agent.script ?? [], kind, text),
      );
      if (found === undefined) return await say(request, data ?? `${noRuleNote} ${text}`, []);
      const { rule, index, expand } = found;
      const delayMs = Math.min(rule.delay_ms ?? 0, maxWaitMs);
      if (delayMs > 0) await sleep(delayMs, undefined, { signal });
      if (rule.fail !== undefined) await failAsTold(request, index, rule.fail, countFailure);
      const calls: ModelReply['calls'] = [];
      if (rule.transfer_to !== undefined) {
        calls.push({ callId: `script-${index}`, name: transferTool, input: { agent: rule.transfer_to } });
      } else if (rule.tool !== undefined) {
        calls.push({ callId: `script-${index}`, name: rule.tool.action, input: rule.tool.input });
      }
      const reply = rule.reply === undefined ? '' : expand(rule.reply);
      return await say(request, reply, calls, { wordMs: rule.word_ms ?? 0, leftMs: maxWaitMs - delayMs });
    },
  };
}

/** Streams the text word by word, as a language model would. */
async function say(
  { onText, signal }: ModelRequest,
  text: string,
  calls: ModelReply['calls'],
  { wordMs, leftMs } = { wordMs: 0, leftMs: 0 },
): Promise<ModelReply> {
  if (onText !== undefined || wordMs > 0) {
    const words = text.match(/\s+\S*|\S+/g) ?? [];
    const pauseMs = Math.min(wordMs, leftMs / words.length);
    for (const word of words) {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal });
      onText?.(word);
    }
  }
  return { text, calls, model: scriptedModelId, inputTokens: 0, outputTokens: 0, truncated: false };
}

interface Trigger {
  kind: NonNullable<ScriptRule['on']>;
  text: string;
  /** The reply if no rule matches a tool's result. */
  data?: string;
}

function trigger(request: ModelRequest): Trigger {
  const results = request.steps.at(-1)?.calls.map((call) => call.result);
  if (results === undefined) return { kind: request.kind, text: request.input };
  const text = results.join('\n');
  return { kind: 'tool_result', text, data: text };
}

async function failAsTold(
  request: ModelRequest,
  index: number,
  fail: NonNullable<ScriptRule['fail']>,
  countFailure: CountScriptFailure,
): Promise<void> {
  if (fail.times !== undefined) {
    const failures = await countFailure(request.conversationId, `${request.agent.id}/${index}`, fail.times);
    if (failures > fail.times) return;
  }
  throw new ModelFault(fail.message, { retryable: fail.retryable });
}

interface TimeShareLimits {
  /** Milliseconds per second of real time. */
  shareMs: number;
  /** Milliseconds that may be used at once after a pause. */
  burstMs: number;
}

/** Shares this process's only thread among organizations: one that has used more than its share of time waits. */
export class TimeShares {
  readonly #options: TimeShareLimits;
  readonly #now: () => number;
  /** Time left per organization; negative if it has used more than its share. */
  readonly #left = new Map<string, { ms: number; at: number }>();

  /** @param now the clock in milliseconds; tests pass their own */
  constructor(options: TimeShareLimits, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Waits until the organization has time, does the synchronous work, and subtracts the time that it took. */
  async use<T>(organization: string, signal: AbortSignal, work: () => T): Promise<T> {
    for (let wait = this.waitMs(organization); wait > 0; wait = this.waitMs(organization)) {
      await sleep(wait, undefined, { signal });
    }
    const began = this.#now();
    try {
      return work();
    } finally {
      this.#spend(organization, this.#now() - began);
    }
  }

  /** Milliseconds until the organization has time again; 0 if it has some now. */
  waitMs(organization: string): number {
    const { ms } = this.#balance(organization);
    return ms > 0 ? 0 : Math.ceil((1 - ms) / (this.#options.shareMs / 1000));
  }

  #balance(organization: string): { ms: number; at: number } {
    const { shareMs, burstMs } = this.#options;
    const at = this.#now();
    const left = this.#left.get(organization);
    if (left === undefined) return { ms: burstMs, at };
    const ms = Math.min(burstMs, left.ms + ((at - left.at) * shareMs) / 1000);
    if (ms === burstMs) this.#left.delete(organization);
    return { ms, at };
  }

  #spend(organization: string, ms: number): void {
    const balance = this.#balance(organization);
    this.#left.set(organization, { ms: balance.ms - ms, at: balance.at });
  }
}
