/**
 * Exports the data of an organization or of one contact as JSON lines. Reads contacts and conversations in pages, and
 * one file at a time.
 */
import { z } from 'zod';
import type { Conversation } from '../../../contract/conversations/conversations.ts';
import { stringify } from '../../../contract/text.ts';
import { allRows, beforeEveryId } from '../cursor.ts';
import {
  idRow,
  inTransaction,
  queryIds,
  queryRow,
  queryRows,
  statement,
  type Database,
} from '../database.ts';
import { recordAudit, type Actor } from '../accounts/audit-log.ts';
import { createFileLinks } from '../../secrets/file-links.ts';
import { listDeliveries } from '../conversations/deliveries.ts';
import { findConversation, listConversations, listMessages } from '../conversations/history.ts';

/**
 * Runs a query in the scope of the exported organization. The API needs this, because it reads the lines after the
 * handler has returned and the handler's scope has ended.
 */
export type Ask = <T>(query: () => Promise<T>) => Promise<T>;

export interface ExportPlan {
  organizationId: string;
  /** If set, only the data of this contact is exported; otherwise, the data of the whole organization. */
  contactId?: string | undefined;
}

const rowsAtOnce = 100;
/** Maximum tool results that one query reads. Chosen: small, because each may contain a whole page of a workspace. */
const resultsAtOnce = 5;

/** Rows whose columns the export writes as they are. */
const columns = z.looseObject({});
const exported = z.looseObject({ id: z.string() });

/** Finds the contact's conversations and their trials, because a trial contains copies of the contact's messages. */
const conversationsOf = statement('export-conversations-of-contact', idRow)`
  with own as (select id from conversations_of_contact($1, $2) as id)
    select id from (
      select id from own union select t.id from own join conversations t on t.tries_conversation = own.id) found
    where id > $3 order by id limit $4`;
const contacts = statement('export-contacts', exported)`
  select k.id, k.agent_id, k.contact_id, k.phone, k.lid, k.created_at from channel_contacts k
    join channels h on h.agent_id = k.agent_id
    where h.organization_id = $1 and ($2::text is null or k.id = any((select contact_rows($1, $2))::uuid[])) and k.id > $3
    order by k.id limit $4`;
const agents = statement('export-agents', exported)`
  select id, name, version, candidate_version, candidate_percent, description, instructions, model, fallback_model, script, active, follow_ups, transfers_to, may_hand_over, tools, tool_policies, approvers, connections, temperature, max_output_tokens, reasoning_effort, output_schema, requires_rehearsal, created_at, deleted_at
    from agents where organization_id = $1 order by id`;
const agentVersions = statement('export-agent-versions', columns)`
  select agent_id, version, note, author, restores, created_at, replaced_at, instructions, model, fallback_model, script, follow_ups, transfers_to, may_hand_over, tools, tool_policies, approvers, connections, temperature, max_output_tokens, reasoning_effort, output_schema
    from agent_versions where agent_id = $1 order by version`;
const rehearsals = statement('export-rehearsals', columns)`
  select id, agent_id, status, version, content, model, source, runs_read_only_tools, checks, turns, author, error, created_at, finished_at
    from rehearsals where agent_id = $1 order by id`;
const rehearsedTurns = statement('export-rehearsed-turns', columns)`
  select t.rehearsal_id, t.position, t.run_id, t.outcome, t.diverged, t.passed, t.rehearsed, t.recorded_credits, t.recorded_ms, t.credits, t.model_calls, t.model_ms, t.asked_at
    from runs r join rehearsal_turns t on t.run_id = r.id where r.conversation_id = $1
    order by r.ordinal, t.rehearsal_id, t.position offset $2 limit $3`;
const testTurns = statement('export-test-turns', columns)`
  select t.agent_id, t.run_id, t.author, t.created_at from runs r join test_turns t on t.run_id = r.id
    where r.conversation_id = $1 order by r.ordinal, t.agent_id`;
const toolCalls = statement('export-tool-calls', columns)`
  select t.run_id, t.step, t.position, s.agent_id, s.agent_version, t.name, t.input, t.status, t.result, t.started_at, t.finished_at,
      (select to_jsonb(p) - '{organization_id,conversation_id,agent_id,run_id,step,position,tool,code}'::text[]
           || case when p.code is null then '{}' else jsonb_build_object('asked', (
             select jsonb_agg(to_jsonb(m) - '{approval_id,position,number}'::text[] order by m.position) from approval_messages m where m.approval_id = p.id)) end
         from approvals p
         where p.run_id = t.run_id and p.step = t.step and p.position = t.position) as approval
    from runs r join tool_calls t on t.run_id = r.id left join run_steps s on s.run_id = t.run_id and s.step = t.step where r.conversation_id = $1
    order by r.ordinal, t.step, t.position offset $2 limit $3`;
const toolRuns = statement('export-tool-runs', exported)`
  select id, action, input, status, data, error, created_at, finished_at from tool_executions
    where conversation_id = $1 and id > $2 order by id limit $3`;
const notes = statement('export-notes', exported)`
  select id, author_name as author, text, created_at from conversation_notes where conversation_id = $1 and id > $2 order by id limit $3`;
const file = statement('export-attachment', z.looseObject({ content: z.instanceof(Buffer).nullable() }))`
  select id, message_id, filename, content_type, size, url, gateway_message_id, content, error from attachments where id = $1`;

/** Makes no links to files: the export contains the files themselves. */
const noLinks = createFileLinks(undefined, '');

