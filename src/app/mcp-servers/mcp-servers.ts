/** Adds, changes and removes an organization's MCP servers, and accepts and runs their tools. */
import type { McpFault } from '../../adapters/mcp/mcp-session.ts';
import { recordAudit, type OrganizationActor } from '../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction, type Transaction } from '../../adapters/postgres/database.ts';
import {
  acceptMcpTool,
  deleteMcpServer,
  deleteMcpTool,
  findMcpServer,
  findMcpTools,
  insertMcpServer,
  listMcpServers,
  listMcpTools,
  lockMcpServer,
  setMcpToolEffect,
  updateMcpServer,
  type McpServerRow,
  type McpToolRow,
} from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import {
  findMcpSignIn,
  listMcpSignIns,
  type McpSignInRow,
} from '../../adapters/postgres/mcp-servers/mcp-sign-ins.ts';
import { invalidField, orNotFound, PublicError } from '../../contract/errors.ts';
import { fieldChanges } from '../../domain/accounts/change-text.ts';
import type { HttpToolResult } from '../../contract/http-tools/http-tools.ts';
import { maxMcpServers } from '../../contract/mcp-servers/limits.ts';
import {
  mcpServer,
  type ChooseMcpTools,
  type CreateMcpServer,
  type McpOffer,
  type McpServer,
  type McpTool,
  type UpdateMcpServer,
} from '../../contract/mcp-servers/mcp-servers.ts';
import { judgeUrl } from '../../domain/http/address-rules.ts';
import { withoutSecrets } from '../../domain/http-tools/read-answer.ts';
import { Limiter } from '../../limits/limiter.ts';
import { headerProblem } from '../http-tools/headers.ts';
import { refuseUsed } from '../http-tools/http-tools.ts';
import { resultOf } from '../tool-attempt.ts';
import type { ToolRequest, ToolRunner } from '../workspace/run-tool.ts';
import { revokeSignIn } from './oauth-tokens.ts';
import { compareTools, mcpPlace, openSession, type McpDeps } from './connect.ts';
import { offeredOf, type Offered } from './definitions.ts';

const storedSchema = mcpServer.shape.tools.element.shape.parameters;
/**
 * Maximum servers whose tools this process lists at the same time, in total and per organization. The limit per
 * organization keeps servers that do not answer from blocking other organizations. Chosen.
 */
const maxListings = 16;
const maxListingsPerOrganization = 2;
const retryAfterSeconds = 5;
/** Names, in lower case, of headers that the MCP session sets. They cannot carry a server's credentials. */
const ofProtocol = new Set(['accept', 'last-event-id', 'mcp-session-id', 'mcp-protocol-version']);

type Chosen = ChooseMcpTools['tools'][number];

export type McpServers = ReturnType<typeof createMcpServers>;

