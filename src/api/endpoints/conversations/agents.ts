/** Endpoints for agents and their API inboxes. */
import { z } from 'zod';
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { describeVersion } from '../../../adapters/postgres/conversations/agent-versions.ts';
import {
  bindInbox as bind,
  createAgent as insertAgent,
  deleteAgent as removeAgent,
  findAgent,
  findInbox,
  listAgents as findAgents,
  listDeletedAgents as findDeleted,
  missingAgents,
  restoreAgent as bringBack,
  type AgentRow,
  updateAgent as changeAgent,
} from '../../../adapters/postgres/conversations/agents.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { ruleChange, underRehearsalRule } from '../../../adapters/postgres/rehearsals/required-rehearsals.ts';
import { checkAgent } from '../../../app/conversations/check-agent.ts';
import {
  agent,
  type Agent,
  bindInbox as bindInboxBody,
  createAgent as createAgentBody,
  deletedAgent,
  inbox,
  updateAgent as updateAgentBody,
} from '../../../contract/conversations/agents.ts';
import { restoreDays } from '../../../contract/conversations/limits.ts';
import { invalidField, orNotFound, PublicError } from '../../../contract/errors.ts';
import { agentChanges, agentTarget } from '../../../domain/conversations/agent-changes.ts';
import { pageOf, pageQuery } from '../../../contract/page.ts';
import { boundAgents, demandEach, demandTools, noReach } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';

const dayMs = 24 * 60 * 60 * 1000;
const shared = { auth: 'token', tag: 'Agents' } as const;
/** Fields that operations on one agent share. */
export const ofAgent = {
  ...shared,
  agents: 'agent',
  params: z.object({ id: z.uuid().describe('Identifier of the agent') }),
} as const;
export const viewingAgent = { ...ofAgent, scope: 'agents.view' } as const;
export const managingAgent = { ...ofAgent, scope: 'agents.manage' } as const;

export const listAgents = defineEndpoint({
  ...shared,
  scope: 'agents.view',
  agents: 'list',
  request: 'GET /agents',
  summary: 'List agents',
  description: 'The agents of your organization, oldest first.',
  query: pageQuery,
  answers: { 200: pageOf(agent) },
  handle: async ({ query, caller }, { db, models }, respond) => {
    const { organizationId } = caller;
    const defaultModel = await models.defaultOf(organizationId);
    const page = await findAgents(db, organizationId, { ...query, ids: boundAgents(caller) });
    return respond(200, { ...page, data: page.data.map((row) => agentView(row, defaultModel)) });
  },
});

export const createAgent = defineEndpoint({
  ...shared,
  scope: 'agents.manage',
  agents: 'organization',
  request: 'POST /agents',
  sometimes:
    '`tools.manage`, if the tools, their policies, the approvers or the connections of an agent change',
  summary: 'Create an agent with its API inbox',
  description:
    'Only name is required. With tools, their policies, approvers or connections, a token also needs the scope tools.manage. Without a model, the agent uses the configured default. scripted/default needs no provider: it answers from the script of the agent.',
  body: createAgentBody,
  answers: { 201: agent },
  errors: ['conflict'],
  handle: async ({ body, caller }, deps, respond) => {
    demandTools(caller, noReach, body);
    await checkAgent(deps, caller.organizationId, body);
    const row = await inTransaction(deps.db, async (tx) => {
      const made = await insertAgent(tx, caller.organizationId, body);
      await describeVersion(tx, caller, made);
      await recordAudit(tx, caller, 'agent_created', agentTarget(made));
      return made;
    });
    return respond(201, agentView(row, await deps.models.defaultOf(caller.organizationId)));
  },
});

export const getAgent = defineEndpoint({
  ...viewingAgent,
  request: 'GET /agents/{id}',
  summary: 'Read an agent',
  description:
    'Settings that were never set have their default, except `script`, `grouping_max_seconds` and `grouping_max_messages`, which are then absent.',
  answers: { 200: agent },
  handle: async ({ params, caller: { organizationId } }, { db, models }, respond) => {
    const row = orNotFound(await findAgent(db, organizationId, params.id));
    return respond(200, agentView(row, await models.defaultOf(organizationId)));
  },
});

