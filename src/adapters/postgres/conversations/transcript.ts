/** Reads the parts of a run's model input: earlier messages, the files of the inputs, and the run's tool steps. */
import { z } from 'zod';
import type { HistoryTurn, ModelAttachment, ToolStep } from '../../models/model.ts';
import type { ChannelName } from '../../../contract/conversations/channel-name.ts';
import { earlierTurn } from '../../../contract/conversations/earlier-turns.ts';
import { unknownOutcome } from '../../../domain/conversations/approval-reasons.ts';
import { earlierTurnText, historyText } from '../../../domain/conversations/model-call.ts';
import { camelRow, queryRows, statement, type Database } from '../database.ts';

/** Maximum earlier messages that a model receives. Chosen. */
export const maxHistoryTurns = 300;

const historyRow = z.object({
  role: z.enum(['user', 'agent']),
  agent_name: z.string().nullable(),
  text: z.string(),
  /**
   * Names of the message's files; null for a file without a name. The list is null if the message has no files, or if
   * they are not read: for messages of the contact's earlier conversations, and for the inputs of an ended run.
   */
  files: z.array(z.string().nullable()).nullable(),
  earlier_turns: z.array(earlierTurn).nullable(),
  /** True for an input of this run. The history contains only the input's earlier turns, not its text. */
  is_input: z.boolean(),
});
type HistoryRow = z.infer<typeof historyRow>;

/** The fields of a run that determine which other conversations' messages the model reads first. */
interface HistoryPlace {
  conversation_id: string;
  channel: ChannelName;
  /** In a trial, the run whose inputs the trial answers again; otherwise null. */
  tries: { run_id: string } | null;
}

/** SQL: the role that the model reads for a message. Messages of a human agent have the same role as the agent's. */
const role = "case when origin = 'user' then 'user' else 'agent' end as role";

/**
 * SQL expression: earlier turns without the calling program's instructions (role `context`). These instructions apply
 * only to the message with which they came, so later runs do not read them.
 */
const withoutContext = (turns: string): string =>
  `jsonb_path_query_array(${turns}, '$[*] ? (@.role != "context")')`;

const fileRow = camelRow({
  id: z.string(),
  state: z.enum(['unfetched', 'stored', 'later', 'too_large', 'storage_full', 'unavailable']),
  filename: z.string().nullable(),
  contentType: z.string().nullable(),
  bytes: z.number().nullable(),
  error: z.string().nullable(),
});

const callRow = camelRow({
  step: z.number(),
  text: z.string(),
  callId: z.string(),
  name: z.string(),
  input: z.unknown(),
  status: z.string(),
  result: z.string().nullable(),
});

const destination = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  active: z.boolean(),
  deleted: z.boolean(),
});
export type Destination = z.infer<typeof destination>;

const history = statement('run-history', historyRow)`
  select ${role}, agent_name, text,
      (select json_agg(f.filename order by f.position) from attachments f where f.message_id = messages.id) as files,
      case when run_ordinal = $2 then earlier_turns else ${withoutContext('earlier_turns')} end as earlier_turns,
      run_ordinal = $2 and origin = 'user' as is_input
    from messages
    where conversation_id = $1 and replaced_by is null
      and (run_ordinal < $2 or (run_ordinal = $2 and (origin <> 'user' or earlier_turns is not null)))
    order by run_ordinal desc, seq desc limit ${maxHistoryTurns}`;

/** Reads the newest $2 messages of the conversations that conversation $1 continues, directly or through others. */
const earlierHistory = statement('run-earlier-history', historyRow)`
  with recursive earlier as (
      select id from conversations where continued_by = $1
      union select c.id from conversations c join earlier e on c.continued_by = e.id)
    select ${role}, m.agent_name, m.text, null as files, null as earlier_turns, false as is_input from earlier e cross join lateral (
      select origin, agent_name, text, created_at, seq from messages
        where conversation_id = e.id and replaced_by is null order by seq desc limit $2) m
    order by m.created_at desc, m.seq desc limit $2`;

/**
 * SQL expression: a column of the run `$1`. It is a subquery instead of a join, so that Postgres reads the messages
 * backwards from the newest one and stops at the limit.
 */
const ofRun = (column: string) => `(select r.${column} from runs r where r.id = $1)`;

/**
 * Builds a query for the newest `$2` messages before the run `$1`, without answers that were already replaced when the
 * run was opened. If the run's own answer was replaced later, regenerate_answer.sql has given those earlier answers the
 * same `replaced_by` as the run's own answer. The subquery reads this value, so that the condition excludes them.
 * @param columns SQL list of columns of the messages, whose alias is `m`
 */
