/** Converts an HTTP tool to the form's values and back. */
import type { HttpTool } from '../../../contract/http-tools/http-tools.ts';
import { isObject, objectIn } from '../../components/json.ts';

/** The schemas of the arguments that the form shows in rows, by the type that the user selects. */
const schemas = {
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
} as const;
type ArgumentType = keyof typeof schemas;

export interface Argument {
  name: string;
  type: ArgumentType;
  isRequired: boolean;
  description: string;
}

export interface ToolDraft extends Record<string, unknown> {
  name: string;
  description: string;
  method: string;
  url: string;
  effect: string;
  arguments: Argument[];
  /** The JSON Schema that the user edits; null while the arguments are shown in rows. */
  parameters: string | null;
  headers: { name: string; value: string }[];
  timeout_seconds: number | string;
  answer_fields: string[];
  answer_max_chars: number | string;
}

/** Where an argument is sent. */
type Place = 'path' | 'query' | 'body';

/** Returns where Parley sends the argument: the URL names its place, otherwise the method decides. */
export function placeOf(name: string, { method, url }: Pick<ToolDraft, 'method' | 'url'>): Place {
  const [path = '', query = ''] = url.split('?', 2);
  if (path.includes(`{${name}}`)) return 'path';
  return query.includes(`{${name}}`) || method === 'GET' || method === 'DELETE' ? 'query' : 'body';
}

const hasOnly = (schema: Record<string, unknown>, keys: readonly string[]): boolean =>
  Object.keys(schema).every((key) => keys.includes(key));

/**
 * Converts a JSON Schema to rows.
 * @returns undefined if rows cannot show all of it: each argument must have a type that the form offers and may have a
 * description, but nothing else
 */
export function argumentsIn(parameters: Record<string, unknown>): Argument[] | undefined {
  const { properties = {}, required = [] } = parameters;
  if (!hasOnly(parameters, ['type', 'properties', 'required'])) return undefined;
  if (!isObject(properties) || !Array.isArray(required)) return undefined;
  const rows: Argument[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    if (!isObject(schema) || !hasOnly(schema, ['type', 'items', 'description'])) return undefined;
    const { description = '', type, items } = schema;
    const isList = isObject(items) && items['type'] === 'string' && hasOnly(items, ['type']);
    const row = type === 'array' && isList ? 'texts' : items === undefined ? plainType(type) : undefined;
    if (row === undefined || typeof description !== 'string') return undefined;
    rows.push({ name, type: row, isRequired: required.includes(name), description });
  }
  return rows;
}

function plainType(type: unknown): ArgumentType | undefined {
  return (['string', 'number', 'integer', 'boolean'] as const).find((one) => one === type);
}

/** Converts rows to a JSON Schema. Arguments in the path of the URL are always required. */
export function parametersOf({
  arguments: rows,
  ...request
}: Pick<ToolDraft, 'arguments' | 'method' | 'url'>): Record<string, unknown> {
  const named = rows.map((row) => ({ ...row, name: row.name.trim(), description: row.description.trim() }));
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, type, description }) => [
        name,
        { ...schemas[type], ...(description !== '' && { description }) },
      ]),
    ),
    required: named
      .filter(({ name, isRequired }) => isRequired || placeOf(name, request) === 'path')
      .map(({ name }) => name),
  };
}

export function draftOf(tool: HttpTool | undefined): ToolDraft {
  const rows = tool === undefined ? [] : argumentsIn(tool.parameters);
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    method: tool?.method ?? 'GET',
    url: tool?.url ?? '',
    effect: tool?.effect ?? 'read',
    arguments: rows ?? [],
    parameters: rows === undefined ? JSON.stringify(tool?.parameters, null, 2) : null,
    headers: (tool?.headers ?? []).map(({ name }) => ({ name, value: '' })),
    timeout_seconds: tool?.timeout_seconds ?? 15,
    answer_fields: tool?.answer_fields ?? [],
    answer_max_chars: tool?.answer_max_chars ?? 8000,
  };
}

/** True if the value of this header is stored, so that the user need not enter it again. */
export const isStored = (tool: HttpTool | undefined, name: string): boolean =>
  tool !== undefined &&
  !tool.headers_lost &&
  tool.headers.some((one) => one.name.toLowerCase() === name.trim().toLowerCase());

/** Returns the body of the request that creates or, if `tool` is defined, changes a tool. */
export function bodyOf(draft: ToolDraft, tool: HttpTool | undefined): Record<string, unknown> {
  const { name, description, method, url, effect, parameters, timeout_seconds, answer_fields } = draft;
  return {
    ...(tool === undefined && { name: name.trim() }),
    description,
    method,
    url: url.trim(),
    effect,
    answer_fields,
    timeout_seconds: Number(timeout_seconds),
    answer_max_chars: Number(draft.answer_max_chars),
    parameters: parameters === null ? parametersOf(draft) : objectIn(parameters),
    headers: draft.headers.map((header) => ({
      name: header.name.trim(),
      ...(header.value.trim() !== '' && { value: header.value.trim() }),
    })),
  };
}
