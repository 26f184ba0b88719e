/** Formats the names and arguments of tool calls for users who do not program. */
import type { ArgumentSchemas } from '../../contract/conversations/approvals.ts';
import { exactNumber } from './format.ts';
import { objectIn } from './json.ts';
import { textsOf } from './workspace-presets.ts';

/** The name of an MCP server's tool: the server, the tool, and perhaps a hash, which almost always has a digit. */
const mcpTool = /^mcp_([^_]+)_(.+?)(?:_(?=[a-f]*\d)[\da-f]{6})?$/;

/**
 * Returns the plain name of a workspace action. Splits the name of any other tool into words, for example `searchPages`
 * into `Search pages`, and `mcp_shop_find_order` into `Find order (shop)`.
 */
export function plainToolName(name: string): string {
  const action = textsOf(name);
  if (action !== undefined) return action.name;
  const [, server, tool] = mcpTool.exec(name) ?? [];
  if (server !== undefined && tool !== undefined) return `${plainName(tool)} (${server})`;
  return plainName(name.replace(/^DOCS_/, ''));
}

/** Splits a name in code into words, for example `refund_amount` into `Refund amount`. */
export function plainName(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[_\-.\s]+/)
    .filter((word) => word !== '');
  const plain = words.join(' ').toLowerCase();
  return plain === '' ? name : plain.charAt(0).toUpperCase() + plain.slice(1);
}

export interface PlainArgument {
  name: string;
  /** The title that the tool's schema gives it, otherwise its name in words. */
  label: string;
  /** The value as text. A number has as many decimals as its schema's `multipleOf`, unless it has more. */
  value: string;
  /** The value as JSON if it differs from `value`; otherwise absent. */
  json?: string;
}

/**
 * Lists a call's arguments.
 * @param schemas what the tool's schema says of them
 * @returns undefined if the text is not a JSON object, for example because it was cut off
 */
export function plainArguments(json: string, schemas: ArgumentSchemas = {}): PlainArgument[] | undefined {
  const given = objectIn(json);
  if (given === undefined) return undefined;
  return Object.entries(given).map(([name, value]) => {
    const { title, multipleOf } = (Object.hasOwn(schemas, name) ? schemas[name] : undefined) ?? {};
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const shown =
      typeof value === 'number' && multipleOf !== undefined ? exactNumber(value, multipleOf) : undefined;
    return {
      name,
      label: title ?? plainName(name),
      value: shown ?? text,
      ...(shown !== undefined && shown !== text && { json: text }),
    };
  });
}

/** True for a value of 1 to 60 characters on one line, without { or [. */
const isShort = ({ value }: PlainArgument): boolean =>
  value.length > 0 && value.length <= 60 && !/[\n{[]/.test(value);

/** Maximum number of values, and of characters of a text, that the summary of a result shows. Chosen. */
const maxBrief = { values: 3, chars: 120 };

/**
 * Summarizes a tool's result in one line: of a JSON object its first short values, for example
 * `State: on its way · Carrier: Correios`; of another text its beginning.
 */
export function briefResult(result: string): string {
  const values = plainArguments(result)?.filter(isShort);
  if (values !== undefined && values.length > 0)
    return values
      .slice(0, maxBrief.values)
      .map(({ label, value }) => `${label}: ${value}`)
      .join(' · ');
  const line = result.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxBrief.chars ? line : `${line.slice(0, maxBrief.chars)}…`;
}

/**
 * Returns the first argument value that has 1 to 60 characters on one line, without { or [. This value often names the
 * subject of the call.
 * @returns undefined if there is none, or if the text is not a JSON object
 */
export function subjectOf(json: string): string | undefined {
  return plainArguments(json)?.find(isShort)?.value;
}
