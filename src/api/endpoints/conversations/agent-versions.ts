/**
 * Endpoints for the versions of an agent: list, read and compare them, save and publish a draft, give a version a share
 * of new conversations, and publish an earlier version again.
 */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import {
  addCandidateVersion,
  describeVersion,
  discardDraft,
  findAgentVersion,
  findDraft,
  listAgentVersions as findVersions,
  listDrafts,
  publishCandidate,
  saveDraft,
  setCandidateShare,
  takeDraft,
  type AgentKey,
} from '../../../adapters/postgres/conversations/agent-versions.ts';
import { findAgent, updateAgent, type AgentRow } from '../../../adapters/postgres/conversations/agents.ts';
import { inTransaction, type Database } from '../../../adapters/postgres/database.ts';
import {
  nameRehearsals,
  underRehearsalRule,
} from '../../../adapters/postgres/rehearsals/required-rehearsals.ts';
import { noDraft } from '../../../app/conversations/accept-input.ts';
import { checkAgent } from '../../../app/conversations/check-agent.ts';
import {
  agentDraft,
  listedAgentVersion,
  agentVersionDetail,
  changeDraft,
  draftsOfAgents,
  ofAgentVersion,
  publishDraft,
  rollBack,
  setCandidate,
  unpublished,
  versionQuery,
  versionsQuery,
  type AgentVersionDetail,
} from '../../../contract/conversations/agent-versions.ts';
import type { UpdateAgent } from '../../../contract/conversations/agents.ts';
import { invalidField, orNotFound, PublicError } from '../../../contract/errors.ts';
import { agentChanges, agentTarget } from '../../../domain/conversations/agent-changes.ts';
import { pageOf } from '../../../contract/page.ts';
import { demandEach, demandTools } from '../../admit.ts';
import type { KnownCaller } from '../../caller.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { managingAgent, ofAgent, viewingAgent } from './agents.ts';

export const listAgentVersions = defineEndpoint({
  ...viewingAgent,
  request: 'GET /agents/{id}/versions',
  summary: 'List the versions of an agent',
  description:
    'Newest first. Each change of its instructions, model, script, follow-ups, transfers, right to hand over, tools, their policies, approvers, connections, temperature, output cap, reasoning effort or output schema is a version. Kept are the newest 50 of at most 4 MiB, and older ones with which a kept conversation was answered, up to 1,000 and 64 MiB.',
  query: versionsQuery,
  answers: { 200: pageOf(listedAgentVersion) },
  handle: async ({ params, query, caller }, { db }, respond) => {
    const { key } = await agentOf(db, caller, params);
    return respond(200, await findVersions(db, key, query));
  },
});

export const getAgentVersion = defineEndpoint({
  ...viewingAgent,
  request: 'GET /agents/{id}/versions/{version}',
  summary: 'Read a version of an agent, and how it differs from another',
  description: 'A version never changes. `changes` names the fields that differ, with both values.',
  params: ofAgentVersion,
  query: versionQuery,
  answers: { 200: agentVersionDetail },
  handle: async ({ params, query, caller: { organizationId } }, { db }, respond) => {
    const agent = { id: params.id, organizationId };
    return respond(200, orNotFound(await findAgentVersion(db, agent, params.version, query.compare_with)));
  },
});

export const rollBackAgent = defineEndpoint({
  ...managingAgent,
  request: 'POST /agents/{id}/rollback',
  sometimes: '`tools.manage`, if the tools or connections of an agent change',
  summary: 'Publish an earlier version of an agent again',
  description:
    'Its content becomes a new version, so that a higher number always means a later version. If the agent has that content already, nothing changes. A version whose tools, agents, connections or model no longer exist is refused. Runs in progress keep their version.',
  body: rollBack,
  answers: { 200: agentVersionDetail },
  takesIfMatch: true,
  errors: ['version_conflict'],
  handle: async ({ params, body, caller, ifMatch }, deps, respond) => {
    const { key, known } = await agentOf(deps.db, caller, params);
    const wanted = await findAgentVersion(deps.db, key, body.version, known.version);
    if (wanted === undefined) throw invalidField('version', 'is not a kept version of this agent');
    await checkContent(deps, caller, known, wanted.content);
    const published = await inTransaction(deps.db, async (tx) => {
      // Updates nothing if the agent has changed since the checks above or, with If-Match, since the caller read it.
      const row = await updateAgent(
        tx,
        key.organizationId,
        params.id,
        wanted.content,
        ifMatch ?? known.updated_at,
      );
      if (row === undefined) throw new PublicError('version_conflict');
      if (row.version !== known.version) {
        await describeVersion(tx, caller, row, { note: body.note, restores: body.version });
        await recordAudit(
          tx,
          caller,
          'agent_rolled_back',
          agentTarget(row, [`version ${row.version}`, `the content of version ${body.version}`]),
        );
      }
      return row.version;
    });
    return respond(200, await versionOf(deps.db, key, published));
  },
});

