/** Reads the newest runs of a conversation with their messages, steps, model failures and deliveries. */
import { z } from 'zod';
import type { TimelineRun } from '../../../contract/conversations/timeline.ts';
import { dailyLink, type FileLinks } from '../../secrets/file-links.ts';
import { queryRows, type Database, type Statement } from '../database.ts';
import { deliveriesOfRuns } from './delivery-views.ts';

const runsAtOnce = 40;

type Step = TimelineRun['steps'][number];
type TimelineMessage = TimelineRun['messages'][number];

interface RunRow {
  id: string;
  ordinal: number;
  mode: TimelineRun['mode'];
  state: TimelineRun['state'];
  agent_name: string | null;
  opened_at: Date;
  closes_at: Date;
  claimed_at: Date | null;
  finished_at: Date | null;
  error: string | null;
  follow_up_attempt: number | null;
}

const runs: Statement = {
  name: 'timeline-runs',
  text: `select r.*, a.name as agent_name from runs r left join agents a on a.id = r.agent_id
           where r.conversation_id = $1 and r.ordinal < $2 and r.ordinal >= $4 order by r.ordinal desc limit $3`,
};
const messages: Statement = {
  name: 'timeline-messages',
  text: `select m.*, (select json_agg(json_build_object('id', f.id, 'name', coalesce(f.filename, f.content_type, 'file'),
             'kept', f.state = 'stored') order by f.position) from attachments f
             where f.message_id = m.id) as attachments
           from messages m where m.conversation_id = $1 and m.run_ordinal = any($2) order by m.seq`,
};
const steps: Statement = {
  name: 'timeline-steps',
  text: `select s.run_id, s.step, s.kind, s.model, s.created_at, a.name as agent_name
           from run_steps s join agents a on a.id = s.agent_id where s.run_id = any($1) order by s.step`,
};
const toolCalls: Statement = {
  name: 'timeline-tool-calls',
  text: `select run_id, step, name, input, status, result, started_at, finished_at
           from tool_calls where run_id = any($1) order by step, position`,
};

const failures: Statement = {
  name: 'timeline-model-failures',
  text: `select run_id, step, count, last_error, provider_message, last_at
           from model_failures where run_id = any($1) order by step`,
};

interface MessageRow {
  id: string;
  run_id: string;
  origin: TimelineMessage['origin'];
  text: string;
  created_at: Date;
  agent_name: string | null;
  model: string | null;
  credits_used: number | null;
  pre_transfer: boolean;
  replaced_by: string | null;
  truncated: boolean;
  unanswered: TimelineMessage['unanswered'];
  attachments: { id: string; name: string; kept: boolean }[] | null;
}
interface StepRow {
  run_id: string;
  step: number;
  kind: Step['kind'];
  model: string;
  created_at: Date;
  agent_name: string;
}
interface FailureRow {
  run_id: string;
  step: number;
  count: number;
  last_error: string;
  provider_message: string | null;
  last_at: Date;
}
interface CallRow {
  run_id: string;
  step: number;
  name: string;
  input: unknown;
  status: Step['tools'][number]['status'];
  result: string | null;
  started_at: Date | null;
  finished_at: Date | null;
}

/**
 * Reads the newest 40 runs whose ordinal is below `before` and at least `since`.
 * @returns the runs, oldest first; `older` is true if the range has more
 */
export async function timelineRuns(
  db: Database,
  conversationId: string,
  links: FileLinks,
  { before = 2_147_483_647, since = 0 }: { before?: number | undefined; since?: number | undefined },
): Promise<{ runs: TimelineRun[]; older: boolean }> {
  const found = await queryRows<RunRow>(db, runs, [conversationId, before, runsAtOnce + 1, since]);
  const shown = found.slice(0, runsAtOnce).reverse();
  const ids = shown.map(({ id }) => id);
  const [said, done, called, failed, deliveries] = await Promise.all([
    queryRows<MessageRow>(db, messages, [conversationId, shown.map(({ ordinal }) => ordinal)]),
    queryRows<StepRow>(db, steps, [ids]),
    queryRows<CallRow>(db, toolCalls, [ids]),
    queryRows<FailureRow>(db, failures, [ids]),
    deliveriesOfRuns(db, ids),
  ]);
  const messagesOf = Map.groupBy(said, (row) => row.run_id);
  const stepsOf = Map.groupBy(done, (row) => row.run_id);
  const failuresOf = Map.groupBy(failed, (row) => row.run_id);
  const callsOf = Map.groupBy(called, (row) => `${row.run_id} ${row.step}`);
  return {
    older: found.length > runsAtOnce,
    runs: shown.map((run) => ({
      id: run.id,
      ordinal: run.ordinal,
      mode: run.mode,
      state: run.state,
      agent_name: run.agent_name,
      opened_at: run.opened_at.toISOString(),
      closes_at: run.closes_at.toISOString(),
      claimed_at: run.claimed_at?.toISOString() ?? null,
      finished_at: run.finished_at?.toISOString() ?? null,
      error: run.error,
      follow_up_attempt: run.follow_up_attempt,
      messages: (messagesOf.get(run.id) ?? []).map((row) => messageFrom(row, links)),
      steps: (stepsOf.get(run.id) ?? []).map((row) => ({
        step: row.step,
        kind: row.kind,
        agent_name: row.agent_name,
        model: row.model,
        at: row.created_at.toISOString(),
        tools: (callsOf.get(`${row.run_id} ${row.step}`) ?? []).map(callFrom),
      })),
      model_failures: (failuresOf.get(run.id) ?? []).map((row) => ({
        step: row.step,
        count: row.count,
        error: row.last_error,
        provider_message: row.provider_message,
        at: row.last_at.toISOString(),
      })),
      deliveries: deliveries.get(run.id) ?? [],
    })),
  };
}

function messageFrom(row: MessageRow, links: FileLinks): TimelineMessage {
  const { id, origin, text, agent_name, model, credits_used, pre_transfer, truncated, unanswered } = row;
  return {
    ...{ id, origin, text, agent_name, model, credits_used, pre_transfer, truncated, unanswered },
    replaced: row.replaced_by !== null,
    at: row.created_at.toISOString(),
    attachments: (row.attachments ?? []).map(({ name, ...file }) => ({ name, ...dailyLink(links, file) })),
  };
}

function callFrom(row: CallRow): Step['tools'][number] {
  return {
    name: row.name,
    input: z.json().parse(row.input),
    status: row.status,
    result: row.result,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
