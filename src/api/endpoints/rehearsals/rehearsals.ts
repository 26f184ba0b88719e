/** Endpoints for rehearsals: start, list, read, cancel and resume. */
import { v7 as newId } from 'uuid';
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { findAgentVersion, type AgentKey } from '../../../adapters/postgres/conversations/agent-versions.ts';
import { inTransaction, type Database } from '../../../adapters/postgres/database.ts';
import {
  cancelRehearsal as cancel,
  findRehearsal,
  listRehearsals as findRehearsals,
  listRehearsalTurns as findTurns,
  resumeRehearsal as resume,
  startRehearsal as start,
} from '../../../adapters/postgres/rehearsals/rehearsals.ts';
import { invalidField, orNotFound, PublicError } from '../../../contract/errors.ts';
import { pageOf } from '../../../contract/page.ts';
import {
  maxRunning,
  maxTurns,
  ofRehearsal,
  rehearsal,
  rehearsalsQuery,
  rehearsalTurn,
  rehearsalTurnsQuery,
  startRehearsal as startForm,
  type Rehearsal,
  type RehearsalChecks,
  type StartRehearsal,
} from '../../../contract/rehearsals/rehearsals.ts';
import { agentTarget } from '../../../domain/conversations/agent-changes.ts';
import { schemaProblems } from '../../../domain/http-tools/tool-schema.ts';
import type { KnownCaller } from '../../caller.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { agentOf } from '../conversations/agent-versions.ts';
import { ofAgent } from '../conversations/agents.ts';

const tag = 'Rehearsals';
const changing = {
  auth: 'token',
  scope: 'agents.manage',
  also: 'conversations.view',
  agents: 'agent',
  tag,
} as const;
const reading = { auth: 'token', scope: 'conversations.view', agents: 'agent', tag } as const;

const defaultTurns = 100;

export const startRehearsal = defineEndpoint({
  ...changing,
  request: 'POST /agents/{id}/rehearsals',
  summary: 'Rehearse an agent',
  description: `Asks recorded turns again, with a draft, another version or another model, and reports how the answers differ. Nothing is sent: a tool call with the recorded arguments gets the recorded result, and no tool that may change data is called. Its model calls cost credits. At most ${maxRunning} rehearsals of an organization run at once: a further one gets 409 \`invalid_state\`.`,
  ...ofAgent,
  body: startForm,
  answers: { 202: rehearsal },
  errors: ['invalid_state'],
  handle: async ({ params, body, caller }, deps, respond) => {
    const { key, known } = await agentOf(deps.db, caller, params);
    const { source = 'recent', run_read_only_tools = false } = body;
    const version = body.version === 'draft' ? null : (body.version ?? known.version);
    if (version !== null && (await findAgentVersion(deps.db, key, version)) === undefined)
      throw invalidField('version', 'is not a kept version of this agent');
    await checkModels(deps, key.organizationId, body);
    const { rules = [], accepts = ['same', 'other_text'], judge = null } = body;
    checkRules(rules);
    const id = newId();
    await inTransaction(deps.db, async (tx) => {
      const turns = await start(tx, caller, key, {
        id,
        version,
        source,
        model: body.model ?? null,
        runsReadOnlyTools: run_read_only_tools,
        maxTurns: body.max_turns ?? (source === 'recent' ? defaultTurns : maxTurns),
        checks: { rules, accepts, judge },
      });
      if (typeof turns !== 'number') throw refusal(turns, source);
      await recordAudit(tx, caller, 'rehearsal_started', agentTarget(known, [`${turns} turns`, id]));
    });
    await startWorkflow(deps, { ...key, rehearsalId: id });
    return respond(202, await rehearsalOf(deps.db, key, id));
  },
});

/** Checks that the organization can use the models of the rehearsal. @throws PublicError validation_failed if not */
async function checkModels(
  { db, models }: ApiDeps,
  organizationId: string,
  { model, judge }: StartRehearsal,
): Promise<void> {
  const named = [
    ['model', model],
    ['judge.model', judge?.model],
  ] as const;
  for (const [field, id] of named) {
    const problem = id === undefined ? undefined : await models.problemOf(db, organizationId, id);
    if (problem !== undefined) throw invalidField(field, problem);
  }
}

/** Checks the JSON schemas of the rules. @throws PublicError validation_failed for the first invalid schema */
function checkRules(rules: RehearsalChecks['rules']): void {
  for (const [index, rule] of rules.entries()) {
    const [problem] = rule.kind === 'json_schema' ? schemaProblems(rule.schema) : [];
    if (problem === undefined) continue;
    const path = [`rules.${index}.schema`, problem.path].filter((part) => part !== '').join('.');
    throw invalidField(path, problem.message);
  }
}

function refusal(why: 'busy' | 'gone' | 'empty', source: Rehearsal['source']): PublicError {
  if (why === 'busy') return busy();
  if (why === 'gone')
    return new PublicError('invalid_state', { sentence: 'The agent has no draft. Save one first.' });
  const sentence =
    source === 'recent'
      ? 'The agent has answered no message yet, so that there is no turn to rehearse.'
      : 'The test set of the agent has no turns. Add some from its conversations.';
  return new PublicError('invalid_state', { sentence });
}

const busy = () =>
  new PublicError('invalid_state', {
    sentence: `${maxRunning} rehearsals of your organization are running. Wait for one, or cancel it.`,
  });

