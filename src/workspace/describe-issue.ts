/** Turns a schema issue into a sentence for a model: the parameter, the given value, and what to give. */
import type { z } from 'zod';
import type { JsonObject } from '../contract/workspace/actions.ts';
import { objectAt, shown, textAt } from './json-value.ts';

type Path = readonly PropertyKey[];

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const place = (path: Path): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  );

/** The schema's description of the value at this path. */
function descriptionAt(schema: JsonObject, path: Path): string | undefined {
  let found: unknown = schema;
  for (const key of path)
    found = typeof key === 'number' ? objectAt(found, 'items') : objectAt(found, 'properties')?.[String(key)];
  return textAt(found, 'description');
}

const lengthOf = (value: unknown): string => {
  if (Array.isArray(value)) return `has ${value.length} items`;
  return typeof value === 'string' ? `has ${value.length} characters` : `is ${shown(value)}`;
};

function words(issue: z.core.$ZodIssue, schema: JsonObject): string {
  const { input, code } = issue;
  if (code === 'too_small') return `${lengthOf(input)}; give at least ${issue.minimum}`;
  if (code === 'too_big') return `${lengthOf(input)}; give at most ${issue.maximum}`;
  if (input === undefined) return 'is required';
  if (code === 'invalid_type') return `is ${shown(input)}; give ${kinds[issue.expected] ?? issue.expected}`;
  if (code === 'invalid_value')
    return `is ${shown(input)}; give one of ${issue.values.map(shown).join(', ')}`;
  const expected = descriptionAt(schema, issue.path);
  return expected === undefined ? issue.message : `is ${shown(input)}; expected: ${expected}`;
}

/** Whether the text is the schema library's own instead of ours. */
const isStandard = (message: string): boolean => /^(Invalid (input|option)|Too (small|big))/.test(message);

/** @param schema JSON schema of the whole input */
export function describeIssue(issue: z.core.$ZodIssue, schema: JsonObject): string {
  return `${place(issue.path)}: ${isStandard(issue.message) ? words(issue, schema) : issue.message}`;
}
