/**
 * Reads the versions of agents, stores the agents' drafts, and creates and publishes candidates.
 * `keep_agent_version.sql` stores a version when an agent is created or its versioned fields change, and deletes old
 * versions.
 */
import { z } from 'zod';
import { maxRunsOfVersion } from '../../../contract/conversations/limits.ts';
import {
  agentDraft,
  agentVersion,
  listedAgentVersion,
  versionedFields,
  type AgentChange,
  type AgentContent,
  type AgentDraft,
  type AgentVersionDetail,
  type ListedAgentVersion,
} from '../../../contract/conversations/agent-versions.ts';
import { actorName, identityOf, type Actor } from '../accounts/audit-log.ts';
import { decodeCursor, pageFrom, type Page, type PageQuery } from '../cursor.ts';
import { isoDate, queryRow, queryRows, statement, type Database, type Transaction } from '../database.ts';
import { contentRow } from './agent-content.ts';

export interface AgentKey {
  id: string;
  organizationId: string;
}

const createdAt = { created_at: isoDate.nullable() };
const listedVersion = listedAgentVersion.extend(createdAt);
const fullVersion = agentVersion.extend(createdAt).extend(contentRow.shape);
type ContentRow = z.infer<typeof fullVersion>;

/** SQL: whether the version `v` of the agent `a` is published, and its share if it is the candidate. */
const marks = `v.version = a.version as published,
  case when v.version = a.candidate_version then a.candidate_percent end as candidate_percent`;
const own = 'v.version, v.created_at, v.author, v.note, v.restores';
// Excludes drafts that were tried: see draft_to_try.sql.
const ofAgent = `from agents a join agent_versions v on v.agent_id = a.id and not v.is_draft
  where a.id = $1 and a.organization_id = $2 and a.deleted_at is null`;

const draftRow = agentDraft.extend({
  // A process of an earlier version of Parley may have saved the draft without approvers.
  content: contentRow
    .partial({ model: true, script: true, connections: true })
    .extend({ approvers: contentRow.shape.approvers.default([]) }),
  updated_at: isoDate,
});

/** Fields that the versions without `created_at` did not record. */
const recordedLater: readonly string[] = ['model', 'script', 'connections'];
/** SQL expressions: the name of each field that differs between the versions `p` and `v`; null if it does not. */
const differences = versionedFields.map((field) => {
  const recorded = recordedLater.includes(field)
    ? 'p.created_at is not null and v.created_at is not null and '
    : '';
  return `case when ${recorded}p.${field} is distinct from v.${field} then '${field}' end`;
});
/** SQL expression: the number of lines of the text `a` that are not among those of `b`. A moved line is in both. */
const linesOnlyIn = (a: string, b: string) =>
  `(select count(*)::integer from (select unnest(string_to_array(${a}, e'\\n')) except all
      select unnest(string_to_array(${b}, e'\\n'))) line)`;
const list = statement('list-agent-versions', listedVersion)`
  with v as (select v.*, ${marks} ${ofAgent} and v.version < $3 order by v.version desc limit $4)
  select ${own}, v.published, v.candidate_percent, before.changed,
      case when before.added + before.removed > 0
        then json_build_object('added', before.added, 'removed', before.removed) end as changed_lines, ended.last_7_days
    from v left join lateral (
        select array_remove(array[${differences.join(', ')}], null) as changed,
            ${linesOnlyIn('v.instructions', 'p.instructions')} as added,
            ${linesOnlyIn('p.instructions', 'v.instructions')} as removed
          from agent_versions p
          where p.agent_id = v.agent_id and not p.is_draft and p.version < v.version
          order by p.version desc limit 1) before on true
      cross join lateral (
        select json_build_object('answered', count(*) filter (where r.state = 'answered'),
            'failed', count(*) filter (where r.state = 'failed')) as last_7_days
          from (select r.state from runs r
              where r.agent_id = v.agent_id and r.agent_version = v.version and r.organization_id = v.organization_id
                and r.finished_at >= now() - interval '7 days'
                and not exists (select from conversations c where c.id = r.conversation_id and c.is_test)
              order by r.finished_at desc limit ${maxRunsOfVersion}) r) ended
    order by v.version desc`;

/**
 * Lists the stored versions of an agent, newest first.
 * @returns an empty page if the organization has no such agent
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listAgentVersions(
  db: Database,
  { id, organizationId }: AgentKey,
  { limit, cursor }: PageQuery,
): Promise<Page<ListedAgentVersion>> {
  const below = decodeCursor(cursor, /^\d{1,10}$/) ?? '2147483647';
  const rows = await queryRows(db, list, [id, organizationId, below, limit + 1]);
  return pageFrom(rows, limit, (row) => row.version);
}

const find = statement('find-agent-version', fullVersion)`
  select ${own}, ${marks}, ${versionedFields.map((field) => `v.${field}`).join(', ')} ${ofAgent} and v.version = $3`;
const previous = statement('previous-agent-version', z.object({ version: z.number().nullable() }))`
  select max(v.version) as version ${ofAgent} and v.version < $3`;

/**
 * Reads one version, and how it differs from another.
 * @param comparedWith default: the newest stored version before `version`; if there is none, `changes` is empty
 * @returns undefined if the organization has no such agent, or one of the two versions is not stored
 */