/** Starts a rehearsal's workflow. Never throws: if the start fails, logs a warning, and recovery starts it later. */
async function startWorkflow(
  { rehearsals, log }: ApiDeps,
  { id, organizationId, rehearsalId }: AgentKey & { rehearsalId: string },
): Promise<void> {
  await rehearsals.start({ id: rehearsalId, organizationId, agentId: id }).catch((err: unknown) => {
    log.warn({ rehearsal_id: rehearsalId, err }, 'a rehearsal could not be started; recovery starts it');
  });
}

export const listRehearsals = defineEndpoint({
  ...reading,
  request: 'GET /agents/{id}/rehearsals',
  summary: 'List the rehearsals of an agent',
  description: 'Newest first. The newest 50 are kept, for 90 days.',
  ...ofAgent,
  query: rehearsalsQuery,
  answers: { 200: pageOf(rehearsal) },
  handle: async ({ params, query, caller }, { db }, respond) => {
    const { key } = await agentOf(db, caller, params);
    return respond(200, await findRehearsals(db, key, query));
  },
});

export const getRehearsal = defineEndpoint({
  ...reading,
  request: 'GET /agents/{id}/rehearsals/{rehearsalId}',
  summary: 'Read a rehearsal',
  description:
    'With its progress: how many turns have which outcome, what they cost, and how long they took.',
  params: ofRehearsal,
  answers: { 200: rehearsal },
  handle: async ({ params, caller: { organizationId } }, { db }, respond) =>
    respond(200, await rehearsalOf(db, { id: params.id, organizationId }, params.rehearsalId)),
});

export const listRehearsalTurns = defineEndpoint({
  ...reading,
  request: 'GET /agents/{id}/rehearsals/{rehearsalId}/turns',
  summary: 'List the turns of a rehearsal',
  description:
    'In the order in which they were recorded, each with what the agent did then and now. Texts have at most 20,000 characters, arguments 2,000, a turn 20 calls.',
  params: ofRehearsal,
  query: rehearsalTurnsQuery,
  answers: { 200: pageOf(rehearsalTurn) },
  handle: async ({ params, query, caller: { organizationId } }, { db }, respond) => {
    const key = { id: params.id, organizationId };
    const page = await findTurns(db, key, params.rehearsalId, {
      ...query,
      passed: query.passed === undefined ? undefined : query.passed === 'true',
    });
    await rehearsalOf(db, key, params.rehearsalId);
    return respond(200, page);
  },
});

export const cancelRehearsal = defineEndpoint({
  ...changing,
  request: 'POST /agents/{id}/rehearsals/{rehearsalId}/cancel',
  summary: 'Cancel a rehearsal',
  description:
    'Turns that have an outcome keep it. The model calls in progress are aborted. If it has ended: 409 `invalid_state`.',
  params: ofRehearsal,
  answers: { 200: rehearsal },
  errors: ['invalid_state'],
  handle: async ({ params, caller }, { db, rehearsals, log }, respond) => {
    const { key, id, name } = await rehearsalToChange(db, caller, params);
    await inTransaction(db, async (tx) => {
      if (!(await cancel(tx, key, id)))
        throw new PublicError('invalid_state', { sentence: 'The rehearsal has ended already.' });
      await recordAudit(tx, caller, 'rehearsal_cancelled', agentTarget({ id: key.id, name }, [id]));
    });
    // If this call fails, the rehearsal still ends, because each activity of its workflow reads the row first.
    await rehearsals.cancel(id).catch((err: unknown) => {
      log.warn({ rehearsal_id: id, err }, 'the workflow of a cancelled rehearsal could not be reached');
    });
    return respond(200, await rehearsalOf(db, key, id));
  },
});

export const resumeRehearsal = defineEndpoint({
  ...changing,
  request: 'POST /agents/{id}/rehearsals/{rehearsalId}/resume',
  summary: 'Resume a rehearsal',
  description:
    'Asks the turns again that a cancelled or failed rehearsal has not asked, and those that failed. If there are none, or it runs: 409 `invalid_state`.',
  params: ofRehearsal,
  answers: { 202: rehearsal },
  errors: ['invalid_state'],
  handle: async ({ params, caller }, deps, respond) => {
    const { key, id, name } = await rehearsalToChange(deps.db, caller, params);
    await inTransaction(deps.db, async (tx) => {
      const resumed = await resume(tx, key, id);
      if (resumed === 'busy') throw busy();
      if (!resumed)
        throw new PublicError('invalid_state', {
          sentence: 'The rehearsal runs, or has no turn left to ask.',
        });
      await recordAudit(tx, caller, 'rehearsal_started', agentTarget({ id: key.id, name }, ['resumed', id]));
    });
    await startWorkflow(deps, { ...key, rehearsalId: id });
    return respond(202, await rehearsalOf(deps.db, key, id));
  },
});

/**
 * Finds the rehearsal that the path names.
 * @returns its id, and its agent's key and name
 * @throws PublicError not_found if the agent or the rehearsal does not exist
 */
async function rehearsalToChange(
  db: Database,
  caller: KnownCaller,
  params: { id: string; rehearsalId: string },
): Promise<{ key: AgentKey; id: string; name: string }> {
  const { key, known } = await agentOf(db, caller, params);
  const { id } = await rehearsalOf(db, key, params.rehearsalId);
  return { key, id, name: known.name };
}

async function rehearsalOf(db: Database, agent: AgentKey, id: string): Promise<Rehearsal> {
  return orNotFound(await findRehearsal(db, agent, id));
}
