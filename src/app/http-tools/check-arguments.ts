/** Checks JSON against a JSON Schema of an organization: the arguments of a tool call, and answers of agents. */
import { z } from 'zod';
import type { ErrorDetail } from '../../contract/errors.ts';
import { jsonObject } from '../../contract/workspace/actions.ts';
import { schemaProblems } from '../../domain/http-tools/tool-schema.ts';
import type { Json } from '../../domain/http-tools/openapi-node.ts';

/** Maximum characters of a call's arguments, or of an answer, as JSON. Chosen. */
export const maxInputChars = 100_000;
const maxProblems = 5;

export type CheckedArguments =
  { kind: 'valid'; input: Record<string, unknown> } | { kind: 'refused'; message: string };

/**
 * Compiles a schema that `schemaProblems` accepts. The compiled schema refuses arguments that `parameters` does not
 * name, so that a model cannot send any. It ignores the keyword `format`, which only describes a string to the model.
 * @throws Error if the schema cannot be compiled
 */
export function compileSchema(parameters: Record<string, unknown>): z.ZodType {
  return z.fromJSONSchema({ ...jsonObject.parse(withoutFormats(parameters)), additionalProperties: false });
}

/**
 * Checks the arguments of a call.
 * @returns `valid` with the arguments, to which the schema's defaults are added; `refused` with a message for the
 * model, which names at most `maxProblems` problems
 * @throws Error if the schema cannot be compiled
 */
export function checkArguments(parameters: Record<string, unknown>, input: unknown): CheckedArguments {
  if (JSON.stringify(input ?? {}).length > maxInputChars)
    return { kind: 'refused', message: `the arguments have more than ${maxInputChars} characters.` };
  const parsed = compileSchema(parameters).safeParse(input ?? {});
  if (parsed.success) return { kind: 'valid', input: jsonObject.parse(parsed.data) };
  const problems = parsed.error.issues
    .slice(0, maxProblems)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`));
  return { kind: 'refused', message: `${problems.join('; ')}.` };
}

/**
 * Checks a schema that an organization wrote.
 * @param field the field of the request that contains the schema
 * @returns a detail for each problem
 */
export function schemaDetails(schema: Json, field: string): ErrorDetail[] {
  const problems = schemaProblems(schema);
  if (problems.length > 0)
    return problems.map(({ path, message }) => ({ path: path === '' ? field : `${field}.${path}`, message }));
  try {
    compileSchema(schema);
    return [];
  } catch (error) {
    return [{ path: field, message: error instanceof Error ? error.message : 'is no JSON Schema' }];
  }
}

function withoutFormats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFormats);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== 'format' || typeof inner === 'object')
      .map(([key, inner]) => [key, withoutFormats(inner)]),
  );
}
