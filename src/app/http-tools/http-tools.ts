/** Creates, changes, removes and runs an organization's HTTP tools. */
import { recordAudit, type OrganizationActor } from '../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction, type Database, type Transaction } from '../../adapters/postgres/database.ts';
import {
  agentsOfTool,
  deleteHttpTool,
  findHttpTool,
  insertHttpTool,
  listHttpTools,
  lockHttpTool,
  updateHttpTool,
  type HttpToolFields,
  type HttpToolRow,
} from '../../adapters/postgres/http-tools/http-tools.ts';
import type { Encryption } from '../../adapters/secrets/encryption.ts';
import { invalidField, orNotFound, PublicError } from '../../contract/errors.ts';
import { changeText } from '../../domain/accounts/change-text.ts';
import {
  httpTool,
  type CreateHttpTool,
  type HttpTool,
  type HttpToolResult,
  type UpdateHttpTool,
} from '../../contract/http-tools/http-tools.ts';
import { maxHttpTools } from '../../contract/http-tools/limits.ts';
import type { ToolRequest, ToolRunner } from '../workspace/run-tool.ts';
import { readUrlTemplate } from '../../domain/http-tools/url-template.ts';
import { checkHttpTool, type CheckedTool } from './check-http-tool.ts';
import { lostHeaders, openHeaders, sealHeaders } from './headers.ts';
import { resultOf } from '../tool-attempt.ts';

const storedSchema = httpTool.shape.parameters;

export type HttpTools = ReturnType<typeof createHttpTools>;

/** Returns the operations on an organization's HTTP tools, and their calls by agents and by the API. */
export function createHttpTools(db: Database, encryption: Encryption, runner: ToolRunner) {
  return { list, get, create, change, remove, run };

  /** Returns the organization's tools, ordered by name. */
  async function list(organizationId: string): Promise<HttpTool[]> {
    return (await listHttpTools(db, organizationId)).map(shown);
  }

  /** Returns a tool. @throws PublicError not_found */
  async function get(organizationId: string, id: string): Promise<HttpTool> {
    return shown(await find(organizationId, id));
  }

  /**
   * Creates a tool.
   * @throws PublicError conflict if the name is taken; validation_failed if fields are invalid, if a header has no
   * value, or if the organization already has `maxHttpTools` tools
   */
  async function create(actor: OrganizationActor, tool: CreateHttpTool): Promise<HttpTool> {
    const { organizationId } = actor;
    checkHttpTool(tool);
    const values = new Map<string, string>();
    for (const [index, { name, value }] of tool.headers.entries()) {
      if (value === undefined) throw invalidField(`headers.${index}.value`, 'is needed');
      values.set(name.toLowerCase(), value);
    }
    const row = await inTransaction(db, async (tx) => {
      const known = await listHttpTools(tx, organizationId);
      if (known.length >= maxHttpTools)
        throw invalidField('name', `is one too many: an organization has at most ${maxHttpTools} HTTP tools`);
      const made = await insertHttpTool(tx, organizationId, fieldsOf(tool), (key) =>
        sealHeaders(encryption, values, key),
      );
      await recordAudit(tx, actor, 'http_tool_created', auditText(made));
      return made;
    });
    return shown(row);
  }

  /**
   * Changes the fields of a tool that `change` contains.
   * @throws PublicError not_found; validation_failed if fields are invalid, or if a header's value is neither given nor
   * stored. If the URL's origin changes, the values of all headers must be given again.
   */
  async function change(actor: OrganizationActor, id: string, change: UpdateHttpTool): Promise<HttpTool> {
    const stored = await inTransaction(db, async (tx) => {
      // Without the lock, a concurrent change could combine the stored header values with another host, or one of two
      // concurrent changes could be lost.
      const row = orNotFound(await lockHttpTool(tx, actor.organizationId, id));
      const after = changed(shown(row), change);
      checkHttpTool(after);
      const values = headersOf(row, after);
      const { name: _, ...columns } = fieldsOf(after);
      const sealed = values === undefined ? {} : { headers: sealHeaders(encryption, values, row) };
      const updated = orNotFound(await updateHttpTool(tx, row, { ...columns, ...sealed }));
      await recordAudit(tx, actor, 'http_tool_changed', changeText(auditText(row), auditText(updated)));
      return updated;
    });
    return shown(stored);
  }

  /**
   * Deletes a tool.
   * @throws PublicError not_found; invalid_state if it is among the tools of an agent
   */
  async function remove(actor: OrganizationActor, id: string): Promise<void> {
    const row = await find(actor.organizationId, id);
    await inTransaction(db, async (tx) => {
      await refuseUsed(tx, [row]);
      await deleteHttpTool(tx, row);
      await recordAudit(tx, actor, 'http_tool_deleted', row.name);
    });
  }

  /**
   * Calls a tool as an agent would, and waits for the result. A repeat with the same idempotency key waits for the
   * same call instead.
   * @returns the outcome with the text that a model reads; the failure of a call is returned, not thrown
   * @throws PublicError not_found; the errors of `ToolRunner.execute`
   */
  async function run(call: ToolRequest, id: string): Promise<HttpToolResult> {
    const { name, effect } = await find(call.organizationId, id);
    return resultOf(await runner.execute({ ...call, action: name, httpTool: { id, effect } }));
  }

  /**
   * @returns the header values of the changed tool, by lower-case name; undefined if the stored values remain
   * unchanged
   * @throws PublicError validation_failed if a value is missing
   */
  function headersOf(
    row: HttpToolRow,
    { url, headers }: { url: string; headers: readonly { name: string; value?: string | undefined }[] },
  ): Map<string, string> | undefined {
    const isElsewhere = originOf(url) !== originOf(row.url);
    const isSame =
      headers.every(({ value }) => value === undefined) && headers.length === row.header_names.length;
    // If the origin changes, the stored values are not used. Otherwise, an editor could have them sent to any other
    // server.
    const stored = isElsewhere || lostHeaders(row) ? new Map<string, string>() : undefined;
    if (isSame && stored === undefined && headers.every(({ name }) => row.header_names.includes(name)))
      return undefined;
    const known = stored ?? openHeaders(encryption, row);
    const values = new Map<string, string>();
    for (const [index, { name, value }] of headers.entries()) {
      const kept = value ?? known.get(name.toLowerCase());
      if (kept === undefined && isElsewhere && row.header_names.length > 0)
        throw invalidField(`headers.${index}.value`, 'is needed again when the host changes');
      if (kept === undefined) throw invalidField(`headers.${index}.value`, 'is needed');
      values.set(name.toLowerCase(), kept);
    }
    return values;
  }

  async function find(organizationId: string, id: string): Promise<HttpToolRow> {
    return orNotFound(await findHttpTool(db, organizationId, id));
  }
}

