/** @returns the keys of a table, in the table's order */
export function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): K[] {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Object.keys returns texts
  return Object.keys(table) as K[];
}
