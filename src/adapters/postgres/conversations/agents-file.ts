/** Imports and exports agents as a YAML file. The file refers to agents by name, and to workspaces by name or id. */
import { setImmediate } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { stringify } from 'yaml';
import { z } from 'zod';
import {
  createAgent,
  findAgentByName,
  listAgents,
  lockAgentByName,
  updateAgent,
  type AgentRow,
} from './agents.ts';
import { recordAudit, type Actor } from '../accounts/audit-log.ts';
import { describeVersion } from './agent-versions.ts';
import { ruleChange, underRehearsalRule } from '../rehearsals/required-rehearsals.ts';
import { listToolConnections } from '../workspace/tool-connections.ts';
import { allRows } from '../cursor.ts';
import { rowsOf, type Database, type Transaction } from '../database.ts';
import { agentFields, type CreateAgent } from '../../../contract/conversations/agents.ts';
import {
  AgentsFileProblem,
  type AgentsFile,
  type AgentsFileResult,
} from '../../../contract/conversations/agents-file.ts';
import { PublicError } from '../../../contract/errors.ts';
import { agentTarget } from '../../../domain/conversations/agent-changes.ts';
import { keysOf } from '../../../contract/keys-of.ts';

/**
 * Creates or updates the agents of the file, by name. Writes an audit event for each existing agent that starts or
 * stops requiring a rehearsal. Files of one organization are applied one after another. An agent that exists when
 * `check` is called is locked until the transaction ends; an agent that does not exist then is created, never changed.
 * @param actor the author of the new versions: one for each agent that is new or whose content changes
 * @param check throws for an invalid agent; `known` is the agent of this name as it is now
 * @throws AgentsFileProblem if a transfer names an unknown agent, or a connection does not name exactly one workspace;
 * the errors of `check`. These errors are thrown before anything is written
 * @throws PublicError conflict if another call creates an agent of the same name at the same time; invalid_state if an
 * agent requires a rehearsal, and its new content has not passed one
 */
export async function applyAgents(
  tx: Transaction,
  organizationId: string,
  { agents: given, note }: AgentsFile,
  actor: Actor,
  check: (agent: CreateAgent, known: AgentRow | undefined) => Promise<void> = () => Promise.resolve(),
): Promise<AgentsFileResult> {
  const lock = `agents-file/${organizationId}`;
  await tx.knex.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [lock]);
  const workspaces = await listWorkspaces(tx, organizationId);
  const agents = given.map(({ connections, version: _, ...agent }) => ({
    ...agent,
    ...(connections !== undefined && {
      connections: connections?.map((named) => idOfWorkspace(workspaces, named)) ?? null,
    }),
  }));
  const rows = new Map<string, AgentRow>();
  for (const { transfers_to: _, ...fields } of agents) {
    const known = rows.get(fields.name) ?? (await lockAgentByName(tx, organizationId, fields.name));
    await check(fields, known);
    if (known !== undefined) rows.set(fields.name, known);
  }
  // New agents get their ids before they are written, so that each agent is written once, with its transfers. A second
  // write would publish a second version.
  const ids = new Map(agents.map(({ name }) => [name, rows.get(name)?.id ?? newId()]));
  for (const name of agents.flatMap((agent) => agent.transfers_to ?? [])) {
    if (ids.has(name)) continue;
    const other = await findAgentByName(tx, organizationId, name);
    if (other === undefined)
      throw new AgentsFileProblem(
        `transfers_to names "${name}", which is not an agent of the organization or the file.`,
      );
    ids.set(name, other.id);
  }
  const created: string[] = [];
  const updated: string[] = [];
  const versions: AgentsFileResult['versions'] = [];
  for (const { transfers_to: named, ...fields } of agents) {
    const transfers_to = named?.map((name) => ids.get(name)).filter((id) => id !== undefined);
    const agent = { ...fields, ...(transfers_to !== undefined && { transfers_to }) };
    const known = rows.get(fields.name);
    const row =
      known === undefined
        ? await createNew(tx, organizationId, agent, ids.get(fields.name))
        : await underRehearsalRule(tx, { id: known.id, organizationId }, () =>
            updateAgent(tx, organizationId, known.id, agent),
          );
    if (row === undefined) throw new Error(`The agent "${fields.name}" is gone.`);
    rows.set(fields.name, row);
    (known === undefined ? created : updated).push(fields.name);
    for (const change of known === undefined ? [] : ruleChange(known, row))
      await recordAudit(tx, { ...actor, organizationId }, 'agent_changed', agentTarget(row, [change]));
    if (row.version === known?.version) continue;
    await describeVersion(tx, actor, row, { note });
    versions.push({ name: row.name, version: row.version });
  }
  return { created, updated, versions };
}

