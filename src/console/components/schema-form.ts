/** Derives the fields of a form from a JSON Schema for arguments, and converts the fields' values to arguments. */

import { isObject, sortedJson } from './json.ts';

type Json = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

export type FieldKind = 'text' | 'long_text' | 'number' | 'boolean' | 'choice' | 'texts' | 'group' | 'json';

/**
 * Maximum `maxLength` of a text whose field has one line, as for URLs, ids and names. If `maxLength` is greater, the
 * field has several lines. Without `maxLength`, it has one line. Chosen.
 */
const maxLineChars = 2048;

/** Maximum depth of groups inside groups; an object that is nested deeper has a JSON field. Chosen. */
const maxGroupDepth = 3;

export interface Field {
  name: string;
  kind: FieldKind;
  isRequired: boolean;
  description: string;
  /** The allowed values of a choice or of a list's elements, as texts. Empty for other kinds or if any text fits. */
  options: readonly string[];
  /** The fields of a group, in the same order as its values. Empty for other kinds. */
  fields: readonly Field[];
}

/** The value of a field. A number field has a string while it is empty or does not contain a number. */
export type FieldValue = string | number | string[] | GroupValue;

export interface GroupValue {
  inner: FieldValue[];
}

const isGroup = (value: FieldValue | undefined): value is GroupValue =>
  typeof value === 'object' && !Array.isArray(value);

/**
 * @returns a field for each argument that the schema declares, required arguments first; an empty list if it declares
 * none
 */
export const fieldsOf = (schema: unknown): Field[] => fieldsAt(schema, 0);

function fieldsAt(schema: unknown, depth: number): Field[] {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(([name, given]) => {
    const description =
      isObject(given) && typeof given['description'] === 'string' ? given['description'] : '';
    return {
      name,
      isRequired: names.includes(name),
      description,
      options: [],
      fields: [],
      ...kindOf(given, depth),
    };
  });
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter((one) => !one.isRequired)];
}

type Kind = Pick<Field, 'kind'> & Partial<Pick<Field, 'options' | 'fields'>>;

function kindOf(given: unknown, depth: number): Kind {
  const schema = withoutNull(given);
  const { type, items, enum: values } = schema;
  if (values !== undefined || schema['const'] !== undefined) {
    const options = choicesOf(schema).map(([text]) => text);
    return options.length === 0 ? { kind: 'json' } : { kind: 'choice', options };
  }
  if (type === 'string') return { kind: Number(schema['maxLength']) > maxLineChars ? 'long_text' : 'text' };
  if (type === 'number' || type === 'integer') return { kind: 'number' };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'object') {
    const fields = depth < maxGroupDepth ? fieldsAt(schema, depth + 1) : [];
    return fields.length === 0 ? { kind: 'json' } : { kind: 'group', fields };
  }
  if (type !== 'array') return { kind: 'json' };
  const element = withoutNull(items);
  if (element['type'] !== 'string') return { kind: 'json' };
  return { kind: 'texts', options: choicesOf(element).map(([text]) => text) };
}

/**
 * Removes null from the types and values that a schema allows, because a form omits an empty field instead of sending
 * null. If several types are left, the result has no `type`; the argument then has a JSON field, unless it has an
 * `enum` or `const`.
 */
function withoutNull(given: unknown): Json {
  if (!isObject(given)) return {};
  const { type, enum: values } = given;
  for (const key of ['anyOf', 'oneOf']) {
    const list = given[key];
    if (!Array.isArray(list)) continue;
    const forms: unknown[] = list.filter((one) => !isObject(one) || one['type'] !== 'null');
    const [only, another] = forms;
    return another === undefined ? withoutNull(only) : {};
  }
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  return {
    ...given,
    type: types.length === 1 ? types[0] : undefined,
    ...(Array.isArray(values) && { enum: values.filter((one) => one !== null) }),
  };
}

/**
 * @returns the values of `enum` or `const`, each as a pair of text and value. Empty if there are none, if a value is an
 * object, a list or null, or if two values have the same text, because the user could not distinguish them.
 */
function choicesOf(schema: Json): [string, unknown][] {
  const values: unknown[] = Array.isArray(schema['enum'])
    ? schema['enum']
    : schema['const'] === undefined
      ? []
      : [schema['const']];
  const pairs = values.map((value): [string, unknown] => [String(value), value]);
  return values.every(isPlain) && new Set(pairs.map(([text]) => text)).size === pairs.length ? pairs : [];
}

const blankOf = ({ kind, fields }: Field): FieldValue => {
  if (kind === 'group') return { inner: fields.map(blankOf) };
  return kind === 'texts' ? [] : '';
};

/**
 * @returns the initial value of each field: the schema's default, the only choice of a required field, or an empty
 * value. All fields of an optional group are empty, so that the group is not sent unless the user fills in one of them.
 */
