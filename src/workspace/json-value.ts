/** Reads values from JSON of unknown form. */
import type { JsonObject } from '../contract/workspace/actions.ts';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const objectAt = (value: unknown, key: string): JsonObject | undefined => {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : undefined;
};

export const textAt = (value: unknown, key: string): string | undefined => {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
};

export const listAt = (value: unknown, key: string): readonly unknown[] => {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
};

/** Returns those of the fields that the object has. Null counts as absent. */
export function fieldsOf(given: JsonObject, names: readonly string[]): Record<string, unknown> {
  const there = names.filter((name) => given[name] !== undefined && given[name] !== null);
  return Object.fromEntries(there.map((name) => [name, given[name]]));
}

/** Formats a value for an error message that a model reads: JSON of at most 80 characters, or `missing`. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
