/** Rewrites JSON Schema without the keywords that some client generators ignore or refuse. */
export type Json = Record<string, unknown>;

/** Keywords that are dropped without a replacement. */
const dropped = new Set(['$schema', 'id', 'propertyNames']);

/** Rewrites a schema. The result may accept more values, which is harmless: zod validates requests. */
export function plainSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plainSchema);
  if (!isObject(node)) return node;
  // The keys of `properties` and `$defs` are names of fields and of schemas, not keywords.
  const { properties, $defs, ...rest } = node;
  const plain: Json = {};
  for (const [key, value] of Object.entries(rest)) if (!dropped.has(key)) plain[key] = plainSchema(value);
  if (isObject(properties)) plain['properties'] = mapValues(properties, plainSchema);
  if (isObject($defs)) plain['$defs'] = mapValues($defs, plainSchema);
  return oneType(oneWordForValues(oneStatementOfForm(withoutSafeRange(plain))));
}

/**
 * Turns a string `const` into an `enum`. Drops any other `const`, because generators support only string values.
 */
function oneWordForValues({ const: only, ...rest }: Json): Json {
  if (typeof only === 'string') return { ...rest, enum: [only] };
  return rest;
}

/** Removes a minimum or maximum that is only the bound of JavaScript's safe integers, which zod adds to integers. */
function withoutSafeRange({ minimum, maximum, ...schema }: Json): Json {
  return {
    ...schema,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/**
 * Drops the pattern if there is a format, because generated code would apply the pattern to a date or UUID object.
 * Drops both if there is a contentEncoding.
 */
function oneStatementOfForm({ contentEncoding, ...schema }: Json): Json {
  const { pattern, format, ...rest } = schema;
  if (contentEncoding !== undefined) return { ...rest, contentEncoding };
  return format === undefined || pattern === undefined ? schema : { ...rest, format };
}

/** Converts `type: [a, b]` to `anyOf`. The description and the default stay beside `anyOf`. */
function oneType(schema: Json): Json {
  const { type, description, default: standard, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  return {
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
    anyOf: type.map((one: unknown) => (one === 'null' ? { type: one } : { type: one, ...rest })),
  };
}

/** True for an object that is neither null nor an array. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns a copy with the same keys, in which each value is replaced by the result of `change` */
export function mapValues(node: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));
}
