/**
 * Reads the titles and the precision that tools' JSON Schemas give to their arguments, for people who decide on calls.
 */
import { z } from 'zod';
import { maxTitleChars, type ArgumentSchemas } from '../../../contract/conversations/approvals.ts';
import { queryRows, statement, type Database } from '../database.ts';

const tools = statement('argument-schemas', z.object({ name: z.string(), parameters: z.string() }))`
  select name, parameters from http_tools where organization_id = $1 and lower(name) = any($2)
  union all select name, parameters from mcp_tools where organization_id = $1 and name = any($3)`;

/**
 * Reads the schemas of the arguments of an organization's HTTP and MCP tools, as they are now.
 * @param names names of tools; others than HTTP and MCP tools are ignored
 * @returns the schemas by the tool's name; without the tools whose arguments have neither a title nor a precision
 */
export async function findArgumentSchemas(
  db: Database,
  organizationId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ArgumentSchemas>> {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return new Map();
  const lower = wanted.map((name) => name.toLowerCase());
  const rows = await queryRows(db, tools, [organizationId, lower, wanted]);
  return new Map(
    rows.flatMap(({ name, parameters }) => {
      const found = schemasIn(parameters);
      return Object.keys(found).length === 0 ? [] : [[name, found] as const];
    }),
  );
}

const declared = z.object({ properties: z.record(z.string(), z.unknown()) });

/** @param parameters the JSON Schema of a tool's arguments, as text; that of an MCP tool may have any content */
function schemasIn(parameters: string): ArgumentSchemas {
  const { data } = declared.safeParse(JSON.parse(parameters));
  return Object.fromEntries(
    Object.entries(data?.properties ?? {}).flatMap(([name, property]) => {
      const { title, multipleOf } = z.record(z.string(), z.unknown()).safeParse(property).data ?? {};
      const kept = {
        ...(typeof title === 'string' && title.trim() !== '' && { title: title.slice(0, maxTitleChars) }),
        ...(typeof multipleOf === 'number' && multipleOf > 0 && { multipleOf }),
      };
      return Object.keys(kept).length === 0 ? [] : [[name, kept]];
    }),
  );
}

/**
 * Returns the schemas of the arguments that a call has. With those of all other arguments, each call of a tool would
 * repeat the whole schema.
 * @param schemas those of the tool's arguments
 * @param input the call's arguments
 */
export function schemasOfCall(
  schemas: ArgumentSchemas | undefined,
  input: unknown,
): { argument_schemas?: ArgumentSchemas } {
  if (schemas === undefined || typeof input !== 'object' || input === null) return {};
  const given = Object.entries(schemas).filter(([name]) => Object.hasOwn(input, name));
  return given.length === 0 ? {} : { argument_schemas: Object.fromEntries(given) };
}

/** Adds the schemas of their arguments to approvals. */
export async function withArgumentSchemas<Row extends { tool: string; arguments: unknown }>(
  db: Database,
  organizationId: string,
  rows: readonly Row[],
): Promise<(Row & { argument_schemas?: ArgumentSchemas })[]> {
  const found = await findArgumentSchemas(
    db,
    organizationId,
    rows.map(({ tool }) => tool),
  );
  return rows.map((row) => ({ ...row, ...schemasOfCall(found.get(row.tool), row.arguments) }));
}