export const messagesBeforeRun = (columns: string): string =>
  `select ${columns} from messages m left join runs n on n.id = m.replaced_by
     where m.conversation_id = ${ofRun('conversation_id')} and m.run_ordinal < ${ofRun('ordinal')}
       and (m.replaced_by is null or (n.ordinal > ${ofRun('ordinal')} and m.replaced_by is distinct from (
         select a.replaced_by from runs r join messages a on a.conversation_id = r.conversation_id and a.run_ordinal = r.ordinal
           where r.id = $1 and a.origin = 'agent' and r.mode <> 'follow_up' limit 1)))
     order by m.run_ordinal desc, m.seq desc limit $2`;

const triedHistory = statement('run-tried-history', historyRow)`
  select ${role}, x.agent_name, x.text,
      (select json_agg(f.filename order by f.position) from attachments f where f.message_id = x.id) as files,
      ${withoutContext('x.earlier_turns')} as earlier_turns, false as is_input
    from (${messagesBeforeRun('m.id, m.origin, m.agent_name, m.text, m.earlier_turns, m.run_ordinal, m.seq')}) x
    order by x.run_ordinal desc, x.seq desc`;

/**
 * Reads the messages that the model receives before the run's inputs, oldest first. These are the newest messages
 * before this run and this run's own answers, at most maxHistoryTurns, without replaced answers. If there are fewer,
 * adds older messages: in a conversation of a channel, those of the contact's earlier conversations; in a trial, those
 * before the run whose inputs the trial answers again.
 *
 * Turns that a caller gave with a message precede that message and count as messages. Instructions that came with this
 * run's inputs come last and do not count. The query uses an index, so its cost does not grow with the conversation.
 */
export async function loadHistory(
  db: Database,
  run: HistoryPlace & { ordinal: number },
): Promise<HistoryTurn[]> {
  const rows = await queryRows(db, history, [run.conversation_id, run.ordinal]);
  return inOrderOfTime([...rows, ...(await loadEarlier(db, run, maxHistoryTurns - rows.length))]);
}

/**
 * @returns the newest `maxHistoryTurns` messages, oldest first, then the calling program's instructions for this run
 */
function inOrderOfTime(newestFirst: HistoryRow[]): HistoryTurn[] {
  const turns = newestFirst.reverse().flatMap(turnsOf);
  const messages = turns.filter(({ isContext }) => isContext !== true).slice(-maxHistoryTurns);
  return [...messages, ...turns.filter(({ isContext }) => isContext === true)];
}

const inputTurns = statement('earlier-turns-of-inputs', historyRow)`
  select 'user' as role, null as agent_name, '' as text, null as files, earlier_turns, true as is_input
    from messages where conversation_id = $1 and run_ordinal = $2 and origin = 'user' and earlier_turns is not null order by seq`;

/**
 * Reads the history for answering the inputs of an ended run again: as `loadHistory`, but without the run's own answers
 * and later messages.
 */
export async function loadHistoryBefore(
  db: Database,
  run: { run_id: string; conversation_id: string; ordinal: number; channel: ChannelName },
): Promise<HistoryTurn[]> {
  const given = await queryRows(db, inputTurns, [run.conversation_id, run.ordinal]);
  const rows = await queryRows(db, triedHistory, [run.run_id, maxHistoryTurns]);
  const earlier = await loadEarlier(db, { ...run, tries: null }, maxHistoryTurns - rows.length);
  return inOrderOfTime([...given.reverse(), ...rows, ...earlier]);
}

function turnsOf(row: HistoryRow): HistoryTurn[] {
  const earlier = (row.earlier_turns ?? []).map((turn) => ({
    ...earlierTurnText(turn),
    agentName: null,
    ...(turn.role === 'context' && { isContext: true }),
  }));
  if (row.is_input) return earlier;
  return [...earlier, { role: row.role, agentName: row.agent_name, text: historyText(row) }];
}

async function loadEarlier(
  db: Database,
  { conversation_id, channel, tries }: HistoryPlace,
  room: number,
): Promise<HistoryRow[]> {
  if (room <= 0) return [];
  if (tries !== null) return await queryRows(db, triedHistory, [tries.run_id, room]);
  return channel === 'api' ? [] : await queryRows(db, earlierHistory, [conversation_id, room]);
}

