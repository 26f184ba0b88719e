/** Recognizes, reads and compares JSON. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns the object; undefined if the text is not a JSON object */
export function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @returns JSON that is equal for equal values, whatever the order of their keys */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    isObject(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : one,
  );