export function createMcpServers(deps: McpDeps, runner: ToolRunner) {
  const { db, encryption } = deps;
  const listings = new Limiter({ max: maxListings, maxPerOwner: maxListingsPerOrganization });
  return { list, get, create, change, remove, offer, choose, run };

  /** Returns the organization's servers, ordered by name, with their accepted tools. */
  async function list(organizationId: string): Promise<McpServer[]> {
    const tools = Map.groupBy(await listMcpTools(db, organizationId), ({ server_id }) => server_id);
    const rows = await listMcpServers(db, organizationId);
    const ids = rows.filter(({ auth }) => auth === 'oauth').map(({ id }) => id);
    const signIns = await listMcpSignIns(db, organizationId, ids);
    const signInOf = new Map(signIns.map((one) => [one.server_id, one]));
    return rows.map((row) => shown(row, tools.get(row.id) ?? [], signInOf.get(row.id)));
  }

  /** Returns a server with its accepted tools. @throws PublicError not_found if the organization has no such server */
  async function get(organizationId: string, id: string): Promise<McpServer> {
    return await withTools(await find(organizationId, id));
  }

  /**
   * Adds a server. Sends nothing to it.
   * @throws PublicError conflict if the name is taken; validation_failed if the URL or the header is not allowed, if
   * `auth` is `header` and no header is given, if `auth` is not `header` and a header is given, or if the organization
   * already has `maxMcpServers` servers
   */
  async function create(actor: OrganizationActor, server: CreateMcpServer): Promise<McpServer> {
    const { organizationId } = actor;
    const { name, auth, header, timeout_seconds, answer_max_chars } = server;
    const judged = judgeUrl(server.url);
    if (judged.kind === 'refused')
      throw invalidField('url', `cannot be called: ${judged.reason.replaceAll('_', ' ')}`);
    if ((auth === 'header') !== (header !== undefined))
      throw invalidField('header', 'is needed with auth header, and with no other');
    checkHeader(header?.name);
    const row = await inTransaction(db, async (tx) => {
      if ((await listMcpServers(tx, organizationId)).length >= maxMcpServers)
        throw invalidField(
          'name',
          `is one too many: an organization has at most ${maxMcpServers} MCP servers`,
        );
      const fields = { name, auth, timeout_seconds, answer_max_chars, url: judged.url.href };
      const made = await insertMcpServer(
        ...([tx, organizationId] as const),
        {
          ...fields,
          header_name: header?.name ?? null,
          status: auth === 'oauth' ? 'needs_sign_in' : 'connected',
        },
        (key) => (header === undefined ? null : encryption.seal(header.value, mcpPlace(key))),
      );
      await recordAudit(tx, actor, 'mcp_server_added', auditText(made));
      return made;
    });
    return shown(row, []);
  }

  /**
   * Changes the fields of a server that `change` contains. A new header also makes the server `connected` again.
   * @throws PublicError not_found; validation_failed if the header's name is not allowed, or if `change` contains a
   * header although the server's `auth` is not `header`
   */
  async function change(actor: OrganizationActor, id: string, change: UpdateMcpServer): Promise<McpServer> {
    const { header, ...settings } = change;
    checkHeader(header?.name);
    const row = await inTransaction(db, async (tx) => {
      const locked = orNotFound(await lockMcpServer(tx, actor.organizationId, id));
      if (header !== undefined && locked.auth !== 'header')
        throw invalidField('header', 'is not how Parley signs in at this server');
      const sealed = header && {
        header_name: header.name,
        status: 'connected' as const,
        header_value: encryption.seal(header.value, mcpPlace(locked)),
      };
      const fields = Object.entries(settings).filter(([, value]) => value !== undefined);
      const updated = orNotFound(
        await updateMcpServer(tx, locked, { ...Object.fromEntries(fields), ...sealed }),
      );
      const notes = fieldChanges(locked, settings, ['name', 'timeout_seconds', 'answer_max_chars']);
      if (header !== undefined) notes.push('header replaced');
      await recordAudit(tx, actor, 'mcp_server_changed', [auditText(updated), ...notes].join(', '));
      return updated;
    });
    return await withTools(row);
  }

  /**
   * Deletes a server with its credentials and tools. If an administrator had signed in at the server, also asks the
   * authorization server to revoke the tokens, without waiting for the answer.
   * @throws PublicError not_found; invalid_state if one of its tools is among the tools of an agent
   */
  async function remove(actor: OrganizationActor, id: string): Promise<void> {
    const signIn = await inTransaction(db, async (tx) => {
      const row = orNotFound(await lockMcpServer(tx, actor.organizationId, id));
      await refuseUsed(tx, await listMcpTools(tx, actor.organizationId, id));
      const found = await findMcpSignIn(tx, actor.organizationId, id);
      await deleteMcpServer(tx, row);
      await recordAudit(tx, actor, 'mcp_server_removed', auditText(row));
      return found;
    });
    if (signIn !== undefined) void revokeSignIn(deps, signIn);
  }

  /**
   * Lists the tools that a server offers now, and records which accepted tools the server has changed or removed.
   * @throws PublicError not_found; invalid_credentials if the server's credentials are missing or were refused;
   * gateway_unreachable, with the reason, if the tools cannot be listed for another reason; unavailable if this
   * process already lists the tools of too many servers
   */
  async function offer(organizationId: string, id: string): Promise<McpOffer> {
    const offer = await listed(await find(organizationId, id));
    return {
      server: await get(organizationId, id),
      tools: [...offer.values()].map(({ remoteName, name, definition, problem, hints }) => ({
        name,
        remote_name: remoteName,
        definition:
          definition === undefined
            ? null
            : { ...definition, parameters: storedSchema.parse(definition.parameters) },
        problem: problem ?? null,
        read_only_hint: hints.readOnly ?? null,
        destructive_hint: hints.destructive ?? null,
      })),
    };
  }

  /**
   * Sets which of a server's tools agents may call, and removes the others. For each tool, `tools` has the digest of
   * the definition that the caller has read. Only a definition with this digest is accepted. If a digest belongs to no
   * stored definition, lists the tools at the server.
   * @throws PublicError not_found; validation_failed if a tool occurs twice, if no usable definition has the digest,
   * or if another tool has the same name; invalid_state if a tool that would be removed is among the tools of an
   * agent; the errors of `offer` if the tools are listed
   */
  async function choose(actor: OrganizationActor, id: string, { tools }: ChooseMcpTools): Promise<McpServer> {
    const { organizationId } = actor;
    const server = await find(organizationId, id);
    const names = tools.map(({ remote_name }) => remote_name);
    const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
    if (twice !== -1) throw invalidField(`tools.${twice}.remote_name`, 'occurs twice');
    const known = byRemoteName(await listMcpTools(db, organizationId, id));
    const isKnown = ({ remote_name, digest }: Chosen) =>
      [known.get(remote_name)].some((row) => row && definitionOf(row, digest) !== undefined);
    // Lists the tools outside of the transaction, so that no row is locked while the server answers.
    const offer = tools.every(isKnown) ? new Map<string, Offered>() : await listed(server);
    await inTransaction(db, async (tx) => {
      if ((await lockMcpServer(tx, organizationId, id)) === undefined) throw new PublicError('not_found');
      const rows = await listMcpTools(tx, organizationId, id);
      const dropped = rows.filter(({ remote_name }) => !names.includes(remote_name));
      await refuseUsed(tx, dropped);
      for (const row of dropped) await deleteMcpTool(tx, row.id);
      const before = byRemoteName(rows);
      const accepted: string[] = [];
      for (const [index, chosen] of tools.entries()) {
        const row = before.get(chosen.remote_name);
        // This definition is already accepted. It remains so, even if the server has changed the tool since then.
        if (row?.digest === chosen.digest) {
          if (row.effect !== chosen.effect) {
            await setMcpToolEffect(tx, row.id, chosen.effect);
            accepted.push(`${row.name} (${chosen.effect})`);
          }
          continue;
        }
        const name = await accept(tx, { server, row, chosen, index, offer });
        accepted.push(`${name} (${chosen.effect})`);
      }
      const removed = dropped.map(({ name }) => `removed ${name}`);
      await recordAudit(
        tx,
        actor,
        'mcp_tools_accepted',
        `${server.name}: ${[...accepted, ...removed].join(', ')}`.slice(0, 1000),
      );
    });
    return await get(organizationId, id);
  }

  /**
   * Calls a tool as an agent would, and waits for the result. A repeat with the same idempotency key waits for the
   * same call instead.
   * @returns the outcome with the text that a model reads; the failure of a call is returned, not thrown
   * @throws PublicError not_found if the server has no accepted tool of this name; the errors of `ToolRunner.execute`
   */
  async function run(call: ToolRequest, id: string, name: string): Promise<HttpToolResult> {
    const { organizationId } = call;
    const [tool] = await findMcpTools(db, organizationId, [name]);
    if (tool?.server_id !== id) throw new PublicError('not_found');
    const { effect } = tool;
    return resultOf(await runner.execute({ ...call, action: name, mcpTool: { id: tool.id, effect } }));
  }

  /**
   * Stores a chosen tool with the definition that the caller has read.
   * @returns the name by which agents and models call the tool
   * @throws PublicError validation_failed if the server does not offer the tool with this definition, or if another
   * tool has its name
   */
  async function accept(
    tx: Transaction,
    given: {
      server: McpServerRow;
      row: McpToolRow | undefined;
      chosen: Chosen;
      index: number;
      offer: ReadonlyMap<string, Offered>;
    },
  ): Promise<string> {
    const { server, row, chosen, index, offer } = given;
    const { remote_name, digest, effect } = chosen;
    const offered = offer.get(remote_name);
    const definition = offered === undefined ? row && definitionOf(row, digest) : offered.definition;
    if (definition === undefined)
      throw invalidField(`tools.${index}.remote_name`, offered?.problem ?? 'is no tool of this server now');
    if (definition.digest !== digest)
      throw invalidField(`tools.${index}.digest`, 'is not of what the server has now: read its tools again');
    const name = offered?.name ?? row?.name ?? '';
    const isAccepted = await acceptMcpTool(tx, server, {
      name,
      remote_name,
      digest,
      effect,
      description: definition.description,
      parameters: JSON.stringify(definition.parameters),
    });
    if (!isAccepted) throw invalidField(`tools.${index}.remote_name`, 'would have the name of another tool');
    return name;
  }

  /**
   * Lists the server's tools, and compares them with the accepted ones.
   * @throws PublicError unavailable if the limits of `listings` are reached; invalid_credentials if credentials are
   * missing; the error of `unreadable` if the server does not return its tools
   */
  async function listed(server: McpServerRow): Promise<Map<string, Offered>> {
    const list = async () => {
      const opened = await openSession(deps, server, {
        begin: async (session) => await compareTools(db, server, session),
      });
      if (opened.kind === 'missing') throw new PublicError('invalid_credentials', { sentence: opened.why });
      if (opened.kind === 'failed') throw unreadable(server, opened);
      opened.session.close();
      return opened.begun;
    };
    return await listings.tryUse(
      server.organization_id,
      list,
      () => new PublicError('unavailable', { retryAfterSeconds }),
    );
  }

  async function withTools(row: McpServerRow): Promise<McpServer> {
    const { id, organization_id } = row;
    return shown(
      row,
      await listMcpTools(db, organization_id, id),
      row.auth === 'oauth' ? await findMcpSignIn(db, organization_id, id) : undefined,
    );
  }

  async function find(organizationId: string, id: string): Promise<McpServerRow> {
    return orNotFound(await findMcpServer(db, organizationId, id));
  }
}

