/**
 * Reads the newest entries of a conversation: runs with their messages, steps, model failures and deliveries, and
 * messages that no run answers.
 */
import { z } from 'zod';
import type { ArgumentSchemas } from '../../../contract/conversations/approvals.ts';
import {
  timelineRun,
  type CallApproval,
  type TimelineEntry,
  type TimelineRun,
} from '../../../contract/conversations/timeline.ts';
import { dailyLink, type FileLinks } from '../../secrets/file-links.ts';
import { queryRows, statement, storedJson, type Database } from '../database.ts';
import { findArgumentSchemas, schemasOfCall } from './argument-schemas.ts';
import { deliveriesBy } from './delivery-views.ts';
import { editsFrom, keptEdits, versionOfMessage } from './history.ts';

const entriesAtOnce = 40;
/**
 * Maximum bytes of one page: message texts with their edits and earlier turns, tool arguments and tool results. A
 * larger entry gets a page of its own. Chosen.
 */
const pageBytes = 4 * 1024 * 1024;
/**
 * Maximum characters of each text in an entry that is larger than a page. Chosen so that the texts of a run with 1000
 * inputs, the maximum, fit into a page.
 */
const cutChars = 1000;

const { steps: stepsOfRun, messages: messagesOfRun, model_failures: failuresOfRun } = timelineRun.shape;
const { element: step } = stepsOfRun;
type Step = z.infer<typeof step>;
const { element: timelineMessage } = messagesOfRun;
type TimelineMessage = z.infer<typeof timelineMessage>;

const runRow = timelineRun
  .pick({
    id: true,
    ordinal: true,
    mode: true,
    state: true,
    agent_name: true,
    error: true,
    follow_up_attempt: true,
  })
  .extend({
    opened_at: z.date(),
    closes_at: z.date(),
    finished_at: z.date().nullable(),
  });
type RunRow = z.infer<typeof runRow>;

const messageRow = timelineMessage.omit({ at: true, replaced: true }).extend({
  run_id: z.string().nullable(),
  run_ordinal: z.number(),
  created_at: z.date(),
  replaced_by: z.string().nullable(),
  edits: keptEdits,
  earlier_turns: timelineMessage.shape.earlier_turns.nullable(),
  attachments: z.array(z.object({ id: z.string(), name: z.string(), kept: z.boolean() })).nullable(),
});
type MessageRow = z.infer<typeof messageRow>;

const stepRow = step.omit({ at: true, tools: true }).extend({ run_id: z.string(), created_at: z.date() });

const approval = step.shape.tools.element.shape.approval.unwrap();
const callRow = step.shape.tools.element.pick({ name: true, status: true, result: true }).extend({
  run_id: z.string(),
  step: z.number(),
  input: storedJson,
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
  /** Null, like all columns below, if the call needs no approval. */
  approval_id: z.string().nullable(),
  approval_status: approval.shape.status.nullable(),
  requested_at: z.date().nullable(),
  expires_at: z.date().nullable(),
  on_expiry: approval.shape.on_expiry.nullable(),
  decided_at: z.date().nullable(),
  decided_by: z.string().nullable(),
  note: z.string().nullable(),
  approval_organization_id: z.string().nullable(),
});
type CallRow = z.infer<typeof callRow>;

const failureRow = failuresOfRun.element.omit({ at: true, error: true }).extend({
  run_id: z.string(),
  last_error: z.string(),
  last_at: z.date(),
});

const runs = statement('timeline-runs', runRow)`
  select r.*, a.name as agent_name from runs r left join agents a on a.id = r.agent_id
    where r.conversation_id = $1 and r.ordinal < $2 and r.ordinal >= $4 order by r.ordinal desc limit $3`;
const messageColumns = `
  select m.id, m.run_id, m.run_ordinal, m.origin, m.created_at, m.agent_name, ${versionOfMessage} as agent_version,
      exists (select from run_steps s where s.run_id = m.run_id and s.message_id = m.id and s.of_draft) as of_draft,
    m.model, m.credits_used, m.pre_transfer, m.replaced_by, m.truncated, m.unanswered, case when $3::integer is null then m.edits end as edits,
    case when $3::integer is null then m.earlier_turns end as earlier_turns,
    case when char_length(m.text) > $3::integer then left(m.text, $3::integer) || '…' else m.text end as text, (select json_agg(json_build_object('id', f.id, 'name', coalesce(f.filename, f.content_type, 'file'),
      'kept', f.state = 'stored') order by f.position) from attachments f where f.message_id = m.id) as attachments
    from messages m`;
const messages = statement('timeline-messages', messageRow)`
  ${messageColumns} where m.conversation_id = $1 and m.run_ordinal = any($2) order by m.seq`;