const attachments = statement('run-attachments', fileRow)`
  select f.id, f.state, f.filename, f.content_type, f.bytes, f.error from messages m
    cross join lateral (select id, state, filename, content_type, octet_length(content) as bytes, error, position
      from attachments where message_id = m.id offset 0) f
    where m.conversation_id = $1 and m.run_ordinal = $2 order by m.seq, f.position`;
const contents = statement(
  'run-attachment-contents',
  z.object({ id: z.string(), content: z.instanceof(Buffer).nullable() }),
)`
  select id, content from attachments where id = any($1)`;

/**
 * Maximum total bytes of a run's files that a model receives. Of further files, the model receives only the names and
 * sizes. Chosen.
 */
export const maxRunFileBytes = 16 * 1024 * 1024;

/**
 * Reads the files of a run, in order. A file that would exceed maxRunFileBytes, together with the files accepted before
 * it, is returned without content; smaller files after it may still fit.
 * @param hold reserves this many bytes of memory. It is awaited before contents are read, and not called if there are
 * none.
 */
export async function loadAttachments(
  db: Database,
  conversationId: string,
  ordinal: number,
  hold: (bytes: number) => Promise<void>,
): Promise<ModelAttachment[]> {
  const rows = await queryRows(db, attachments, [conversationId, ordinal]);
  let held = 0;
  const fitting = rows.filter(({ bytes }) => {
    const fits = bytes !== null && held + bytes <= maxRunFileBytes;
    if (fits) held += bytes;
    return fits;
  });
  const loaded = new Map<string, Buffer | null>();
  if (fitting.length > 0) {
    await hold(held);
    const ids = fitting.map(({ id }) => id);
    for (const row of await queryRows(db, contents, [ids])) {
      loaded.set(row.id, row.content);
    }
  }
  return rows.map(({ id, state, filename, contentType, bytes, error }) => ({
    filename,
    contentType,
    content: loaded.get(id) ?? null,
    // The model reads why a file is missing only if the user can do something about it.
    ...((state === 'too_large' || state === 'storage_full') && error !== null && { notFetched: error }),
    ...(bytes !== null && !fitting.some((one) => one.id === id) && { leftOutBytes: bytes }),
  }));
}

const toolSteps = statement('run-tool-steps', callRow)`
  select s.step, s.text, t.call_id, t.name, t.input, t.status, t.result
    from run_steps s join tool_calls t on t.run_id = s.run_id and t.step = s.step
    where s.run_id = $1 and s.agent_id = $2
      and s.step > coalesce((select max(step) from run_steps where run_id = $1 and kind = 'transfer'), -1)
    order by s.step, t.position`;

/** Reads the steps in which the agent has called tools in this run since the last transfer, oldest first. */
export async function loadToolSteps(db: Database, runId: string, agentId: string): Promise<ToolStep[]> {
  const steps = new Map<number, ToolStep>();
  for (const row of await queryRows(db, toolSteps, [runId, agentId])) {
    const step = steps.get(row.step) ?? { text: row.text, calls: [] };
    const { callId, name, input, status } = row;
    const result = row.result ?? unknownOutcome;
    step.calls.push({ callId, name, input, result, failed: status !== 'succeeded' });
    steps.set(row.step, step);
  }
  return [...steps.values()];
}

const destinations = statement('transfer-destinations', destination)`
  select id, name, description, active, deleted_at is not null as deleted from agents
    where organization_id = $1 and id = any($2::uuid[])`;

/** @returns the organization's agents with these ids, including inactive and deleted ones, in any order */
export async function loadDestinations(
  db: Database,
  organizationId: string,
  ids: string[],
): Promise<Destination[]> {
  return ids.length === 0 ? [] : await queryRows(db, destinations, [organizationId, ids]);
}

/** @returns the credits of the run's steps after its last message; of all its steps if it has written no message */
export const loadUncarriedCredits = statement('credits-since-message', z.number()).result<[runId: string]>`
  select coalesce(sum(credits), 0)::double precision as result from run_steps where run_id = $1
    and step > coalesce((select max(step) from run_steps where run_id = $1 and message_id is not null), -1)`;

/**
 * Counts one failure of a script's rule in a conversation. Not idempotent: a retry of the same step counts again.
 * @param max the count does not rise above `max` + 1
 * @returns the count, including this failure
 */
export const countScriptFailure = statement('count-script-failure', z.number()).result<
  [conversationId: string, rule: string, max: number]
>`
  insert into script_failures (conversation_id, rule, count) values ($1, $2, 1)
    on conflict (conversation_id, rule) do update set count = least(script_failures.count + 1, $3 + 1) returning count as result`;