function unreadable(
  { auth }: McpServerRow,
  { fault, secrets }: { fault: McpFault; secrets: readonly string[] },
): PublicError {
  const asksForSignIn = auth === 'none' && fault.challenge !== undefined;
  const isRefused = fault.status === 401 || fault.status === 403;
  return new PublicError(isRefused ? 'invalid_credentials' : 'gateway_unreachable', {
    sentence: asksForSignIn
      ? 'The MCP server asks you to sign in: choose Sign in at the server, in the console under Tools, MCP servers.'
      : `The MCP server could not be read: ${withoutSecrets(fault.message, secrets)}.`,
    cause: fault,
  });
}

/**
 * @throws PublicError validation_failed if the header is reserved: Parley sets it, or it controls the connection or the
 * framing of the request. Such a header cannot carry credentials.
 */
function checkHeader(name: string | undefined): void {
  if (name === undefined) return;
  const problem =
    headerProblem(name) ??
    (ofProtocol.has(name.toLowerCase()) ? 'is a header that Parley sets itself' : undefined);
  if (problem !== undefined) throw invalidField('header.name', problem);
}

const byRemoteName = (rows: readonly McpToolRow[]): Map<string, McpToolRow> =>
  new Map(rows.map((row) => [row.remote_name, row]));

/**
 * @returns the accepted definition or the one that the server has offered instead, whichever has this digest;
 * undefined if neither has it
 */
