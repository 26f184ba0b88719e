/** Converts JSON Schema to what client generators read: without keywords that some of them drop or refuse. */
export type Json = Record<string, unknown>;

/** Keywords that add nothing to the rest of the schema. */
const dropped = new Set(['$schema', 'id', 'propertyNames']);

/** @returns a schema with the same meaning, or a wider one; zod validates requests, not the document */
export function plainSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plainSchema);
  if (!isObject(node)) return node;
  // The keys of these two are names of fields and of schemas, not keywords.
  const { properties, $defs, ...rest } = node;
  const plain: Json = {};
  for (const [key, value] of Object.entries(rest)) if (!dropped.has(key)) plain[key] = plainSchema(value);
  if (isObject(properties)) plain['properties'] = mapValues(properties, plainSchema);
  if (isObject($defs)) plain['$defs'] = mapValues($defs, plainSchema);
  return oneType(oneWordForValues(oneStatementOfForm(withoutSafeRange(plain))));
}

/**
 * `const` and `enum` of text become `enum`. For anything else only the type stays, because generators support no
 * other values.
 */
function oneWordForValues({ const: only, ...rest }: Json): Json {
  if (typeof only === 'string') return { ...rest, enum: [only] };
  return rest;
}

/** Removes the bounds of safe integers, which every generated client has anyway. */
function withoutSafeRange({ minimum, maximum, ...schema }: Json): Json {
  return {
    ...schema,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/** Generated code would apply the pattern to a date or UUID object. */
function oneStatementOfForm({ contentEncoding, ...schema }: Json): Json {
  const { pattern, format, ...rest } = schema;
  if (contentEncoding !== undefined) return { ...rest, contentEncoding };
  return format === undefined || pattern === undefined ? schema : { ...rest, format };
}

/** `type: [a, b]` → `anyOf`. */
function oneType(schema: Json): Json {
  const { type, description, default: standard, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  return {
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
    anyOf: type.map((one: unknown) => (one === 'null' ? { type: one } : { type: one, ...rest })),
  };
}

/** Whether the value is an object that is not an array. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns a copy with the same keys, each value changed */
export function mapValues(node: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));
}