export const updateAgent = defineEndpoint({
  ...managingAgent,
  request: 'PATCH /agents/{id}',
  sometimes:
    '`tools.manage`, if the tools, their policies, the approvers or the connections of an agent change',
  summary: 'Change an agent',
  description:
    'Absent fields stay as they are. To change its tools, their policies, its approvers or its connections, a token also needs the scope tools.manage. Null resets an optional setting to its default. A change of its instructions, model, fallback model, parameters of the model, output schema, script, follow-ups, transfers, right to hand over, tools, their policies, approvers or connections is a new version, which answers from the next run on. If the agent requires a rehearsal, a new version without one is refused: 409 `invalid_state`. With `If-Match`, nothing changes if someone else has changed the agent since.',
  body: updateAgentBody,
  answers: { 200: agent },
  takesIfMatch: true,
  errors: ['conflict', 'invalid_state', 'version_conflict'],
  handle: async ({ params, body, caller, ifMatch }, deps, respond) => {
    const { organizationId } = caller;
    const known = orNotFound(await findAgent(deps.db, organizationId, params.id));
    const changesReach = demandTools(caller, known, body);
    // Without this check, a token that is bound to agents could let them transfer to any other agent.
    demandEach(caller, body.transfers_to ?? []);
    await checkAgent(deps, organizationId, body);
    // Omits the four fields below from the update if none of them changes. If they were written, a caller without
    // tools.manage could restore values that a concurrent call has just removed.
    const change = changesReach
      ? body
      : {
          ...body,
          tools: undefined,
          connections: undefined,
          tool_policies: undefined,
          approvers: undefined,
        };
    const row = await inTransaction(deps.db, async (tx) => {
      const key = { id: params.id, organizationId };
      let before = known;
      const changed = await underRehearsalRule(tx, key, async () => {
        before = orNotFound(await findAgent(tx, organizationId, params.id));
        return await changeAgent(tx, organizationId, params.id, change, ifMatch);
      });
      if (changed === undefined) return undefined;
      const isNewVersion = changed.version !== before.version;
      if (isNewVersion) await describeVersion(tx, caller, changed);
      const notes = [
        ...(isNewVersion ? [`version ${changed.version}`] : []),
        ...ruleChange(before, changed),
        ...agentChanges(before, changed),
      ];
      await recordAudit(tx, caller, 'agent_changed', agentTarget(changed, notes));
      return changed;
    });
    if (row === undefined) {
      const isGone = (await findAgent(deps.db, organizationId, params.id)) === undefined;
      throw new PublicError(isGone ? 'not_found' : 'version_conflict');
    }
    return respond(200, agentView(row, await deps.models.defaultOf(organizationId)));
  },
});

export const deleteAgent = defineEndpoint({
  ...managingAgent,
  request: 'DELETE /agents/{id}',
  summary: 'Delete an agent',
  description: `Its conversations stay readable, and messages that were already accepted are still answered. It can be restored for ${restoreDays} days.`,
  handle: async ({ params, caller }, { db }) => {
    await inTransaction(db, async (tx) => {
      if (!(await removeAgent(tx, caller.organizationId, params.id))) throw new PublicError('not_found');
      await recordAudit(tx, caller, 'agent_deleted', params.id);
    });
  },
});

export const listDeletedAgents = defineEndpoint({
  ...shared,
  scope: 'agents.view',
  agents: 'list',
  request: 'GET /deleted-agents',
  summary: 'List deleted agents',
  description: `The agents that were deleted in the last ${restoreDays} days and can be restored, in the order in which they were created.`,
  query: pageQuery,
  answers: { 200: pageOf(deletedAgent) },
  handle: async ({ query, caller }, { db }, respond) => {
    const page = await findDeleted(db, caller.organizationId, { ...query, ids: boundAgents(caller) });
    return respond(200, {
      ...page,
      data: page.data.map(({ id, name, deleted_at: at }) => ({
        id,
        name,
        deleted_at: at.toISOString(),
        restorable_until: new Date(at.getTime() + restoreDays * dayMs).toISOString(),
      })),
    });
  },
});