function definitionOf(row: McpToolRow, digest: string) {
  const offered = offeredOf(row);
  if (offered?.digest === digest) return offered;
  const { description, parameters } = row;
  return row.digest === digest
    ? { description, digest, parameters: storedSchema.parse(JSON.parse(parameters)) }
    : undefined;
}

/** @returns the text of the audit event: the server's name, `auth` and the origin of its URL, without credentials */
const auditText = ({ name, url, auth }: McpServerRow): string => `${name} (${auth}): ${new URL(url).origin}`;

function shown(row: McpServerRow, tools: readonly McpToolRow[], signIn?: McpSignInRow): McpServer {
  const { id, name, url, auth, header_name, status, timeout_seconds, answer_max_chars } = row;
  return {
    id,
    name,
    url,
    auth,
    header_name,
    status,
    timeout_seconds,
    answer_max_chars,
    issuer: signIn?.issuer ?? null,
    client_id: signIn?.is_client_typed === true ? signIn.client_id : null,
    tools: tools.map(shownTool),
    listed_at: row.listed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function shownTool(row: McpToolRow): McpTool {
  const { name, remote_name, description, digest, effect, is_gone } = row;
  const offered = offeredOf(row) ?? null;
  return {
    name,
    remote_name,
    description,
    digest,
    effect,
    offered,
    parameters: storedSchema.parse(JSON.parse(row.parameters)),
    status: is_gone ? 'gone' : offered === null ? 'ready' : 'changed',
  };
}