/**
 * Checks tools before their removal.
 * @throws PublicError invalid_state if one of them is among the tools of an agent
 */
export async function refuseUsed(
  tx: Transaction,
  tools: readonly { organization_id: string; name: string }[],
): Promise<void> {
  for (const { organization_id, name } of tools) {
    const agents = await agentsOfTool(tx, organization_id, name);
    if (agents.length === 0) continue;
    const sentence = `Agents use ${name}: ${agents.join(', ')}. Remove it from their tools first.`;
    throw new PublicError('invalid_state', { sentence });
  }
}

function originOf(url: string): string | undefined {
  const read = readUrlTemplate(url);
  return read.kind === 'template' ? read.template.origin.toLowerCase() : undefined;
}

/** @returns the text of the audit event: name, effect and method of the tool, and the origin of its URL */
const auditText = ({ name, method, url, effect }: HttpToolRow): string =>
  `${name} (${effect}): ${method} ${originOf(url) ?? ''}`;

/** @returns the tool with the change applied; a field that the change does not contain stays the same */
const changed = (tool: HttpTool, change: UpdateHttpTool) => ({
  ...tool,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
});

type PlainFields = Omit<HttpToolFields, 'parameters' | 'header_names'>;

/** @returns the fields that have the same form in a row as in the API */
function plainFields(tool: PlainFields): PlainFields {
  const { name, description, method, url, effect, timeout_seconds, answer_fields, answer_max_chars } = tool;
  return { name, description, method, url, effect, timeout_seconds, answer_fields, answer_max_chars };
}

function fieldsOf(tool: CheckedTool): HttpToolFields {
  return {
    ...plainFields(tool),
    parameters: JSON.stringify(tool.parameters),
    header_names: tool.headers.map((header) => header.name),
  };
}

function shown(row: HttpToolRow): HttpTool {
  return {
    id: row.id,
    ...plainFields(row),
    parameters: storedSchema.parse(JSON.parse(row.parameters)),
    headers: row.header_names.map((header) => ({ name: header })),
    headers_lost: lostHeaders(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