export const getAgentDraft = defineEndpoint({
  ...viewingAgent,
  request: 'GET /agents/{id}/draft',
  summary: 'Read the draft of an agent',
  description: 'Each agent has at most one. 404 if it has none.',
  answers: { 200: agentDraft },
  handle: async ({ params, caller: { organizationId } }, { db }, respond) => {
    return respond(200, orNotFound(await findDraft(db, { id: params.id, organizationId })));
  },
});

/** Returns the draft to the console; null, instead of 404, if the agent has no draft. */
export const getUnpublished = defineEndpoint({
  auth: 'session',
  capability: 'member',
  request: 'GET /agents/{id}/unpublished',
  params: ofAgent.params,
  answers: { 200: unpublished },
  handle: async ({ params, caller }, { db }, respond) => {
    const { key } = await agentOf(db, caller, params);
    return respond(200, { draft: (await findDraft(db, key)) ?? null });
  },
});

/** Returns the agents that have a draft to every member, as the list of agents shows it. */
export const listAgentDrafts = defineEndpoint({
  auth: 'session',
  capability: 'member',
  request: 'GET /agent-drafts',
  answers: { 200: draftsOfAgents },
  handle: async ({ caller }, { db }, respond) =>
    respond(200, { data: await listDrafts(db, caller.organizationId) }),
});

export const saveAgentDraft = defineEndpoint({
  ...managingAgent,
  request: 'PUT /agents/{id}/draft',
  sometimes: '`tools.manage`, if the tools or connections of an agent change',
  summary: 'Save the draft of an agent',
  description:
    'Replaces the draft by the published version with these changes. Nobody is answered with it before POST /agents/{id}/versions publishes it. `If-Match` takes the `updated_at` of the draft, or of the agent if it has none: then nothing changes if someone else has saved a draft since.',
  body: changeDraft,
  answers: { 200: agentDraft },
  takesIfMatch: true,
  errors: ['version_conflict'],
  handle: async ({ params, body: { base_version, ...body }, caller, ifMatch }, deps, respond) => {
    const { key, known } = await agentOf(deps.db, caller, params);
    if (base_version !== undefined && base_version !== known.version)
      throw new PublicError('version_conflict');
    await checkContent(deps, caller, known, body);
    const { content } = await versionOf(deps.db, key, known.version);
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const draft = { base: known.version, content: { ...content, ...given } };
    const saved = await inTransaction(deps.db, (tx) => saveDraft(tx, caller, key, draft, ifMatch));
    if (saved === undefined) throw new PublicError('version_conflict');
    return respond(200, saved);
  },
});

export const discardAgentDraft = defineEndpoint({
  ...managingAgent,
  request: 'DELETE /agents/{id}/draft',
  summary: 'Discard the draft of an agent',
  description:
    '404 if it has none. With `If-Match`, which takes the `updated_at` of the draft, nothing changes if someone else has saved it since.',
  takesIfMatch: true,
  errors: ['version_conflict'],
  handle: async ({ params, caller: { organizationId }, ifMatch }, { db }) => {
    const key = { id: params.id, organizationId };
    if (!(await discardDraft(db, key, ifMatch)))
      throw new PublicError((await findDraft(db, key)) === undefined ? 'not_found' : 'version_conflict');
  },
});