export async function findAgentVersion(
  db: Database,
  agent: AgentKey,
  version: number,
  comparedWith?: number,
): Promise<AgentVersionDetail | undefined> {
  const row = await versionRow(db, agent, version);
  if (row === undefined) return undefined;
  const of = [agent.id, agent.organizationId, version];
  const other = comparedWith ?? (await queryRow(db, previous, of))?.version ?? null;
  const before = other === null ? undefined : await versionRow(db, agent, other);
  if (other !== null && before === undefined) return undefined;
  const content = contentOf(row);
  return {
    ...agentVersion.parse(row),
    content,
    compared_with: other,
    changes: before === undefined ? [] : changesBetween(contentOf(before), content),
  };
}

async function versionRow(
  db: Database,
  { id, organizationId }: AgentKey,
  version: number,
): Promise<ContentRow | undefined> {
  return await queryRow(db, find, [id, organizationId, version]);
}

/** @returns the fields that both versions record and that differ, in the order in which the console shows them */
function changesBetween(before: AgentContent, after: AgentContent): AgentChange[] {
  return versionedFields.flatMap((field) => {
    const [was, is] = [before[field], after[field]];
    if (was === undefined || is === undefined || JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ field, before: was, after: is }];
  });
}

function contentOf(row: ContentRow): AgentContent {
  const content = contentRow.parse(row);
  if (row.created_at !== null) return content;
  // The fields of `recordedLater`.
  const { model: _, script: __, connections: ___, ...recorded } = content;
  return recorded;
}

const describe = statement('describe-agent-version')`
  update agent_versions set author_id = $4, author = ${actorName('$3', '$4', '$5')}, note = $6, restores = $7
    where agent_id = $1 and version = $2 and author is null`;

/**
 * Records the author and the note of a version, in the transaction that created it. Does nothing if the version has
 * an author.
 * @param about.restores the version whose content this version publishes again
 */
export async function describeVersion(
  tx: Transaction,
  actor: Actor,
  { id, version }: { id: string; version: number },
  about: { note?: string | undefined; restores?: number } = {},
): Promise<void> {
  const by = identityOf(actor);
  const { note = null, restores = null } = about;
  await queryRows(tx, describe, [id, version, actor.kind, by.id, by.name, note, restores]);
}

const draftColumns = 'base_version, author, updated_at, content';
const ofDraft = `agent_id = $1 and organization_id = $2
           and exists (select from agents a where a.id = $1 and a.organization_id = $2 and a.deleted_at is null)`;
const draft = statement('find-agent-draft', draftRow)`
  select ${draftColumns} from agent_drafts where ${ofDraft}`;

/** Finds the draft of an agent. @returns undefined if the organization has no such agent, or the agent has no draft */
export async function findDraft(
  db: Database,
  { id, organizationId }: AgentKey,
): Promise<AgentDraft | undefined> {
  return await queryRow(db, draft, [id, organizationId]);
}

/** Maximum agents in the list. Chosen: more than one organization is likely to have. */
const maxDrafts = 1000;

/** Finds at most `maxDrafts` agents of the organization that have a draft. */
export const listDrafts = statement('agents-with-drafts', z.object({ agent_id: z.string() })).rows<
  [organizationId: string]
>`
  select d.agent_id from agents a join agent_drafts d on d.agent_id = a.id
    where a.organization_id = $1 and a.deleted_at is null order by d.agent_id limit ${maxDrafts}`;

const saveIt = statement('save-agent-draft', draftRow)`
  insert into agent_drafts (agent_id, organization_id, base_version, content, author_id, author, updated_at)
    select a.id, a.organization_id, a.version, $4, $6, ${actorName('$5', '$6', '$7')}, date_trunc('milliseconds', clock_timestamp())
      from agents a left join agent_drafts d on d.agent_id = a.id
      where a.id = $1 and a.organization_id = $2 and a.deleted_at is null and a.version = $3
        and ($8::timestamptz is null or date_trunc('milliseconds', coalesce(d.updated_at, a.updated_at)) = $8)
    on conflict (agent_id) do update set base_version = excluded.base_version, content = excluded.content,
      author_id = excluded.author_id, author = excluded.author,
      updated_at = greatest(excluded.updated_at, agent_drafts.updated_at + interval '1 millisecond')
      where $8 is null or agent_drafts.updated_at = $8
    returning ${draftColumns}`;

/**
 * Saves the draft of an agent, and replaces the previous draft.
 * @param draft.base the version that must still be published
 * @param seen the `updated_at` that the draft (or the agent, if it has no draft) must still have; undefined accepts any
 * @returns undefined if the organization has no such agent, another version is published, or `seen` is no longer
 * current
 */
export async function saveDraft(
  tx: Transaction,
  actor: Actor,
  { id, organizationId }: AgentKey,
  { base, content }: { base: number; content: AgentContent },
  seen?: Date,
): Promise<AgentDraft | undefined> {
  await queryRows(tx, lockAgent, [id, organizationId]);
  const by = identityOf(actor);
  const json = JSON.stringify(content);
  const values = [id, organizationId, base, json, actor.kind, by.id, by.name, seen ?? null];
  return await queryRow(tx, saveIt, values);
}

