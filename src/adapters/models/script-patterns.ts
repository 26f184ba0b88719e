/**
 * Compiles and caches the regular expressions of scripts. RE2's matching time is proportional to program size times
 * text length; this module bounds both, for each expression and for a whole script.
 */
import { RE2JS } from 're2js';
import type { ScriptRule } from '../../contract/conversations/agents.ts';
import { ModelFault } from './model.ts';

/**
 * Maximum instructions of one expression. `(?i)invoice (\d+)` has 14 instructions, an alternation of a hundred words
 * about 700. Chosen.
 */
export const maxPatternInstructions = 1000;
export const maxScriptInstructions = 5000;
/**
 * Maximum product of instructions and characters for one message: takes at most 0.15 s on a loaded machine
 * (measured), usually far less.
 */
const maxMatchWork = 1_000_000;
/** The maximum length of a message. Tool results may be longer; the rest is not searched. */
const maxMatchedChars = 32_000;
const maxCachedPatterns = 2000;

const cached = new Map<string, RE2JS>();

/** Compiles an expression. @throws Error with the rest of a sentence about the expression, such as `is too large` */
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

function read(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (cause) {
    throw new Error('is not a regular expression that RE2 accepts', { cause });
  }
}

/**
 * Returns an upper bound of the compiled program's size, whatever the expression means. Each character adds at most
 * three instructions. A counted repetition repeats the character before it or, after a group or another repetition,
 * at most everything before it.
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
 * @returns the instructions of all expressions together
 * @throws Error if there are too many
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
  /** Replaces $1… in the template. */
  expand: (template: string) => string;
}

/**
 * Finds the first rule of a kind whose expression matches the text, or that has no expression. In a large script only
 * the beginning of the text is searched.
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

/** The maximum length of a message, even if a template repeats a long group. */
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