const ordinalsWithoutRun = statement('timeline-ordinals-without-run', z.object({ ordinal: z.number() }))`
  select m.run_ordinal as ordinal from messages m where m.conversation_id = $1 and m.run_id is null and m.run_ordinal < $2
    and m.run_ordinal >= $4 order by m.run_ordinal desc limit $3`;
const sizes = statement('timeline-sizes', z.object({ ordinal: z.number(), bytes: z.number() }))`
  select m.run_ordinal as ordinal, sum(octet_length(m.text) + coalesce(pg_column_size(m.edits), 0)
      + coalesce(octet_length(m.earlier_turns::text), 0))::double precision as bytes
    from messages m where m.conversation_id = $1 and m.run_ordinal = any($2) group by 1`;
const callSizes = statement('timeline-call-sizes', z.object({ run_id: z.string(), bytes: z.number() }))`
  select run_id, sum(coalesce(octet_length(result), 0) + pg_column_size(input))::double precision as bytes
    from tool_calls where run_id = any($1) group by 1`;
const steps = statement('timeline-steps', stepRow)`
  select s.run_id, s.step, s.kind, s.model, s.created_at, a.name as agent_name
    from run_steps s join agents a on a.id = s.agent_id where s.run_id = any($1) order by s.step`;
const toolCalls = statement('timeline-tool-calls', callRow)`
  select t.run_id, t.step, t.name, t.status, t.started_at, t.finished_at,
    case when pg_column_size(t.input) > $2::integer then '"…"' else t.input end as input,
    case when char_length(t.result) > $2::integer then left(t.result, $2::integer) || '…' else t.result end as result,
    p.id as approval_id, p.status as approval_status, p.requested_at, p.expires_at, p.on_expiry, p.decided_at,
    case when p.decided_by_kind = 'system' then 'Parley' else p.decided_by || coalesce(' (' || p.decided_by_phone || ')', '') end as decided_by, p.note,
    p.organization_id as approval_organization_id
    from tool_calls t left join approvals p on p.run_id = t.run_id and p.step = t.step and p.position = t.position
    where t.run_id = any($1) order by t.step, t.position`;

const failures = statement('timeline-model-failures', failureRow)`
  select run_id, step, count, last_error, provider_message, last_at
    from model_failures where run_id = any($1) order by step`;

/**
 * Reads the newest entries whose ordinal is below `before` and at least `since`: at most entriesAtOnce, or fewer if
 * they would exceed pageBytes. If the newest entry alone exceeds pageBytes, returns only this entry: cuts its texts and
 * tool results to cutChars, replaces its long tool arguments with `…`, and omits all of its edits and earlier turns.
 * @returns the entries, oldest first; `older` is true if the range contains older entries
 */
export async function timelineEntries(
  db: Database,
  conversationId: string,
  links: FileLinks,
  { before = 2_147_483_647, since = 0 }: { before?: number | undefined; since?: number | undefined },
): Promise<{ entries: TimelineEntry[]; older: boolean }> {
  const range = [conversationId, before, entriesAtOnce + 1, since];
  const [newest, alone] = await Promise.all([
    queryRows(db, runs, range),
    queryRows(db, ordinalsWithoutRun, range),
  ]);
  const ordinals = [...newest, ...alone].map(({ ordinal }) => ordinal).sort((a, b) => b - a);
  const bytes = await bytesOf(db, conversationId, ordinals.slice(0, entriesAtOnce), newest);
  let total = 0;
  const fitting = ordinals.slice(0, entriesAtOnce).filter((ordinal, index) => {
    total += bytes(ordinal);
    return index === 0 || total <= pageBytes;
  });
  const first = fitting.at(-1) ?? 0;
  const cut = fitting.length === 1 && bytes(first) > pageBytes ? cutChars : null;
  const isShown = ({ ordinal }: { ordinal: number }) => ordinal >= first;
  const [shown, shownAlone] = await Promise.all([
    runsFrom(db, conversationId, links, newest.filter(isShown), cut),
    messagesFrom(db, conversationId, links, alone.filter(isShown), cut),
  ]);
  return {
    entries: [...shown, ...shownAlone].sort((a, b) => a.ordinal - b.ordinal),
    older: ordinals.length > fitting.length,
  };
}