export const publishAgentDraft = defineEndpoint({
  ...managingAgent,
  request: 'POST /agents/{id}/versions',
  sometimes: '`tools.manage`, if the tools or connections of an agent change',
  summary: 'Publish the draft of an agent as a version',
  description:
    'Below 100 percent, the published version stays, and the new one becomes the candidate: that share of new conversations gets it, each for as long as it is the candidate. Without a draft, or if the agent requires a rehearsal and no rehearsal of exactly this draft has passed: 409 `invalid_state`. If the draft or the agent has changed meanwhile, `version_conflict`: save the draft again. `If-Match` takes the `updated_at` of the draft, so that nothing is published that you have not read. A candidate keeps its share if another version is published.',
  body: publishDraft,
  answers: { 200: agentVersionDetail },
  takesIfMatch: true,
  errors: ['invalid_state', 'version_conflict'],
  handle: async ({ params, body: { note, percent = 100 }, caller, ifMatch }, deps, respond) => {
    const { key, known } = await agentOf(deps.db, caller, params);
    const draft = await findDraft(deps.db, key);
    if (draft === undefined) throw noDraft();
    if (ifMatch !== undefined && ifMatch.toISOString() !== draft.updated_at)
      throw new PublicError('version_conflict');
    await checkContent(deps, caller, known, draft.content);
    const version = await inTransaction(deps.db, async (tx) => {
      const changed = await underRehearsalRule(tx, key, async () => {
        if (percent === 100)
          return await updateAgent(tx, key.organizationId, params.id, draft.content, known.updated_at);
        const share = { percent, published: known.version };
        const version = await addCandidateVersion(tx, key, draft.content, share);
        return version === undefined ? undefined : { version };
      });
      if (changed === undefined || !(await takeDraft(tx, key, draft, known.version)))
        throw new PublicError('version_conflict');
      if (changed.version !== known.version) {
        await describeVersion(tx, caller, { id: params.id, version: changed.version }, { note });
        await nameRehearsals(tx, key, changed.version);
      }
      const share = percent === 100 ? [] : [`${percent}% of new conversations`];
      const notes = [`version ${changed.version}`, ...share, ...agentChanges(known, draft.content)];
      await recordAudit(tx, caller, 'agent_published', agentTarget(known, notes));
      return changed.version;
    });
    return respond(200, await versionOf(deps.db, key, version));
  },
});

export const setAgentCandidate = defineEndpoint({
  ...managingAgent,
  request: 'PUT /agents/{id}/candidate',
  sometimes: '`tools.manage`, if the tools or connections of an agent change',
  summary: 'Give a version of an agent a share of new conversations',
  description:
    'A conversation gets the candidate or the published version when it begins, and keeps it while the agent has this candidate; tests in the console get the published one. 0 ends the candidate: its conversations continue with the published version. 100 publishes the candidate.',
  body: setCandidate,
  answers: { 200: agentVersionDetail },
  errors: ['invalid_state'],
  handle: async ({ params, body: { version, percent }, caller }, deps, respond) => {
    const { key, known } = await agentOf(deps.db, caller, params);
    const wanted = await findAgentVersion(deps.db, key, version, known.version);
    if (wanted === undefined) throw invalidField('version', 'is not a kept version of this agent');
    if (percent > 0) await checkContent(deps, caller, known, wanted.content);
    await inTransaction(deps.db, async (tx) => {
      const name =
        percent === 100
          ? await publishCandidate(tx, key, version)
          : await setCandidateShare(tx, key, version, percent);
      if (name === undefined) throw new PublicError('invalid_state', { sentence: notCandidate });
      const action = percent === 100 ? 'agent_published' : 'agent_share_changed';
      const notes = [`version ${version}`, `${percent}% of new conversations`];
      await recordAudit(tx, caller, action, agentTarget({ id: params.id, name }, notes));
    });
    return respond(200, await versionOf(deps.db, key, version));
  },
});

const notCandidate =
  'This version is published already, or it is not the candidate. Read the versions again.';

/**
 * Finds an agent of the caller's organization.
 * @returns its row, and the key by which its versions, draft, test set and rehearsals are queried
 * @throws PublicError not_found if the organization has no such agent
 */
export async function agentOf(
  db: Database,
  { organizationId }: KnownCaller,
  { id }: { id: string },
): Promise<{ key: AgentKey; known: AgentRow }> {
  const known = orNotFound(await findAgent(db, organizationId, id));
  return { key: { id, organizationId }, known };
}

/**
 * Checks that the caller may give the agent this content, and that the content is valid for the organization.
 * @throws PublicError forbidden as `demandTools` and `demandEach` do; validation_failed as `checkAgent` does
 */
async function checkContent(
  deps: Parameters<typeof checkAgent>[0],
  caller: KnownCaller,
  known: AgentRow,
  content: UpdateAgent,
): Promise<void> {
  demandTools(caller, known, content);
  demandEach(caller, content.transfers_to ?? []);
  await checkAgent(deps, caller.organizationId, content);
}

async function versionOf(db: Database, agent: AgentKey, version: number): Promise<AgentVersionDetail> {
  return orNotFound(await findAgentVersion(db, agent, version));
}
