/** Definitions that stand within single schemas → components of the whole document. */
type Json = Record<string, unknown>;

/** Those without a name of their own: what JSON may be, to any depth. */
const unnamed = /^__schema(\d+)$/;

/** @returns the node without `$defs`: these are put into `components`, and every reference points there */
export function shareSchemas(node: unknown, components: Json): unknown {
  if (Array.isArray(node)) return node.map((one) => shareSchemas(one, components));
  if (typeof node !== 'object' || node === null) return node;
  const { $defs, ...rest }: Json = { ...node };
  const definitions = Object.entries<unknown>({ ...asObject($defs) });
  if (definitions.length === 0) return mapValues(rest, (value) => shareSchemas(value, components));
  const names = namesFor(definitions, components);
  for (const [given, one] of definitions)
    components[names.get(given) ?? given] = component(given, one, names);
  return shareSchemas(pointTo(rest, names), components);
}

/** The given names, or with a number where one stands for another schema already. */
function namesFor(definitions: readonly [string, unknown][], components: Json): Map<string, string> {
  const names = new Map(definitions.map(([given]) => [given, baseOf(given)]));
  for (let n = 2; ; n++) {
    const clash = definitions.find(([given, one]) => {
      const taken = components[names.get(given) ?? given];
      return taken !== undefined && JSON.stringify(taken) !== JSON.stringify(component(given, one, names));
    });
    if (clash === undefined) return names;
    names.set(clash[0], `${baseOf(clash[0])}_${n}`);
  }
}

function component(given: string, one: unknown, names: ReadonlyMap<string, string>): unknown {
  const pointed = pointTo(one, names);
  return unnamed.test(given) ? { description: 'Any JSON value', ...asObject(pointed) } : pointed;
}

function baseOf(given: string): string {
  return given.replace(unnamed, (_, number: string) => (number === '0' ? 'Json' : `Json${number}`));
}

function pointTo(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(node)) return node.map((one) => pointTo(one, names));
  if (typeof node !== 'object' || node === null) return node;
  return mapValues({ ...node }, (value, key) => {
    const given = key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '') : '';
    const name = names.get(given);
    return name === undefined ? pointTo(value, names) : `#/components/schemas/${name}`;
  });
}

function mapValues(node: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