/** @returns a function that returns the bytes of the entry with the given ordinal, as pageBytes counts them */
async function bytesOf(
  db: Database,
  conversationId: string,
  ordinals: readonly number[],
  runsOfPage: readonly RunRow[],
): Promise<(ordinal: number) => number> {
  const [texts, calls] = await Promise.all([
    queryRows(db, sizes, [conversationId, ordinals]),
    queryRows(db, callSizes, [runsOfPage.map(({ id }) => id)]),
  ]);
  const bytes = new Map(texts.map((row) => [row.ordinal, row.bytes]));
  const ofCalls = new Map(calls.map((row) => [row.run_id, row.bytes]));
  for (const { id, ordinal } of runsOfPage)
    bytes.set(ordinal, (bytes.get(ordinal) ?? 0) + (ofCalls.get(id) ?? 0));
  return (ordinal) => bytes.get(ordinal) ?? 0;
}

async function messagesFrom(
  db: Database,
  conversationId: string,
  links: FileLinks,
  alone: { ordinal: number }[],
  cut: number | null,
): Promise<Extract<TimelineEntry, { kind: 'message' }>[]> {
  const ordinals = alone.map(({ ordinal }) => ordinal);
  const rows = await queryRows(db, messages, [conversationId, ordinals, cut]);
  const ids = rows.map(({ id }) => id);
  const deliveries = await deliveriesBy(db, 'message_id', ids);
  return rows.map((row) => ({
    kind: 'message',
    id: row.id,
    ordinal: row.run_ordinal,
    opened_at: row.created_at.toISOString(),
    messages: [messageFrom(row, links)],
    deliveries: deliveries.get(row.id) ?? [],
  }));
}

async function runsFrom(
  db: Database,
  conversationId: string,
  links: FileLinks,
  shown: RunRow[],
  cut: number | null,
): Promise<TimelineRun[]> {
  const ids = shown.map(({ id }) => id);
  const [said, done, called, failed, deliveries] = await Promise.all([
    queryRows(db, messages, [conversationId, shown.map(({ ordinal }) => ordinal), cut]),
    queryRows(db, steps, [ids]),
    queryRows(db, toolCalls, [ids, cut]),
    queryRows(db, failures, [ids]),
    deliveriesBy(db, 'run_id', ids),
  ]);
  const asked = called.filter(({ approval_id }) => approval_id !== null);
  const organizationId = asked[0]?.approval_organization_id ?? '';
  const schemas = await findArgumentSchemas(
    db,
    organizationId,
    asked.map(({ name }) => name),
  );
  const messagesOf = Map.groupBy(said, (row) => row.run_id);
  const stepsOf = Map.groupBy(done, (row) => row.run_id);
  const failuresOf = Map.groupBy(failed, (row) => row.run_id);
  const callsOf = Map.groupBy(called, (row) => `${row.run_id} ${row.step}`);
  return shown.map(({ opened_at, closes_at, finished_at, ...run }) => ({
    kind: 'run',
    ...run,
    opened_at: opened_at.toISOString(),
    closes_at: closes_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    messages: (messagesOf.get(run.id) ?? []).map((row) => messageFrom(row, links)),
    steps: (stepsOf.get(run.id) ?? []).map(({ run_id, created_at, ...row }) => ({
      ...row,
      at: created_at.toISOString(),
      tools: (callsOf.get(`${run_id} ${row.step}`) ?? []).map((row) => callFrom(row, schemas.get(row.name))),
    })),
    model_failures: (failuresOf.get(run.id) ?? []).map(({ run_id: _, last_error, last_at, ...row }) => ({
      ...row,
      error: last_error,
      at: last_at.toISOString(),
    })),
    deliveries: deliveries.get(run.id) ?? [],
  }));
}

function messageFrom(row: MessageRow, links: FileLinks): TimelineMessage {
  const { run_id: _, run_ordinal: __, created_at, replaced_by, edits, ...message } = row;
  return {
    ...message,
    edits: editsFrom(edits),
    earlier_turns: message.earlier_turns ?? [],
    replaced: replaced_by !== null,
    at: created_at.toISOString(),
    attachments: (message.attachments ?? []).map(({ name, ...file }) => ({
      name,
      ...dailyLink(links, file),
    })),
  };
}

function callFrom(row: CallRow, schemas: ArgumentSchemas | undefined): Step['tools'][number] {
  return {
    name: row.name,
    input: row.input,
    status: row.status,
    result: row.result,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    approval: approvalFrom(row, schemas),
  };
}

function approvalFrom(row: CallRow, schemas: ArgumentSchemas | undefined): CallApproval | null {
  const { approval_id: id, approval_status: status, on_expiry, decided_by, note } = row;
  const { requested_at, expires_at } = row;
  if (id === null || status === null || on_expiry === null || requested_at === null || expires_at === null)
    return null;
  return {
    id,
    status,
    on_expiry,
    decided_by,
    note,
    requested_at: requested_at.toISOString(),
    expires_at: expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    ...schemasOfCall(schemas, row.input),
  };
}
