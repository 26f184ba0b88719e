/** @returns the keys of the table, in its order and with their exact type */
export function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): K[] {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Object.keys returns string[]
  return Object.keys(table) as K[];
}

/** @returns a table with the same keys, whose values `valueOf` makes from those of the given one */
export function mapTable<K extends string, V, W>(
  table: Readonly<Record<K, V>>,
  valueOf: (value: V) => W,
): Record<K, W> {
  const entries = keysOf(table).map((key) => [key, valueOf(table[key])]);
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Object.fromEntries forgets the keys
  return Object.fromEntries(entries) as Record<K, W>;
}
