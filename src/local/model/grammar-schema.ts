/** Reduces a JSON Schema to the keywords that node-llama-cpp turns into a grammar. */
import { isObject, isScalar } from '../../domain/http-tools/openapi-node.ts';

export type GrammarSchema = Readonly<Record<string, unknown>>;

/**
 * Maximum characters of a string without an enum. Chosen: a small model may otherwise repeat itself until the token
 * limit.
 */
const maxStringChars = 100;
/** Maximum levels, subschemas, and values per enum. Chosen: the grammar of a larger schema takes long to compile. */
const maxDepth = 8;
const maxSchemas = 200;
const maxEnum = 200;

/** Accepts any short text. Replaces each subschema that is beyond the limits or has none of the known keywords. */
const anyText: GrammarSchema = { type: 'string', maxLength: maxStringChars };

/** @returns the reduced schema. Subschemas that are beyond the limits, or have no known keyword, accept a string. */
export function grammarSchema(schema: unknown): GrammarSchema {
  let left = maxSchemas;
  return reduced(schema, 0);

  function reduced(value: unknown, depth: number): GrammarSchema {
    left -= 1;
    if (!isObject(value) || depth > maxDepth || left < 0) return anyText;
    const { const: only, enum: values, type, properties, required, items, oneOf, anyOf } = value;
    const described = typeof value['description'] === 'string' && { description: value['description'] };
    if (isScalar(only)) return { const: only, ...described };
    if (Array.isArray(values)) {
      const kept = values.filter(isScalar).slice(0, maxEnum);
      if (kept.length > 0) return { enum: kept, ...described };
    }
    const choices = oneOf ?? anyOf;
    if (Array.isArray(choices) && choices.length > 0) {
      return { oneOf: choices.slice(0, maxEnum).map((one) => reduced(one, depth + 1)), ...described };
    }
    if (Array.isArray(type)) {
      const each = type.slice(0, 7).map((one: unknown) => reduced({ ...value, type: one }, depth + 1));
      return { oneOf: each, ...described };
    }
    if (type === 'object' || isObject(properties)) {
      const named = Object.entries(isObject(properties) ? properties : {}).slice(0, maxSchemas);
      const names = new Set(Array.isArray(required) ? required : []);
      return {
        type: 'object',
        properties: Object.fromEntries(named.map(([name, one]) => [name, reduced(one, depth + 1)])),
        required: named.map(([name]) => name).filter((name) => names.has(name)),
        additionalProperties: false,
        ...described,
      };
    }
    if (type === 'array') return { type, items: reduced(items, depth + 1), maxItems: 20, ...described };
    if (type === 'number' || type === 'integer' || type === 'boolean' || type === 'null') {
      return { type, ...described };
    }
    return { ...anyText, ...described };
  }
}
