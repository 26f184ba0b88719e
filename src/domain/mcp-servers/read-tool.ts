/** Reads a tool that an MCP server lists. If agents cannot use the tool, explains why. */
import { isObject, type Json } from '../http-tools/openapi-node.ts';
import { plainParameters } from '../http-tools/openapi-schema.ts';
import { schemaProblems } from '../http-tools/tool-schema.ts';

/**
 * Maximum characters of a tool's name at the server. A tool with a longer one is left out. See
 * https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names
 */
const maxNameChars = 128;
/** Maximum characters of a tool's description. A tool with a longer one cannot be used. Chosen. */
const maxDescriptionChars = 4000;

export interface OfferedTool {
  kind: 'tool';
  remoteName: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
  /**
   * What the server states about the effects of the tool, which may be wrong. A hint is undefined if the server does
   * not state it.
   */
  hints: { readOnly: boolean | undefined; destructive: boolean | undefined };
}
export type ReadTool = OfferedTool | { kind: 'unusable'; remoteName: string; problem: string };

/**
 * @returns the tool; `unusable` with the reason if agents cannot use it; undefined if `given` is not an object, or has
 * no valid name
 */
export function readOfferedTool(given: unknown): ReadTool | undefined {
  if (!isObject(given)) return undefined;
  const { name, description = '', inputSchema, annotations, execution } = given;
  if (typeof name !== 'string' || name === '' || name.length > maxNameChars || !isStorable(name))
    return undefined;
  const unusable = (problem: string): ReadTool => ({ kind: 'unusable', remoteName: name, problem });
  if (typeof description !== 'string' || !isStorable(description))
    return unusable('Its description is not a text.');
  if (description.length > maxDescriptionChars)
    return unusable(`Its description has more than ${String(maxDescriptionChars)} characters.`);
  // https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks: servers refuse other calls of it.
  if (isObject(execution) && execution['taskSupport'] === 'required')
    return unusable('The server runs it only as a task, and Parley starts no tasks.');
  if (!isObject(inputSchema)) return unusable('It has no schema of its arguments.');
  const parameters = usable(inputSchema);
  if (parameters === undefined) return unusable(whyNot(inputSchema));
  const hints = isObject(annotations) ? annotations : {};
  return {
    kind: 'tool',
    remoteName: name,
    description,
    parameters,
    hints: { readOnly: flag(hints['readOnlyHint']), destructive: flag(hints['destructiveHint']) },
  };
}

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * @returns the schema without `$schema`, simplified by `plainParameters` if necessary; undefined if it cannot be used
 */
function usable(schema: Json): Record<string, unknown> | undefined {
  try {
    const { $schema: _, ...rest } = schema;
    if (!isStorableJson(rest)) return undefined;
    if (schemaProblems(rest).length === 0) return rest;
    const plain = plainParameters(rest);
    return plain !== undefined && schemaProblems(plain).length === 0 ? plain : undefined;
  } catch {
    // JSON.stringify throws if the schema is nested too deeply, because the stack overflows.
    return undefined;
  }
}

/** True if Postgres can store the value as jsonb. `storableJson` of the contract makes the same check. */
const isStorableJson = (value: unknown): boolean =>
  !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(value));

function whyNot(schema: Json): string {
  try {
    const [problem] = schemaProblems(schema);
    return `The schema of its arguments cannot be used: ${problem?.path ?? ''} ${problem?.message ?? 'it has characters that cannot be stored'}.`
      .replaceAll(/ +/g, ' ')
      .slice(0, 300);
  } catch {
    return 'The schema of its arguments is nested too deeply.';
  }
}
