/**
 * The model `scripted/default`, which answers from the agent's script, without a key or network. Compiles and caches
 * the regular expressions of scripts. RE2's matching time is proportional to the size of the compiled program times the
 * length of the text. Therefore the size of each expression and of a whole script is limited, and the length of the
 * searched text too.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RE2JS } from 're2js';
import type { ScriptRule } from '../../contract/conversations/agents.ts';
import { noRuleNote, scriptedModelId } from '../../contract/models/scripted.ts';
import { ModelFault, transferTool, type Model, type ModelReply, type ModelRequest } from './model.ts';

/**
 * Counts one more failure of a rule in a conversation.
 * @param max the count does not rise above `max` + 1
 * @returns the count, including this failure
 */
export type CountScriptFailure = (conversationId: string, rule: string, max: number) => Promise<number>;

/** Maximum total delay of one answer, even if a script asks for more. Chosen. */
const maxWaitMs = 60_000;
/**
 * Milliseconds of matching that an organization may use: `shareMs` per second, and up to `burstMs` at once after a
 * pause. Most matches take less than 0.1 ms. Chosen.
 */
const matching = { shareMs: 100, burstMs: 300 };

/**
 * Creates the model that answers from the agent's script. Under a cap on credits, each call counts with its maximum
 * cost, because scripts count no tokens. Without a price, a call costs nothing. `ask` throws ModelFault if the matching
 * rule has `fail`, the script cannot be compiled or is too large, or the call does not fit in a cap; CreditsBusy if it
 * may fit later; AbortError if the request is aborted during a wait.
 */
export function scriptedModel(countFailure: CountScriptFailure): Model {
  const shares = new TimeShares(matching);
  return {
    id: scriptedModelId,
    ask: async (request) => {
      const reserved = await request.budget?.reserve(Buffer.byteLength(request.input));
      try {
        return await answer(request);
      } finally {
        await reserved?.settle(null);
      }
    },
  };

  async function answer(request: ModelRequest): Promise<ModelReply> {
    const { kind, text, data } = trigger(request);
    const { agent, organizationId, signal } = request;
    const found = await shares.use(organizationId, signal, () => firstMatch(agent.script ?? [], kind, text));
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
  }
}

/** Streams the text word by word, as a language model would, and returns the reply. */
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
  const unused = { inputTokens: 0, outputTokens: 0, truncated: false, historyTurns: 0, wasCut: false };
  return { text, calls, model: scriptedModelId, ...unused };
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

/**
 * Makes the call fail, as `fail` of the rule requires. Does nothing if the rule has already failed `times` times in
 * this conversation.
 * @throws ModelFault with the rule's message
 */
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
  /** Milliseconds that may be used per second. */
  shareMs: number;
  /** Milliseconds that may be used at once after a pause. */
  burstMs: number;
}

/**
 * Limits how much time of the process's only thread each organization uses. An organization that has used up its share
 * waits.
 */
export class TimeShares {
  readonly #options: TimeShareLimits;
  readonly #now: () => number;
  /**
   * Milliseconds left per organization; negative if it has used more than its share. An organization that is absent has
   * `burstMs` left.
   */
  readonly #left = new Map<string, { ms: number; at: number }>();