/** Locks an agent: until the transaction ends, no other transaction changes its versions or saves its draft. */
const lockAgent = statement('lock-agent')`
  select id from agents where id = $1 and organization_id = $2 for no key update`;

const discard = statement('discard-agent-draft')`
  delete from agent_drafts where ${ofDraft}
    and ($3::timestamptz is null or updated_at = $3) returning agent_id`;

/**
 * Deletes the draft of an agent.
 * @param seen the `updated_at` that the draft must still have; undefined accepts any
 * @returns false if the organization has no such agent, the agent has no draft, or the draft was saved again since
 * `seen`
 */
export async function discardDraft(
  db: Database,
  { id, organizationId }: AgentKey,
  seen?: Date,
): Promise<boolean> {
  return (await queryRows(db, discard, [id, organizationId, seen ?? null])).length === 1;
}

const take = statement('take-agent-draft')`
  delete from agent_drafts d where d.agent_id = $1 and d.organization_id = $2 and d.updated_at = $3 and d.base_version = $4
    returning d.agent_id`;

/**
 * Deletes the draft that the caller has read, in the transaction that publishes it, so that it is published once.
 * @param published the version on which the draft must be based
 * @returns false if the draft was saved again, published or discarded since the caller read it, or is not based on
 * `published`
 */
export async function takeDraft(
  tx: Transaction,
  { id, organizationId }: AgentKey,
  { updated_at }: AgentDraft,
  published: number,
): Promise<boolean> {
  return (await queryRows(tx, take, [id, organizationId, updated_at, published])).length === 1;
}

const content = versionedFields.join(', ');
const addCandidate = statement('add-agent-candidate', z.object({ version: z.number() }))`
  with agent as (
      update agents set last_version = last_version + 1, candidate_version = last_version + 1, candidate_percent = $4
        where id = $1 and organization_id = $2 and deleted_at is null and version = $5 returning id, organization_id, last_version)
    insert into agent_versions (agent_id, version, organization_id, ${content}, bytes, created_at)
      select agent.id, agent.last_version, agent.organization_id, ${versionedFields.map((field) => `x.${field}`).join(', ')},
        octet_length(x.instructions) + octet_length(x.follow_ups::text) + coalesce(octet_length(x.script::text), 0), clock_timestamp()
        from agent, jsonb_populate_record(null::agents, $3) x
    returning version`;

/**
 * Creates a version without publishing it, and makes it the agent's candidate.
 * @param published the version that must still be published
 * @returns the new version's number; undefined if the organization has no such agent, or another version is published
 */
export async function addCandidateVersion(
  tx: Transaction,
  { id, organizationId }: AgentKey,
  content: AgentContent,
  { percent, published }: { percent: number; published: number },
): Promise<number | undefined> {
  const values = [id, organizationId, JSON.stringify(content), percent, published];
  return (await queryRow(tx, addCandidate, values))?.version;
}

const setShare = statement('set-agent-candidate', z.object({ name: z.string() }))`
  update agents a set candidate_version = case when $4 > 0 then $3::integer end, candidate_percent = nullif($4::integer, 0)
    where a.id = $1 and a.organization_id = $2 and a.deleted_at is null and a.version <> $3
      and ($4 > 0 or a.candidate_version = $3)
      and exists (select from agent_versions v where v.agent_id = a.id and v.version = $3 and v.created_at is not null)
    returning a.name`;

/**
 * Makes a stored version the candidate, with a share of new conversations in percent. With 0 percent, ends the
 * candidate: its conversations get the published version from their next run on.
 * @returns the agent's name; undefined if the organization has no such agent, or the version is published, not stored,
 * or stored incompletely by an earlier version of Parley. With 0 percent, also undefined if the version is not the
 * candidate
 */
export async function setCandidateShare(
  tx: Transaction,
  { id, organizationId }: AgentKey,
  version: number,
  percent: number,
): Promise<string | undefined> {
  await queryRows(tx, lockAgent, [id, organizationId]);
  return (await queryRow(tx, setShare, [id, organizationId, version, percent]))?.name;
}

const publish = statement('publish-agent-version', z.object({ name: z.string() }))`
  update agents a set ${versionedFields.map((field) => `${field} = v.${field}`).join(', ')}, version = v.version,
      candidate_version = null, candidate_percent = null,
      updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 millisecond')
    from agent_versions v
    where a.id = $1 and a.organization_id = $2 and a.deleted_at is null and a.candidate_version = $3
      and v.agent_id = a.id and v.version = $3
    returning a.name`;

/**
 * Publishes the candidate.
 * @returns the agent's name; undefined if the organization has no such agent, or this version is not its candidate
 */
export async function publishCandidate(
  tx: Transaction,
  { id, organizationId }: AgentKey,
  version: number,
): Promise<string | undefined> {
  return (await queryRow(tx, publish, [id, organizationId, version]))?.name;
}
