/**
 * Checks the JSON Schemas of tools' arguments. Organizations write these schemas, so the check refuses whatever could
 * make validation slow or refer to other schemas: patterns, conditions, references, and schemas that are too large.
 */
import { isObject, isScalar, type Json } from './openapi-node.ts';

/** Maximum characters of a schema as JSON. Chosen. */
export const maxSchemaChars = 16_000;
const maxDepth = 8;
/** Maximum schemas within one schema, such as those of properties, list elements and alternatives. Chosen. */
const maxSchemas = 300;

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

const numbers = [
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
];

const allowed = new Set([
  'type',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'enum',
  'const',
  'format',
  'properties',
  'required',
  'additionalProperties',
  'items',
  ...numbers,
  'anyOf',
  'oneOf',
  'allOf',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$schema',
  '$comment',
]);

export type SchemaProblem = { path: string; message: string };

/**
 * @returns the problems of a schema for a tool's arguments, about the first ten; an empty list if the schema is valid
 */
export function schemaProblems(schema: Json): SchemaProblem[] {
  if (JSON.stringify(schema).length > maxSchemaChars)
    return [{ path: '', message: `must have at most ${String(maxSchemaChars)} characters` }];
  if (schema['type'] !== 'object') return [{ path: 'type', message: 'must be object' }];
  const problems: SchemaProblem[] = [];
  let count = 0;
  const visit = (value: unknown, path: string, depth: number): void => {
    count += 1;
    if (count > maxSchemas || problems.length > 10) return;
    const add = (at: string, message: string) =>
      problems.push({ path: [path, at].filter((part) => part !== '').join('.'), message });
    if (!isObject(value)) {
      add('', 'must be a schema, which is an object');
      return;
    }
    if (depth > maxDepth) {
      add('', `is deeper than ${String(maxDepth)} levels`);
      return;
    }
    for (const key of Object.keys(value)) if (!allowed.has(key)) add(key, whyNot(key));
    const { type, properties = {}, required = [], items, enum: values, additionalProperties: more } = value;
    const named = Array.isArray(type) ? type : type === undefined ? [] : [type];
    if (!named.every((one) => typeof one === 'string' && types.has(one))) add('type', 'is no type');
    for (const key of numbers) {
      if (value[key] !== undefined && typeof value[key] !== 'number') add(key, 'must be a number');
    }
    if (value['multipleOf'] !== undefined && !(Number(value['multipleOf']) > 0))
      add('multipleOf', 'must be above 0');
    if (values !== undefined && !(Array.isArray(values) && values.length > 0 && values.every(isScalar)))
      add('enum', 'must be a list of texts, numbers, booleans and null');
    if (value['const'] !== undefined && !isScalar(value['const']))
      add('const', 'must be a text, a number, a boolean or null');
    if (!Array.isArray(required) || !required.every((one) => typeof one === 'string'))
      add('required', 'must be a list of names');
    if (isObject(properties)) {
      for (const [name, inner] of Object.entries(properties)) {
        if (name === '__proto__') add(`properties.${name}`, 'is a reserved name');
        else visit(inner, `${path === '' ? '' : `${path}.`}properties.${name}`, depth + 1);
      }
    } else add('properties', 'must be an object of schemas');
    const below = (key: string, inner: unknown): void => {
      visit(inner, `${path === '' ? '' : `${path}.`}${key}`, depth + 1);
    };
    if (items !== undefined) below('items', items);
    if (more !== undefined && typeof more !== 'boolean') below('additionalProperties', more);
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const list = value[key];
      if (list === undefined) continue;
      if (!Array.isArray(list) || list.length === 0) add(key, 'must be a list of schemas');
      else for (const [index, inner] of list.entries()) below(`${key}.${String(index)}`, inner);
    }
  };
  visit(schema, '', 1);
  if (count > maxSchemas)
    problems.unshift({ path: '', message: `must not contain more than ${String(maxSchemas)} schemas` });
  return problems;
}

function whyNot(key: string): string {
  if (key === 'pattern' || key === 'patternProperties')
    return 'is not supported: describe the form in `description`, and the server checks it';
  if (key.startsWith('$')) return 'is not supported: write the schema out';
  return 'is not supported';
}

/** @returns the names of the arguments that the schema declares */
export function argumentNames({ properties }: Json): string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

/** @returns the names of the required arguments */
export function requiredNames({ required }: Json): string[] {
  return Array.isArray(required) ? required.filter((one) => typeof one === 'string') : [];
}