export function emptyValues(schema: unknown, fields: readonly Field[]): FieldValue[] {
  return fields.map((field) => {
    const { name, kind, options, isRequired } = field;
    const given = withoutNull(propertyOf(schema, name));
    const standard = given['default'];
    if (kind === 'group') return isRequired ? { inner: emptyValues(given, field.fields) } : blankOf(field);
    if (kind === 'texts') return Array.isArray(standard) ? standard.map(String) : [];
    if (standard === undefined || standard === null)
      return kind === 'choice' && isRequired && options.length === 1 ? (options[0] ?? '') : '';
    if (kind === 'number') return typeof standard === 'number' ? standard : '';
    if (kind === 'json') return JSON.stringify(standard, null, 2);
    return isPlain(standard) ? String(standard) : '';
  });
}

const propertyOf = (schema: unknown, name: string): unknown =>
  isObject(schema) && isObject(schema['properties']) ? schema['properties'][name] : undefined;

export type FieldProblem = 'missing' | 'not_json' | 'not_a_number';

export type ReadInput = { input: Record<string, unknown> } | { problems: ReadonlyMap<string, FieldProblem> };

/**
 * Converts the fields' values to arguments. Omits empty optional fields, and optional groups without a value. An empty
 * required list becomes `[]`.
 * @returns `input` with the arguments; `problems`, by the place of the field (`2`, or `2.inner.0` in a group), if a
 * field is invalid, or is required and empty
 */
export function inputFrom(
  schema: unknown,
  fields: readonly Field[],
  values: readonly FieldValue[],
): ReadInput {
  const { input, problems } = readFields(schema, fields, values);
  return problems.size > 0 ? { problems } : { input };
}

/**
 * Converts the values of a form that is not complete.
 * @returns the arguments that are filled in; undefined if a field contains something that cannot be converted
 */
export function partialInputFrom(
  schema: unknown,
  fields: readonly Field[],
  values: readonly FieldValue[],
): Record<string, unknown> | undefined {
  const { input, problems } = readFields(schema, fields, values);
  return [...problems.values()].every((problem) => problem === 'missing') ? input : undefined;
}

interface ReadFields {
  /** The arguments of the fields without a problem. */
  input: Record<string, unknown>;
  problems: Map<string, FieldProblem>;
}

function readFields(schema: unknown, fields: readonly Field[], values: readonly FieldValue[]): ReadFields {
  const entries: [string, unknown][] = [];
  const problems = new Map<string, FieldProblem>();
  for (const [index, field] of fields.entries()) {
    const value = values[index] ?? '';
    const given = propertyOf(schema, field.name);
    if (isBlank(value) && !(isGroup(value) && field.isRequired)) {
      if (field.isRequired && field.kind !== 'texts') problems.set(String(index), 'missing');
      else if (field.isRequired) entries.push([field.name, []]);
    } else if (isGroup(value)) {
      const group = readFields(withoutNull(given), field.fields, value.inner);
      entries.push([field.name, group.input]);
      for (const [place, problem] of group.problems) problems.set(`${String(index)}.inner.${place}`, problem);
    } else {
      const read = valueFrom(given, field, value);
      if (read === undefined)
        problems.set(String(index), field.kind === 'number' ? 'not_a_number' : 'not_json');
      else entries.push([field.name, read.value]);
    }
  }
  return { input: Object.fromEntries(entries), problems };
}

function isBlank(value: FieldValue): boolean {
  if (isGroup(value)) return value.inner.every(isBlank);
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function valueFrom(given: unknown, { kind }: Field, value: FieldValue): { value: unknown } | undefined {
  if (kind === 'boolean') return { value: value === 'true' };
  if (kind === 'number') return Number.isFinite(Number(value)) ? { value: Number(value) } : undefined;
  if (typeof value !== 'string') return { value };
  if (kind === 'choice') return { value: new Map(choicesOf(withoutNull(given))).get(value) };
  if (kind !== 'json') return { value };
  try {
    return { value: JSON.parse(value) };
  } catch {
    return undefined;
  }
}

/**
 * Converts arguments to the values of the fields.
 * @returns the values; undefined if the form would not send exactly these arguments. A required argument may be
 * missing; the user must then enter it.
 */
export function valuesFrom(
  schema: unknown,
  fields: readonly Field[],
  input: Record<string, unknown>,
): FieldValue[] | undefined {
  const values = shownValues(schema, fields, input);
  const sent = partialInputFrom(schema, fields, values);
  return sent !== undefined && sortedJson(sent) === sortedJson(input) ? values : undefined;
}

function shownValues(schema: unknown, fields: readonly Field[], input: Json): FieldValue[] {
  return fields.map((field) => {
    const { name, kind } = field;
    const value = input[name];
    if (value === undefined) return blankOf(field);
    if (kind === 'group')
      return isObject(value)
        ? { inner: shownValues(withoutNull(propertyOf(schema, name)), field.fields, value) }
        : blankOf(field);
    if (kind === 'texts') return Array.isArray(value) ? value.map(String) : [];
    if (kind === 'json') return JSON.stringify(value, null, 2);
    if (kind === 'number') return typeof value === 'number' ? value : '';
    return isPlain(value) ? String(value) : '';
  });
}