  /** @param now the clock in milliseconds; tests pass their own */
  constructor(options: TimeShareLimits, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /**
   * Waits until the organization has time left, does the synchronous work, and subtracts the time that the work took.
   * @returns the result of `work`
   * @throws AbortError if `signal` aborts during the wait
   */
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

  /** Returns the milliseconds until the organization has time again; 0 if it has time now. */
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

/**
 * Maximum instructions of one expression. `(?i)invoice (\d+)` has 14 instructions, an alternation of a hundred words
 * about 700. Chosen.
 */
export const maxPatternInstructions = 1000;
export const maxScriptInstructions = 5000;
/**
 * Maximum product of a script's instructions and the characters of a message that are searched. With it, matching takes
 * at most 0.15 s on a loaded machine (measured), usually far less.
 */
const maxMatchWork = 1_000_000;
/**
 * Maximum characters that are searched: as many as a message may have. Of a longer tool result, only the beginning is
 * searched.
 */
const maxMatchedChars = 32_000;
const maxCachedPatterns = 2000;

const cached = new Map<string, RE2JS>();

/**
 * Compiles an expression, or returns it from the cache.
 * @throws Error whose message continues a sentence that begins with the expression, for example `is too large`
 */
export function compilePattern(pattern: string): RE2JS {
  const known = cached.get(pattern);
  if (known !== undefined) {
    cached.delete(pattern);
    cached.set(pattern, known);
    return known;
  }
  // Checked before compiling, because nested counted repetitions take minutes to compile.
  if (atMostInstructions(pattern) > 20 * maxPatternInstructions) throw new Error(tooLarge);
  const made = read(pattern);
  if (made.programSize() > maxPatternInstructions) throw new Error(tooLarge);
  cached.set(pattern, made);
  const [oldest] = cached.keys();
  if (cached.size > maxCachedPatterns && oldest !== undefined) cached.delete(oldest);
  return made;
}

const tooLarge = `is too large: with its repetitions written out it has over ${maxPatternInstructions} instructions`;

/** Compiles an expression. @throws Error if RE2 does not accept it */
function read(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (cause) {
    throw new Error('is not a regular expression that RE2 accepts', { cause });
  }
}

/**
 * Returns an upper bound of the compiled program's instructions without parsing the expression. Each character adds at
 * most three instructions. A counted repetition of one character repeats that character. A counted repetition of a
 * group or of another repetition counts as if it repeated everything before it.
 */
export function atMostInstructions(pattern: string): number {
  let size = 3;
  let at = 0;
  for (const { 0: text, 1: min, 2: max, index } of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    size += 3 * (index - at);
    at = index + text.length;
    const times = Math.max(1, Number(min) + 1, Number(max ?? 0));
    const isOfMore = ')}*+?'.includes(pattern.charAt(index - 1));
    size = isOfMore ? size * times + 3 * text.length : size + 3 * (times + text.length);
  }
  return size + 3 * (pattern.length - at);
}

/**
 * Adds up the instructions of a script's expressions.
 * @returns their number
 * @throws Error if it is more than `maxScriptInstructions`
 */
export function scriptInstructions(patterns: readonly RE2JS[]): number {
  const instructions = patterns.reduce((sum, pattern) => sum + pattern.programSize(), 0);
  if (instructions > maxScriptInstructions) {
    throw new Error(
      `the expressions of the script have ${instructions} instructions together, over ${maxScriptInstructions}`,
    );
  }
  return instructions;
}

export interface ScriptMatch {
  rule: ScriptRule;
  /** Index of the rule in the script. */
  index: number;
  /**
   * Replaces $0 to $9 in the template with the groups of the match; a group that does not exist is empty. Returns the
   * template unchanged if the rule has no expression.
   */
  expand: (template: string) => string;
}

/**
 * Finds the first rule of a kind whose expression matches the text, or that has no expression. Only the beginning of a
 * long text is searched: the larger the script, the shorter this part (see `maxMatchWork`).
 * @returns undefined if no rule matches
 * @throws ModelFault if an expression cannot be compiled or the script is too large; the API refuses such scripts
 */
export function firstMatch(
  script: readonly ScriptRule[],
  kind: NonNullable<ScriptRule['on']>,
  text: string,
): ScriptMatch | undefined {
  const rules = script.flatMap((rule, index) => {
    if ((rule.on ?? 'message') !== kind) return [];
    return [{ rule, index, pattern: rule.when === undefined ? undefined : taken(rule.when) }];
  });
  const patterns = rules.map(({ pattern }) => pattern).filter((pattern) => pattern !== undefined);
  const instructions = orFault(() => scriptInstructions(patterns));
  const matched = text.slice(0, Math.min(maxMatchedChars, Math.floor(maxMatchWork / (instructions + 1))));
  for (const { rule, index, pattern } of rules) {
    if (pattern === undefined) return { rule, index, expand: (template) => template };
    const matcher = pattern.matcher(matched);
    if (!matcher.find()) continue;
    const groupOf = (number: number) => (number <= matcher.groupCount() ? (matcher.group(number) ?? '') : '');
    return { rule, index, expand: (template) => expanded(template, groupOf) };
  }
  return undefined;
}

function taken(pattern: string): RE2JS {
  return orFault(
    () => compilePattern(pattern),
    (problem) => `The script has an expression that ${problem}: ${pattern.slice(0, 100)}`,
  );
}

/** Runs the work. @throws ModelFault, not retryable, if the work throws */
function orFault<T>(
  work: () => T,
  sentence = (problem: string) => `The script cannot be read: ${problem}.`,
): T {
  try {
    return work();
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : '';
    throw new ModelFault(sentence(problem), { retryable: false, cause });
  }
}

/**
 * Maximum characters of an expanded template: as many as a message may have. Limited, because a template can repeat a
 * long group many times.
 */
const maxExpandedChars = 32_000;

function expanded(template: string, groupOf: (number: number) => string): string {
  let room = maxExpandedChars;
  const parts: string[] = [];
  for (const part of template.split(/(\$\d)/)) {
    const text = /^\$\d$/.test(part) ? groupOf(Number(part.charAt(1))) : part;
    parts.push(text.slice(0, room));
    room -= text.length;
    if (room <= 0) break;
  }
  return parts.join('').toWellFormed();
}
