/** Keys and value types of answers, gathered by kind of object. */
import { asString, isObject, type Json, type JsonObject } from '../json.ts';

/** kind → key → types seen; `count` is how many objects of the kind were seen. */
export type Shapes = Map<string, { count: number; keys: Map<string, Set<string>> }>;

const named = ['properties'];

/** @param context the key that holds the value */
export function gather(shapes: Shapes, value: Json, context: string): void {
  if (Array.isArray(value)) {
    for (const item of value) gather(shapes, item, context);
    return;
  }
  if (!isObject(value)) return;
  const kind = kindOf(value, context);
  const shape = shapes.get(kind) ?? { count: 0, keys: new Map<string, Set<string>>() };
  shapes.set(kind, shape);
  shape.count += 1;
  for (const [key, inner] of Object.entries(value)) {
    const types = shape.keys.get(key) ?? new Set<string>();
    types.add(typeName(inner));
    shape.keys.set(key, types);
    if (named.includes(key) && isObject(inner)) {
      for (const each of Object.values(inner)) gather(shapes, each, `${asString(value['object'])} property`);
    } else gather(shapes, inner, `${contextOf(value, context)}${key}`);
  }
}

/** What stands under a type key is told apart by that key alone; the rest by its holder too. */
function contextOf(value: JsonObject, context: string): string {
  if (typeof value['object'] === 'string') return value['object'] === 'block' ? 'block ' : '';
  return context.startsWith('block ') ? `${context} ` : '';
}

function kindOf(value: JsonObject, context: string): string {
  const type = typeof value['type'] === 'string' ? ` ${value['type']}` : '';
  if (value['object'] === 'error') return `error ${asString(value['code'])}`;
  if (typeof value['object'] === 'string') return `${value['object']}${type}`;
  if ('annotations' in value) return `rich text${type}`;
  return `(${context})${type}`;
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Differences between accounts, not between the service and the emulator. */
const accepted: Record<string, readonly string[]> = {
  // Answered to one recorded account and not to the other.
  '(person)': ['email_verified'],
};

export interface Difference {
  kind: string;
  what: string;
}

/** Compares the kinds that both sides have; `unseen` are those that only the recordings have. */
export function differences(
  recorded: Shapes,
  emulated: Shapes,
): { kinds: number; equal: number; found: Difference[]; unseen: string[] } {
  const found: Difference[] = [];
  const unseen: string[] = [];
  let [kinds, equal] = [0, 0];
  for (const [kind, shape] of recorded) {
    const own = emulated.get(kind);
    if (own === undefined) {
      unseen.push(kind);
      continue;
    }
    kinds += 1;
    const before = found.length;
    for (const [key, types] of shape.keys) {
      const got = own.keys.get(key);
      if (got === undefined)
        found.push({ kind, what: `lacks ${key} (recorded: ${[...types].join(' or ')})` });
      else if (!typesFit(types, got))
        found.push({ kind, what: `${key} is ${[...got].join(' or ')}, recorded ${[...types].join(' or ')}` });
    }
    for (const key of own.keys.keys())
      if (!shape.keys.has(key) && accepted[kind]?.includes(key) !== true)
        found.push({ kind, what: `has ${key}, never recorded` });
    if (found.length === before) equal += 1;
  }
  return { kinds, equal, found, unseen };
}

/** A null that only one side happened to see is not a difference. */
function typesFit(recorded: Set<string>, got: Set<string>): boolean {
  const real = [...got].filter((type) => type !== 'null');
  const wanted = [...recorded].filter((type) => type !== 'null');
  return real.length === 0 || wanted.length === 0 || real.every((type) => wanted.includes(type));
}
