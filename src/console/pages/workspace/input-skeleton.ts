/** The initial JSON for trying an action: the fields that its schema requires, empty. */

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

function emptyOf(schema: unknown): unknown {
  const standard = at(schema, 'default');
  if (standard !== undefined) return standard;
  switch (at(schema, 'type')) {
    case 'array':
      return [];
    case 'object':
      return {};
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return '';
  }
}
