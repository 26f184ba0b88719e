/** Converts the parameters and the JSON body of an OpenAPI operation to the JSON Schema of a tool's arguments. */
import { isScalar, listIn, objectIn, referenced, textIn, type Json } from './openapi-node.ts';

export type ToolParameters =
  | {
      kind: 'parameters';
      parameters: { type: 'object'; properties: Record<string, Plain>; required: string[] };
      query: string[];
    }
  | { kind: 'refused'; message: string };

/** A schema that has only the keywords that tools may have. */
interface Plain {
  [keyword: string]: PlainValue;
}
type PlainValue = string | number | boolean | null | Plain | PlainValue[];

const maxDepth = 6;
/**
 * Limit on the nested schemas of one operation. At the limit, the operation is refused. Chosen: less than a tool's
 * schema may have (`maxSchemas` of tool-schema.ts).
 */
const maxSchemas = 250;
const maxDescription = 300;

interface Reading {
  root: Json;
  left: number;
}

/**
 * Converts the parameters and the JSON body of an operation.
 * @param item the path item that contains the operation
 * @returns the schema of the tool's arguments, and in `query` the names of the arguments that belong in the query;
 * `refused` with the reason if the operation cannot be a tool
 */
export function toolParameters(root: Json, item: Json, operation: Json): ToolParameters {
  const reading = { root, left: maxSchemas };
  const properties: Record<string, Plain> = {};
  const required: string[] = [];
  const query: string[] = [];
  const refused = (message: string): ToolParameters => ({ kind: 'refused', message });
  const given = [...listIn(item, 'parameters'), ...listIn(operation, 'parameters')].map((one) =>
    referenced(root, one),
  );
  // An operation's parameter overrides the path's parameter that has the same `in` and `name`.
  const parameters = new Map(given.map((one) => [`${textIn(one, 'in')} ${textIn(one, 'name')}`, one]));
  for (const parameter of parameters.values()) {
    const name = textIn(parameter, 'name');
    const place = textIn(parameter, 'in');
    const isRequired = parameter['required'] === true || place === 'path';
    if (place !== 'path' && place !== 'query') {
      if (isRequired && !/^authorization$/i.test(name))
        return refused(`It requires the ${place} ${name}, which no argument can set.`);
      continue;
    }
    if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name)) {
      if (isRequired) return refused(`The name of its parameter ${name.slice(0, 64)} cannot be used.`);
      continue;
    }
    if (Object.hasOwn(properties, name)) return refused(`It has two parameters ${name}.`);
    const schema = plain(reading, parameter['schema'], 1);
    const description = textIn(parameter, 'description').slice(0, maxDescription).toWellFormed();
    properties[name] = { ...schema, ...(description !== '' && { description }) };
    if (isRequired) required.push(name);
    if (place === 'query') query.push(name);
  }
  const body = bodyOf(reading, referenced(root, operation['requestBody']));
  if (body === undefined) return refused('Its body is not a JSON object.');
  for (const [name, schema] of Object.entries(body.properties)) {
    if (Object.hasOwn(properties, name)) return refused(`Its body and its parameters both have ${name}.`);
    properties[name] = schema;
  }
  required.push(...body.required);
  if (reading.left <= 0) return refused('It has too many fields.');
  return {
    kind: 'parameters',
    parameters: { type: 'object', properties, required },
    query,
  };
}

/**
 * @returns the fields of the JSON body; no fields if the operation has no body; undefined if its body is not a JSON
 * object with fields
 */
function bodyOf(
  reading: Reading,
  body: Json,
): { properties: Record<string, Plain>; required: string[] } | undefined {
  const content = objectIn(body, 'content');
  const types = Object.keys(content);
  if (types.length === 0) return { properties: {}, required: [] };
  const type = types.find((one) => /^application\/(?:[\w.-]+\+)?json\b/i.test(one));
  if (type === undefined) return undefined;
  const schema = referenced(reading.root, objectIn(content, type)['schema']);
  const parts = [schema, ...listIn(schema, 'allOf').map((one) => referenced(reading.root, one))];
  const properties: Record<string, Plain> = {};
  for (const part of parts)
    for (const [name, one] of Object.entries(objectIn(part, 'properties')))
      if (name !== '__proto__') properties[name] = plain(reading, one, 1);
  if (Object.keys(properties).length === 0) return undefined;
  const required = parts.flatMap((part) => listIn(part, 'required')).filter((one) => typeof one === 'string');
  return { properties, required: required.filter((name) => Object.hasOwn(properties, name)) };
}

/**
 * Replaces the references in an object's schema with their targets, and keeps only the keywords that `plain` copies.
 * @returns the new schema; undefined if it has too many nested schemas (see `maxSchemas`)
 */
export function plainParameters(schema: Json): Record<string, unknown> | undefined {
  const reading = { root: schema, left: maxSchemas };
  const result = plain(reading, schema, 0);
  return reading.left <= 0 ? undefined : { ...result, type: 'object' };
}

const kept = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum'] as const;

/**
 * Copies a schema with the most common of the keywords that tools may have, and replaces references with their
 * targets. Replaces schemas deeper than `maxDepth` with one that accepts any value. Otherwise, the copy of a schema
 * that contains itself would be infinite.
 */
function plain(reading: Reading, given: unknown, depth: number): Plain {
  reading.left -= 1;
  const schema = referenced(reading.root, given);
  if (depth > maxDepth || reading.left <= 0) return {};
  const result: Plain = {};
  const named = schema['type'];
  const types = (Array.isArray(named) ? named : [named]).filter((one) => typeof one === 'string');
  if (schema['nullable'] === true && types.length > 0) types.push('null');
  const [only, another] = types;
  if (another !== undefined) result['type'] = [...new Set(types)];
  else if (only !== undefined) result['type'] = only;
  const description = textIn(schema, 'description').slice(0, maxDescription).toWellFormed();
  if (description !== '') result['description'] = description;
  const values = listIn(schema, 'enum').filter(isScalar);
  if (values.length > 0) result['enum'] = values;
  for (const key of kept) {
    const bound = schema[key];
    if (typeof bound === 'number') result[key] = bound;
  }
  if (schema['items'] !== undefined) result['items'] = plain(reading, schema['items'], depth + 1);
  else if (only === 'array') result['items'] = {};
  const properties = objectIn(schema, 'properties');
  if (Object.keys(properties).length > 0) {
    result['properties'] = Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => name !== '__proto__')
        .map(([name, inner]) => [name, plain(reading, inner, depth + 1)]),
    );
    const required = listIn(schema, 'required').filter((one) => typeof one === 'string');
    if (required.length > 0) result['required'] = required;
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const list = listIn(schema, key);
    if (list.length > 0) result[key] = list.map((inner) => plain(reading, inner, depth + 1));
  }
  return result;
}
