/** Cleans a text for Postgres: removes NUL, and replaces unpaired surrogates with U+FFFD. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Returns a copy of a tool call's arguments, in which every key and string is cleaned as in `cleanText`. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [cleanText(key), cleanJson(inner)]),
  );
}
