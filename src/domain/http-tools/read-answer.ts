/**
 * Selects what a model reads of an HTTP tool's answer: the chosen parts, without the tool's secrets, and not too long.
 */

/** Maximum values that the pointers of one answer select from lists; further elements are left out. Chosen. */
const maxValues = 10_000;

/**
 * Writes the selected parts of a JSON answer, by pointer; null for a part that the answer does not have.
 *
 * @param maxChars no further part is written once the text is longer
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

/** @returns why a pointer cannot be read; undefined if it can */
export function pointerProblem(pointer: string): string | undefined {
  if (!pointer.startsWith('/'))
    return 'must be a JSON pointer, which begins with /, for example /order/status';
  if (segmentsOf(pointer).filter((segment) => segment === '*').length > maxLists)
    return `must have at most ${String(maxLists)} *`;
  return /~(?![01])/.test(pointer) ? 'must escape ~ as ~0' : undefined;
}

/** Maximum `*` in a pointer; each multiplies the number of values. Chosen. */
const maxLists = 2;

const segmentsOf = (pointer: string): string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

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

/** Minimum characters of a value that is replaced. A shorter value may occur in ordinary words. Chosen. */
const minSecretChars = 6;

/**
 * Replaces the values of the tool's headers with `[secret]`: with and without a scheme such as `Bearer`, and with the
 * escapes of JSON.
 */
export function withoutSecrets(text: string, headerValues: readonly string[]): string {
  const secrets = headerValues
    .flatMap((value) => [value, value.replace(/^\S+ +/, '')])
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
    .filter((value) => value.length >= minSecretChars)
    .sort((one, other) => other.length - one.length);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}

/** Cuts a text, never inside a surrogate pair, and appends a note with its whole length. */
export function cutTo(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return `${text.slice(0, end)}\n[Cut off: the answer has ${String(text.length)} characters.]`;
}
