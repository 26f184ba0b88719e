/** Reads parts of an OpenAPI document that has not been validated. */

export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for an array or null. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for the values that a JSON Schema can list in `enum`: texts, numbers, booleans and null. */
export const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const own = (node: Json, key: string): unknown => (Object.hasOwn(node, key) ? node[key] : undefined);

/** @returns the object at the key; an empty object if there is none */
export function objectIn(node: Json, key: string): Json {
  const value = own(node, key);
  return isObject(value) ? value : {};
}

/** @returns the array at the key; an empty array if there is none */
export function listIn(node: Json, key: string): readonly unknown[] {
  const value = own(node, key);
  return Array.isArray(value) ? value : [];
}

/** @returns the string at the key; an empty string if there is none */
export function textIn(node: Json, key: string): string {
  const value = own(node, key);
  return typeof value === 'string' ? value : '';
}

const maxReferences = 10;

/**
 * Follows `$ref` references within the document.
 * @param value an object, which may be a reference
 * @returns the object to which the references lead; an empty object if they lead to no object, if a reference does not
 * begin with `#/` or has more than 500 characters, or after `maxReferences` references, for example in a loop
 */
export function referenced(root: Json, value: unknown): Json {
  let node = value;
  for (let n = 0; n < maxReferences; n += 1) {
    if (!isObject(node)) return {};
    const reference = own(node, '$ref');
    if (typeof reference !== 'string') return node;
    if (!reference.startsWith('#/') || reference.length > 500) return {};
    let at: unknown = root;
    for (const part of reference.slice(2).split('/')) {
      const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      at = isObject(at) ? own(at, key) : undefined;
    }
    node = at;
  }
  return {};
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