/** Creates an agent. @throws PublicError conflict if another call took its name after this call had checked the name */
async function createNew(
  tx: Transaction,
  organizationId: string,
  agent: CreateAgent,
  id: string | undefined,
): Promise<AgentRow> {
  try {
    return await createAgent(tx, organizationId, agent, id);
  } catch (cause) {
    if (!(cause instanceof PublicError) || cause.code !== 'conflict') throw cause;
    const sentence = `Another call created the agent "${agent.name}" at the same time. Apply the file again.`;
    throw new PublicError('conflict', { sentence, cause });
  }
}

/** @returns the names of the imported agents, with the new versions of updated agents, for the audit log */
export function namesIn({ created, updated, versions }: AgentsFileResult): string {
  const published = new Map(versions.map(({ name, version }) => [name, version]));
  const changed = updated.map((name) =>
    published.has(name) ? `${name} (version ${published.get(name)})` : name,
  );
  return [...created, ...changed].join(', ');
}

/** Maximum characters of a file that the console's API exports. Chosen: eight times the maximum of an imported file. */
export const maxExportedFile = 8_000_000;

const agentName = z.object({ id: z.string(), name: z.string() });

/**
 * Exports all agents of an organization.
 * @param maxLength in characters
 * @returns the YAML of the agents, oldest first, in the form that `applyAgents` reads; null fields are omitted
 * @throws PublicError invalid_state if the file has more than `maxLength` characters
 */
export async function exportAgents(
  db: Database,
  organizationId: string,
  maxLength = Infinity,
): Promise<string> {
  const ids = await rowsOf(
    agentName,
    db.knex('agents').where({ organization_id: organizationId, deleted_at: null }).select('id', 'name'),
  );
  const names = new Map(ids.map(({ id, name }) => [id, name]));
  const workspaces = await listWorkspaces(db, organizationId);
  let text = '';
  const page = (cursor?: string) => listAgents(db, organizationId, { limit: exportedAtOnce, cursor });
  for await (const row of allRows(page)) {
    // Formats one agent at a time, so that a large export does not block the process's other calls.
    text += stringify({ agents: [agentForFile(row, names, workspaces)] }).slice(fileHead.length);
    if (text.length > maxLength) throw new PublicError('invalid_state', { sentence: tooLong });
    await setImmediate();
  }
  return text === '' ? stringify({ agents: [] }) : fileHead + text;
}

const fileHead = 'agents:\n';
const exportedAtOnce = 20;
const tooLong = `The file has more than ${maxExportedFile} characters. Export it with \`parley export\`.`;

/** @returns the version of an agent and its settings, without those that are null */
function agentForFile(
  row: AgentRow,
  names: Map<string, string>,
  workspaces: readonly Workspace[],
): Record<string, unknown> {
  const transfers_to = row.transfers_to.map((id) => names.get(id)).filter((known) => known !== undefined);
  const connections = row.connections?.map((id) => nameOfWorkspace(workspaces, id)) ?? null;
  const shown = { ...row, transfers_to, connections };
  const settings = keysOf(agentFields).map((field): [string, unknown] => [field, shown[field]]);
  return {
    name: row.name,
    version: row.version,
    ...Object.fromEntries(settings.filter(([, value]) => value !== null)),
  };
}

type Workspace = { id: string; name: string | null };

async function listWorkspaces(db: Database, organizationId: string): Promise<Workspace[]> {
  const rows = await listToolConnections(db, organizationId);
  return rows
    .filter(({ status }) => status !== 'pending')
    .map(({ id, workspace_name: name }) => ({ id, name }));
}

/** Finds a workspace by name or id. @throws AgentsFileProblem if no workspace, or more than one, has this name or id */
function idOfWorkspace(workspaces: readonly Workspace[], named: string): string {
  const [found, another] = workspaces.filter(({ id, name }) => named === name || named.toLowerCase() === id);
  if (found === undefined)
    throw new AgentsFileProblem(`connections names "${named}", which is not a connected workspace.`);
  if (another !== undefined)
    throw new AgentsFileProblem(
      `connections names "${named}", and several workspaces have this name: give the identifier.`,
    );
  return found.id;
}

/** @returns the workspace's name; `id` if the workspace is not listed, has no name, or shares its name with another */
function nameOfWorkspace(workspaces: readonly Workspace[], id: string): string {
  const name = workspaces.find((one) => one.id === id)?.name;
  return name != null && workspaces.filter((one) => one.name === name).length === 1 ? name : id;
}
