/** The initial JSON for trying an action: the fields that its schema requires, with default or empty values. */

export function inputSkeleton(schema: Readonly<Record<string, unknown>>): string {
  const { properties, required } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  if (names.length === 0) return '{\n  \n}';
  const fields = names.map((name) => [name, emptyOf(at(properties, name))] as const);
  return JSON.stringify(Object.fromEntries(fields), null, 2);
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

const empty: Readonly<Record<string, unknown>> = {
  array: [],
  object: {},
  integer: 0,
  number: 0,
  boolean: false,
};

function emptyOf(schema: unknown): unknown {
  const standard = at(schema, 'default');
  return standard === undefined ? (empty[String(at(schema, 'type'))] ?? '') : standard;
}
