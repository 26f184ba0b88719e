/** Stores the HTTP tools of organizations. The values of a tool's headers are encrypted. */
import { z } from 'zod';
import { httpEffect, httpMethod } from '../../../contract/http-tools/http-tools.ts';
import { queryRows, statement, type Database } from '../database.ts';
import { organizationTable } from '../organization-table.ts';

const httpToolRow = z.object({
  id: z.string(),
  organization_id: z.string(),
  name: z.string(),
  description: z.string(),
  method: httpMethod,
  url: z.string(),
  /** The JSON Schema of the parameters, as text. */
  parameters: z.string(),
  header_names: z.array(z.string()),
  /** The encrypted values of the headers; null if the tool has no headers, or the encryption key was lost. */
  headers: z.string().nullable(),
  effect: httpEffect,
  timeout_seconds: z.number(),
  answer_fields: z.array(z.string()),
  answer_max_chars: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
});
export type HttpToolRow = z.infer<typeof httpToolRow>;

/** The ids to which the encryption of a tool's headers is bound. */
export type HttpToolKey = Pick<HttpToolRow, 'id' | 'organization_id'>;
/** The fields of a tool that its creator sets, except the header values. */
export type HttpToolFields = Omit<
  HttpToolRow,
  'id' | 'organization_id' | 'headers' | 'created_at' | 'updated_at'
>;

const tools = organizationTable('http_tools', httpToolRow);

/** @returns the organization's HTTP tools, ordered by name without regard to case */
export const listHttpTools = tools.list('lower(name)');

const named = statement('http-tools-by-name', httpToolRow)`
  select * from http_tools where organization_id = $1 and lower(name) = any($2) and name = any($3)`;

/** @returns those of the organization's HTTP tools that have one of these names (case-sensitive) */
export async function findHttpTools(
  db: Database,
  organizationId: string,
  names: readonly string[],
): Promise<HttpToolRow[]> {
  if (names.length === 0) return [];
  const lower = names.map((name) => name.toLowerCase());
  return await queryRows(db, named, [organizationId, lower, names]);
}

/**
 * Finds an HTTP tool.
 * @param id a UUID
 * @returns undefined if the organization has no such tool
 */
export const findHttpTool = tools.find;

/**
 * Finds an HTTP tool and locks it until the transaction ends.
 * @param id a UUID
 * @returns undefined if the organization has no such tool
 */
export const lockHttpTool = tools.lock;

/**
 * Stores a new HTTP tool.
 * @param seal returns the header values, encrypted for the ids of the new row; null if there are none
 * @throws PublicError conflict if the organization has an HTTP tool with this name, even in different case
 */
export async function insertHttpTool(
  db: Database,
  organizationId: string,
  tool: HttpToolFields,
  seal: (key: HttpToolKey) => string | null,
): Promise<HttpToolRow> {
  const columnsOf = (key: HttpToolKey) => ({ ...tool, headers: seal(key) });
  return await tools.insert(db, organizationId, columnsOf, 'http_tools_name');
}

/** Changes the given fields of an HTTP tool. @returns the new row; undefined if the organization has no such tool */
export async function updateHttpTool(
  db: Database,
  key: HttpToolKey,
  change: Partial<Omit<HttpToolFields, 'name'> & Pick<HttpToolRow, 'headers'>>,
): Promise<HttpToolRow | undefined> {
  return await tools.update(db, key, change);
}

/** Deletes an HTTP tool with its headers. Idempotent. */
export const deleteHttpTool = tools.delete;

/** @returns the names of the agents that have this tool and are not deleted: the first ten in alphabetical order */
export const agentsOfTool = statement('agents-of-tool', z.array(z.string())).result<
  [organizationId: string, name: string]
>`
  select array(select name from agents where organization_id = $1 and deleted_at is null and $2 = any(tools)
    order by name limit 10) as result`;
