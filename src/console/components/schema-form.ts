/** Derives the fields of a form from a JSON Schema for arguments, and converts the fields' values to arguments. */

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type FieldKind = 'text' | 'long_text' | 'number' | 'boolean' | 'choice' | 'texts' | 'json';

/**
 * Maximum `maxLength` of a text whose field has one line, as for URLs, ids and names. If `maxLength` is greater, the
 * field has several lines. Without `maxLength`, it has one line. Chosen.
 */
const maxLineChars = 2048;

export interface Field {
  name: string;
  kind: FieldKind;
  isRequired: boolean;
  description: string;
  /** The allowed values of a choice or of a list's elements, as texts. Empty for other kinds or if any text fits. */
  options: readonly string[];
}

/** The value of a field. A number field has a string while it is empty or does not contain a number. */
export type FieldValue = string | number | string[];

/**
 * @returns a field for each argument that the schema declares, required arguments first; an empty list if it declares
 * none
 */
export function fieldsOf(schema: unknown): Field[] {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(([name, given]) => {
    const { kind, options } = kindOf(given);
    const description =
      isObject(given) && typeof given['description'] === 'string' ? given['description'] : '';
    return { name, kind, isRequired: names.includes(name), description, options };
  });
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter((one) => !one.isRequired)];
}

function kindOf(given: unknown): { kind: FieldKind; options: string[] } {
  const schema = withoutNull(given);
  const { type, items, enum: values } = schema;
  if (values !== undefined || schema['const'] !== undefined) {
    const options = choicesOf(schema).map(([text]) => text);
    return options.length === 0 ? { kind: 'json', options } : { kind: 'choice', options };
  }
  if (type === 'string')
    return { kind: Number(schema['maxLength']) > maxLineChars ? 'long_text' : 'text', options: [] };
  if (type === 'number' || type === 'integer') return { kind: 'number', options: [] };
  if (type === 'boolean') return { kind: 'boolean', options: [] };
  if (type !== 'array') return { kind: 'json', options: [] };
  const element = withoutNull(items);
  if (element['type'] !== 'string') return { kind: 'json', options: [] };
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
  const isPlain = values.every((value) => ['string', 'number', 'boolean'].includes(typeof value));
  return isPlain && new Set(pairs.map(([text]) => text)).size === pairs.length ? pairs : [];
}

/** @returns the initial value of each field: the schema's default, the only choice, or an empty value */
export function emptyValues(schema: unknown, fields: readonly Field[]): FieldValue[] {
  return fields.map(({ name, kind, options }) => {
    const standard = withoutNull(propertyOf(schema, name))['default'];
    if (kind === 'texts') return Array.isArray(standard) ? standard.map(String) : [];
    if (standard === undefined || standard === null)
      return kind === 'choice' && options.length === 1 ? (options[0] ?? '') : '';
    if (kind === 'number') return typeof standard === 'number' ? standard : '';
    if (kind === 'json') return JSON.stringify(standard, null, 2);
    return typeof standard === 'string' || typeof standard === 'boolean' || typeof standard === 'number'
      ? String(standard)
      : '';
  });
}

const propertyOf = (schema: unknown, name: string): unknown =>
  isObject(schema) && isObject(schema['properties']) ? schema['properties'][name] : undefined;

export type FieldProblem = 'missing' | 'not_json' | 'not_a_number';

export type ReadInput = { input: Record<string, unknown> } | { problems: ReadonlyMap<number, FieldProblem> };

/**
 * Converts the fields' values to arguments. Omits empty optional fields. An empty required list becomes `[]`.
 * @returns `input` with the arguments; `problems`, by the index of the field, if a field is invalid, or is required and
 * empty
 */
export function inputFrom(
  schema: unknown,
  fields: readonly Field[],
  values: readonly FieldValue[],
): ReadInput {
  const entries: [string, unknown][] = [];
  const problems = new Map<number, FieldProblem>();
  for (const [index, field] of fields.entries()) {
    const value = values[index] ?? '';
    if (value === '' || (Array.isArray(value) && value.length === 0)) {
      if (field.isRequired && field.kind !== 'texts') problems.set(index, 'missing');
      else if (field.isRequired) entries.push([field.name, []]);
      continue;
    }
    const read = valueFrom(propertyOf(schema, field.name), field, value);
    if (read === undefined) problems.set(index, field.kind === 'number' ? 'not_a_number' : 'not_json');
    else entries.push([field.name, read.value]);
  }
  return problems.size > 0 ? { problems } : { input: Object.fromEntries(entries) };
}

function valueFrom(given: unknown, { kind }: Field, value: FieldValue): { value: unknown } | undefined {
  if (kind === 'boolean') return { value: value === 'true' };
  if (kind === 'number') return Number.isFinite(Number(value)) ? { value: Number(value) } : undefined;
  if (kind === 'choice') return { value: new Map(choicesOf(withoutNull(given))).get(String(value)) };
  if (kind !== 'json' || typeof value !== 'string') return { value };
  try {
    return { value: JSON.parse(value) };
  } catch {
    return undefined;
  }
}
