/**
 * Defines an action in one place. The parser, the JSON schema and the documentation are derived from the definition.
 */
import { z } from 'zod';
import type { JsonObject } from '../contract/workspace/actions.ts';
import type { RunContext } from './context.ts';
import type { Effect } from './effects.ts';
import { invalidInput } from './failures.ts';
import { objectAt, shown, textAt } from './json-value.ts';

/** Returns a rule that requires exactly one of two parameters. */
export const exactlyOne = <One extends string, Other extends string>(one: One, other: Other) => ({
  [`Give exactly one of ${one} and ${other}.`]: (input: Partial<Record<One | Other, unknown>>): boolean =>
    (input[one] === undefined) !== (input[other] === undefined),
});

export type About = Readonly<{
  id: `DOCS_${string}`;
  summary: string;
  effect: Effect;
  example: JsonObject;
  deprecated?: { use: string };
}>;

type Definition<Shape extends z.ZodRawShape> = About & {
  input: z.ZodObject<Shape, z.core.$strict>;
  /** Parameter names by alias. Aliases are replaced before parsing. */
  aliases?: Readonly<Record<string, string>>;
  /**
   * Rules about several fields. Each key is the text of a rule, which appears in the model's description, in the
   * documentation and in the error. Its function returns true if the input obeys the rule.
   */
  rules?: Readonly<Record<string, (input: z.output<z.ZodObject<Shape, z.core.$strict>>) => boolean>>;
  /**
   * @returns the `data` of a successful result
   * @throws for an expected failure: ActionError, a failure of client/failures.ts, StillInProgress or ModelUnavailable.
   * Any other error is a bug.
   */
  run: (context: RunContext, input: z.output<z.ZodObject<Shape, z.core.$strict>>) => Promise<JsonObject>;
};

export type Action = About & {
  readonly aliases: Readonly<Record<string, string>>;
  readonly rules: readonly string[];
  /** JSON schema of the input, as a model receives it. */
  readonly inputSchema: JsonObject;
  /**
   * Parses the input and checks the rules.
   * @returns a function that runs the action
   * @throws ActionError INVALID_INPUT that lists the problems
   */
  prepare(input: JsonObject): (context: RunContext) => Promise<JsonObject>;
};

export function defineAction<Shape extends z.ZodRawShape>(definition: Definition<Shape>): Action {
  const { input, aliases = {}, rules = {}, run, ...about } = definition;
  const { type, properties, required = [], additionalProperties } = z.toJSONSchema(input, { io: 'input' });
  const ruleTexts = Object.keys(rules);
  const inputSchema = {
    type,
    description: [about.summary, ...ruleTexts].join(' '),
    properties,
    required,
    additionalProperties,
  };
  return {
    ...about,
    aliases,
    rules: ruleTexts,
    inputSchema,
    prepare(given) {
      const parsed = input.safeParse(given, { reportInput: true });
      if (!parsed.success)
        throw invalidInput(parsed.error.issues.map((issue) => describeIssue(issue, inputSchema)));
      const broken = ruleTexts.filter((text) => rules[text]?.(parsed.data) === false);
      if (broken.length > 0) throw invalidInput(broken);
      return (context) => run(context, parsed.data);
    },
  };
}

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

/** @returns the schema's description of the value at this path; undefined if there is none */
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

/** True for zod's default messages about types, options and sizes, which `words` replaces. */
const isStandard = (message: string): boolean => /^(Invalid (input|option)|Too (small|big))/.test(message);

/**
 * Describes a problem of the input for a model, with the path of the value.
 * @param schema JSON schema of the whole input
 */
function describeIssue(issue: z.core.$ZodIssue, schema: JsonObject): string {
  return `${place(issue.path)}: ${isStandard(issue.message) ? words(issue, schema) : issue.message}`;
}