/** True if the organization has data of the contact: a conversation, or a contact row in one of its channels. */
export async function isContactKnown(
  db: Database,
  organizationId: string,
  contactId: string,
): Promise<boolean> {
  const of = [organizationId, contactId, beforeEveryId, 1];
  return (await queryRows(db, contacts, of)).length + (await queryRows(db, conversationsOf, of)).length > 0;
}

/**
 * Writes the audit event of an export. Must be called before the export begins. The event names a contact only by ids
 * of the contact's conversations, because the audit log remains after the contact is erased. The event has at most 7
 * ids, because `recordAudit` stores 300 characters of a target.
 */
export async function recordExport(
  db: Database,
  actor: Actor,
  { organizationId, contactId }: ExportPlan,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    let target = 'all data';
    if (contactId !== undefined) {
      const ids = await queryIds(tx, conversationsOf, [organizationId, contactId, beforeEveryId, 7]);
      target = `conversations ${ids.join(', ') || 'none'}`;
    }
    await recordAudit(tx, { ...actor, organizationId }, 'data_exported', target);
  });
}

/**
 * Yields the lines of the export, each with a newline. The last line is `{"type":"end","lines":…}` with the number of
 * the lines before it. An export without this line is incomplete.
 */
export async function* exportLines(db: Database, ask: Ask, plan: ExportPlan): AsyncGenerator<string> {
  let lines = 0;
  const line = (type: string, content: object): string => {
    lines += 1;
    return `${stringify({ type, ...content })}\n`;
  };
  const { organizationId, contactId } = plan;
  if (contactId === undefined) {
    for (const agent of await ask(() => queryRows(db, agents, [organizationId]))) {
      yield line('agent', agent);
      for (const version of await ask(() => queryRows(db, agentVersions, [agent.id])))
        yield line('agent_version', version);
      for (const rehearsal of await ask(() => queryRows(db, rehearsals, [agent.id])))
        yield line('rehearsal', rehearsal);
    }
  }
  const known = byId(ask, (after) =>
    queryRows(db, contacts, [organizationId, contactId ?? null, after, rowsAtOnce]),
  );
  for await (const contact of known) yield line('contact', contact);
  const conversations =
    contactId === undefined
      ? pages(ask, (cursor) => listConversations(db, organizationId, { limit: rowsAtOnce, cursor }))
      : conversationsOfContact(db, ask, organizationId, contactId);
  for await (const conversation of conversations) {
    yield line('conversation', conversation);
    for await (const [type, content] of ofConversation(db, ask, organizationId, conversation.id))
      yield line(type, content);
  }
  yield `${JSON.stringify({ type: 'end', lines })}\n`;
}

async function* ofConversation(
  db: Database,
  ask: Ask,
  organizationId: string,
  id: string,
): AsyncGenerator<[type: string, content: object]> {
  const messages = pages(ask, (cursor) =>
    listMessages(db, id, { limit: rowsAtOnce, cursor, order: 'asc' }, noLinks),
  );
  for await (const message of messages) {
    yield ['message', message];
    for (const attachment of message.attachments) {
      const row = await ask(() => queryRow(db, file, [attachment.id]));
      if (row === undefined) continue;
      const { content, ...rest } = row;
      yield ['attachment', { ...rest, content_base64: content?.toString('base64') ?? null }];
    }
  }
  for (let offset = 0, more = true; more; offset += resultsAtOnce) {
    const rows = await ask(() => queryRows(db, toolCalls, [id, offset, resultsAtOnce]));
    for (const row of rows) yield ['tool_call', { conversation_id: id, ...row }];
    more = rows.length === resultsAtOnce;
  }
  for (const row of await ask(() => queryRows(db, testTurns, [id])))
    yield ['test_turn', { conversation_id: id, ...row }];
  for (let offset = 0, more = true; more; offset += resultsAtOnce) {
    const rows = await ask(() => queryRows(db, rehearsedTurns, [id, offset, resultsAtOnce]));
    for (const row of rows) yield ['rehearsal_turn', { conversation_id: id, ...row }];
    more = rows.length === resultsAtOnce;
  }
  const runs = byId(ask, (after) => queryRows(db, toolRuns, [id, after, resultsAtOnce]));
  for await (const run of runs) yield ['tool_run', { conversation_id: id, ...run }];
  const written = byId(ask, (after) => queryRows(db, notes, [id, after, rowsAtOnce]));
  for await (const note of written) yield ['note', { conversation_id: id, ...note }];
  const deliveries = pages(ask, (cursor) =>
    listDeliveries(db, organizationId, { limit: rowsAtOnce, cursor, conversation_id: id }),
  );
  for await (const delivery of deliveries) yield ['delivery', delivery];
}

async function* conversationsOfContact(
  db: Database,
  ask: Ask,
  organizationId: string,
  contactId: string,
): AsyncGenerator<Conversation> {
  const ids = byId(ask, (after) =>
    queryRows(db, conversationsOf, [organizationId, contactId, after, rowsAtOnce]),
  );
  for await (const { id } of ids) {
    const conversation = await ask(() => findConversation(db, organizationId, id));
    if (conversation !== undefined) yield conversation;
  }
}

const pages = <T>(ask: Ask, page: Parameters<typeof allRows<T>>[0]) =>
  allRows((cursor) => ask(() => page(cursor)));

async function* byId<T extends { id: string }>(
  ask: Ask,
  rowsAfter: (id: string) => Promise<T[]>,
): AsyncGenerator<T> {
  let last: string | undefined = beforeEveryId;
  while (last !== undefined) {
    const after = last;
    const rows: T[] = await ask(() => rowsAfter(after));
    yield* rows;
    last = rows.at(-1)?.id;
  }
}
