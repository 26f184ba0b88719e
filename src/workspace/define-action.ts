/** Defines an action in one file: parsing, JSON schema, documentation and example all derive from it. */
import { z } from 'zod';
import type { JsonObject } from '../contract/workspace/actions.ts';
import type { RunContext } from './context.ts';
import { describeIssue } from './describe-issue.ts';
import type { Effect } from './effects.ts';
import { invalidInput } from './failures.ts';

/** A rule about several fields. Its text appears in the model's description, the documentation and the error. */
export type Rule<Input> = { text: string; holds: (input: Input) => boolean };

type Definition<Shape extends z.ZodRawShape> = {
  id: `DOCS_${string}`;
  summary: string;
  effect: Effect;
  input: z.ZodObject<Shape, z.core.$strict>;
  /** Other name → name, applied before parsing. */
  aliases?: Readonly<Record<string, string>>;
  rules?: readonly Rule<z.output<z.ZodObject<Shape, z.core.$strict>>>[];
  example: JsonObject;
  deprecated?: { use: string };
  /**
   * @returns the value of `data`
   * @throws ActionError for expected failures
   */
  run: (context: RunContext, input: z.output<z.ZodObject<Shape, z.core.$strict>>) => Promise<JsonObject>;
};

export type Action = {
  readonly id: string;
  readonly summary: string;
  readonly effect: Effect;
  readonly aliases: Readonly<Record<string, string>>;
  readonly rules: readonly string[];
  readonly example: JsonObject;
  readonly deprecated?: { use: string };
  /** JSON schema of the input, as a model receives it. */
  readonly inputSchema: JsonObject;
  /**
   * Parses the input, checks the rules, and returns the function that does the work.
   * @throws ActionError INVALID_INPUT naming each problem
   */
  prepare(input: JsonObject): (context: RunContext) => Promise<JsonObject>;
};

export function defineAction<Shape extends z.ZodRawShape>(definition: Definition<Shape>): Action {
  const { id, summary, effect, input, aliases = {}, rules = [], example, deprecated, run } = definition;
  const { type, properties, required = [], additionalProperties } = z.toJSONSchema(input, { io: 'input' });
  const ruleTexts = rules.map((rule) => rule.text);
  const inputSchema = {
    type,
    description: [summary, ...ruleTexts].join(' '),
    properties,
    required,
    additionalProperties,
  };
  return {
    id,
    summary,
    effect,
    aliases,
    rules: ruleTexts,
    example,
    ...(deprecated === undefined ? {} : { deprecated }),
    inputSchema,
    prepare(given) {
      const parsed = input.safeParse(given, { reportInput: true });
      if (!parsed.success)
        throw invalidInput(parsed.error.issues.map((issue) => describeIssue(issue, inputSchema)));
      const broken = rules.filter((rule) => !rule.holds(parsed.data)).map((rule) => rule.text);
      if (broken.length > 0) throw invalidInput(broken);
      return (context) => run(context, parsed.data);
    },
  };
}
