/**
 * Prepares the answer of an HTTP tool's server for the model: selects parts of it, removes the tool's secrets, and
 * cuts it.
 */
import { isObject } from './openapi-node.ts';

/**
 * Maximum list elements that all pointers of a tool together visit in one answer. Further elements are omitted.
 * Chosen.
 */
const maxValues = 10_000;

/**
 * Selects parts of a JSON answer.
 * @param pointers JSON pointers, in which `*` selects all elements of a list
 * @param maxChars once the text is longer than this, no further part is added, so that the text remains valid JSON
 * @returns the JSON text of an object whose keys are the pointers. The value of a pointer is null if the answer has no
 * such part.
 */
export function chosenParts(answer: unknown, pointers: readonly string[], maxChars: number): string {
  const budget = { left: maxValues };
  const parts: string[] = [];
  let length = 0;
  for (const pointer of new Set(pointers)) {
    const part = `${JSON.stringify(pointer)}:${JSON.stringify(partAt(answer, segmentsOf(pointer), budget))}`;
    parts.push(part);
    length += part.length + 1;
    if (length > maxChars) break;
  }
  return `{${parts.join(',')}}`;
}

/** @returns an error message for the author of a pointer; undefined if the pointer is valid */
export function pointerProblem(pointer: string): string | undefined {
  if (!pointer.startsWith('/'))
    return 'must be a JSON pointer, which begins with /, for example /order/status';
  if (segmentsOf(pointer).filter((segment) => segment === '*').length > maxLists)
    return `must have at most ${String(maxLists)} *`;
  return /~(?![01])/.test(pointer) ? 'must escape ~ as ~0' : undefined;
}

/** Maximum number of `*` in a pointer. Each one multiplies the number of selected values. Chosen. */
const maxLists = 2;

const segmentsOf = (pointer: string): string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

function partAt(value: unknown, [segment, ...rest]: readonly string[], budget: { left: number }): unknown {
  if (segment === undefined) return value ?? null;
  if (Array.isArray(value)) {
    if (segment !== '*')
      return /^(?:0|[1-9]\d{0,8})$/.test(segment) ? partAt(value[Number(segment)], rest, budget) : null;
    const kept: unknown[] = [];
    for (const one of value) {
      if (budget.left <= 0) break;
      budget.left -= 1;
      kept.push(partAt(one, rest, budget));
    }
    return kept;
  }
  if (!isObject(value) || !Object.hasOwn(value, segment)) return null;
  return partAt(value[segment], rest, budget);
}

/** Minimum characters of a header value for it to be replaced. Shorter values may occur in ordinary text. Chosen. */
const minSecretChars = 6;

/**
 * Replaces secrets, such as the values of a tool's headers, with `[secret]` in a text. Also replaces a value that
 * appears without its scheme (such as `Bearer`), or as JSON escapes it. Values shorter than `minSecretChars` stay.
 */
export function withoutSecrets(text: string, headerValues: readonly string[]): string {
  const secrets = headerValues
    .flatMap((value) => [value, value.replace(/^\S+ +/, '')])
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
    .filter((value) => value.length >= minSecretChars)
    .sort((one, other) => other.length - one.length);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}

/**
 * Cuts a text that is longer than `maxChars`, but not within a surrogate pair, and appends a note that states the full
 * length of the text. The note is not counted in `maxChars`.
 */
export function cutTo(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return `${text.slice(0, end)}\n[Cut off: the answer has ${String(text.length)} characters.]`;
}
