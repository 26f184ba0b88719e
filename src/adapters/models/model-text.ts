/** Cleans a provider's text for Postgres: removes NUL, and replaces halves of surrogate pairs with U+FFFD. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Cleans every key and string in a tool call's arguments. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [cleanText(key), cleanJson(inner)]),
  );
}
