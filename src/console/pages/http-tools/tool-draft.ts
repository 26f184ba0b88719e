/** Converts an HTTP tool to the form's values and back. */
import type { CreateHttpTool, HttpTool } from '../../../contract/http-tools/http-tools.ts';

/** The JSON Schema types that the form offers for arguments. */
export const argumentTypes = ['string', 'number', 'boolean'] as const;

interface Argument {
  name: string;
  type: string;
  description: string;
}

export interface ToolDraft extends Record<string, unknown> {
  name: string;
  description: string;
  method: string;
  url: string;
  effect: string;
  arguments: Argument[];
  header: string;
  header_value: string;
  timeout_seconds: number | string;
  answer_fields: string[];
}

/**
 * Returns the tool's arguments if the form can show all of them. Each must be required, and its schema must have a type
 * that the form offers and may have a description, but nothing else.
 * @returns undefined if the form cannot show them; saving the form then leaves them unchanged
 */
function argumentsOf({ parameters }: HttpTool): Argument[] | undefined {
  const { properties, required } = parameters;
  if (typeof properties !== 'object' || properties === null) return [];
  const names = Array.isArray(required) ? required : [];
  const rows: Argument[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    if (typeof schema !== 'object' || schema === null || !names.includes(name)) return undefined;
    const others = Object.keys(schema).filter((key) => key !== 'type' && key !== 'description');
    const description: unknown = Reflect.get(schema, 'description') ?? '';
    const type = argumentTypes.find((one) => one === Reflect.get(schema, 'type'));
    if (others.length > 0 || type === undefined || typeof description !== 'string') return undefined;
    rows.push({ name, type, description });
  }
  return rows;
}

/** True if the form cannot show the tool's arguments or headers: it has fields for one header only. */
export const isComplex = (tool: HttpTool): boolean =>
  argumentsOf(tool) === undefined || tool.headers.length > 1;

export function draftOf(tool: HttpTool | undefined): ToolDraft {
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    method: tool?.method ?? 'GET',
    url: tool?.url ?? '',
    effect: tool?.effect ?? 'read',
    arguments: tool === undefined ? [] : (argumentsOf(tool) ?? []),
    header: tool?.headers[0]?.name ?? '',
    header_value: '',
    timeout_seconds: tool?.timeout_seconds ?? 15,
    answer_fields: tool?.answer_fields ?? [],
  };
}

/**
 * Returns the body of the request that creates or, if `tool` is defined, changes a tool. A change contains no name and,
 * if the tool is complex (`isComplex`), no arguments or headers.
 */
export function bodyOf(
  draft: ToolDraft,
  tool: HttpTool | undefined,
): Record<keyof CreateHttpTool, unknown> | object {
  const { name, description, method, url, effect, timeout_seconds, answer_fields } = draft;
  const header = draft.header.trim();
  const value = draft.header_value.trim();
  const rows = draft.arguments.filter((row) => row.name.trim() !== '');
  const properties = Object.fromEntries(
    rows.map((row) => [
      row.name.trim(),
      { type: row.type, ...(row.description.trim() !== '' && { description: row.description.trim() }) },
    ]),
  );
  const simple = {
    parameters: { type: 'object', properties, required: Object.keys(properties) },
    headers: header === '' ? [] : [{ name: header, ...(value !== '' && { value }) }],
  };
  return {
    ...(tool === undefined && { name: name.trim() }),
    description,
    method,
    url: url.trim(),
    effect,
    answer_fields,
    timeout_seconds: Number(timeout_seconds),
    ...(tool !== undefined && isComplex(tool) ? {} : simple),
  };
}
