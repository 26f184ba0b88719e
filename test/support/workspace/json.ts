/** JSON as the emulator keeps and answers it, with the few readers that every route needs. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, Json>;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one: for reading fields that were validated before. */
export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function asArray(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The text behind `, instead was` in a refusal: JSON, cut where the real service cuts it too. */
export function shown(value: Json | undefined): string {
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