export const restoreAgent = defineEndpoint({
  ...managingAgent,
  request: 'POST /deleted-agents/{id}/restore',
  summary: 'Restore a deleted agent',
  description: `The agent is again as it was when it was deleted, at most ${restoreDays} days ago: its settings, versions, inbox and WhatsApp channel, and the API tokens that are bound to it. Approvals that its deletion ended stay ended. If another agent has its name: 409 \`conflict\`.`,
  answers: { 200: agent },
  errors: ['conflict'],
  handle: async ({ params, caller }, deps, respond) => {
    const row = await inTransaction(deps.db, async (tx) => {
      const restored = orNotFound(await bringBack(tx, caller.organizationId, params.id));
      await recordAudit(tx, caller, 'agent_restored', agentTarget(restored));
      return restored;
    });
    return respond(200, agentView(row, await deps.models.defaultOf(caller.organizationId)));
  },
});

export const bindInbox = defineEndpoint({
  ...shared,
  scope: 'agents.manage',
  agents: 'organization',
  request: 'PATCH /inboxes/{id}',
  summary: 'Bind an API inbox to another agent',
  description: 'That agent answers new conversations of the inbox.',
  params: z.object({ id: z.uuid().describe('Identifier of the inbox') }),
  body: bindInboxBody,
  answers: { 200: inbox },
  handle: async ({ params, body, caller }, { db }, respond) => {
    const { organizationId } = caller;
    if (!(await findInbox(db, organizationId, params.id))) throw new PublicError('not_found');
    const missing = await missingAgents(db, organizationId, [body.agent_id]);
    if (missing.length > 0) throw invalidField('agent_id', 'is not an agent of this organization');
    const row = await inTransaction(db, async (tx) => {
      const bound = orNotFound(await bind(tx, organizationId, params.id, body.agent_id));
      await recordAudit(tx, caller, 'inbox_bound', `${bound.id} to ${body.agent_id}`);
      return bound;
    });
    return respond(200, row);
  },
});

/**
 * Converts an agent's row to the API's form.
 * @param defaultModel the model of agents that do not set one
 */
function agentView(row: AgentRow, defaultModel: string): Agent {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    instructions: row.instructions,
    model: row.model ?? defaultModel,
    uses_default_model: row.model === null,
    ...(row.fallback_model !== null && { fallback_model: row.fallback_model }),
    ...(row.script && { script: row.script }),
    active: row.active,
    grouping_window_seconds: row.grouping_window_seconds,
    ...(row.grouping_max_seconds !== null && { grouping_max_seconds: row.grouping_max_seconds }),
    ...(row.grouping_max_messages !== null && { grouping_max_messages: row.grouping_max_messages }),
    input_during_run: row.input_during_run,
    follow_ups: row.follow_ups,
    transfers_to: row.transfers_to,
    may_hand_over: row.may_hand_over,
    tools: row.tools,
    tool_policies: row.tool_policies,
    approvers: row.approvers,
    ...(row.connections !== null && { connections: row.connections }),
    ...(row.model_timeout_seconds !== null && { model_timeout_seconds: row.model_timeout_seconds }),
    ...(row.temperature !== null && { temperature: row.temperature }),
    ...(row.max_output_tokens !== null && { max_output_tokens: row.max_output_tokens }),
    ...(row.reasoning_effort !== null && { reasoning_effort: row.reasoning_effort }),
    ...(row.output_schema && { output_schema: row.output_schema }),
    ...(row.credit_caps && { credit_caps: row.credit_caps }),
    ...(row.cap_message !== null && { cap_message: row.cap_message }),
    requires_rehearsal: row.requires_rehearsal,
    inbox_id: row.inbox_id,
    version: row.version,
    ...(row.candidate_version !== null &&
      row.candidate_percent !== null && {
        candidate: { version: row.candidate_version, percent: row.candidate_percent },
      }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
