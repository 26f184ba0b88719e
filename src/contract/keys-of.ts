/** @returns the keys of the table, in its order and with their exact type */
export function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): K[] {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Object.keys returns string[]
  return Object.keys(table) as K[];
}
