/**
 * Records the spans of activities in the trace of their run. The run's own span is recorded by the activity that ends
 * the run or, if the run then still has a delivery, by the activity that ends the delivery.
 */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { activityInfo, type Info } from '@temporalio/activity';
import type { SpanContext } from '@opentelemetry/api';
import { z } from 'zod';
import type { Database } from '../adapters/postgres/database.ts';
import type { RunView } from '../adapters/postgres/conversations/runs.ts';
import { findRunTrace, type RunTrace } from '../adapters/postgres/conversations/run-traces.ts';
import { addIds, inRemoteSpan, readTraceparent, recordSpan } from '../observability/spans.ts';
import { spanIdOf, spanIds } from '../observability/span-ids.ts';

/**
 * Activities of a run, with the kind of the id that is their first argument. Activities that claim a run are not
 * listed: they receive the run's id only from the claim, and then call inClaimedRun().
 */
const subjects = new Map<string, 'run' | 'delivery' | 'attachment'>([
  ['continueRun', 'run'],
  ['failRun', 'run'],
  ['runTool', 'run'],
  ['fetchAttachment', 'attachment'],
  ['deliverCallback', 'delivery'],
  ['sendReply', 'delivery'],
]);

/**
 * Creates the interceptors that run each activity of `subjects` in a span of its run's trace, if the run has a trace.
 */
export function tracedActivities(db: Database): ActivityInterceptorsFactory {
  return ({ info }) => {
    const subject = subjects.get(info.activityType);
    if (subject === undefined) return {};
    return {
      inbound: {
        execute: async (input, next) => {
          const trace = await traceOf(db, subject, z.string().parse(input.args[0]));
          return await inTrace(trace, info, () => next(input));
        },
      },
    };
  };
}

/**
 * Runs an activity's work on a run that it has just claimed in a span of the run's trace, if the run has a trace.
 * Called only if tracing is on, because it queries the database.
 * @param first true if the run has no recorded step yet; its waiting times are then recorded as spans
 * @returns the result of the work
 * @throws the error of the work
 */
export async function inClaimedRun<T>(
  db: Database,
  run: Pick<RunView, 'id'>,
  first: boolean,
  work: () => Promise<T>,
): Promise<T> {
  const trace = await traceOf(db, 'run', run.id);
  if (trace !== undefined && first) recordWaitSpans(trace);
  return await inTrace(trace, activityInfo(), work);
}

/**
 * Finds the trace of a run.
 * @returns undefined if the run has no trace, or if the query fails, because an error of tracing must not stop the
 * work
 */
async function traceOf(
  db: Database,
  subject: 'run' | 'delivery' | 'attachment',
  id: string,
): Promise<RunTrace | undefined> {
  return await findRunTrace(db, subject, id).catch(() => undefined);
}

async function inTrace<T>(trace: RunTrace | undefined, info: Info, work: () => Promise<T>): Promise<T> {
  const own = trace && ownContext(trace);
  if (trace === undefined || own === undefined) return await work();
  addIds({ trace_id: own.traceId });
  const { activityType, activityId, attempt, workflowExecution } = info;
  const attributes = {
    ...idsOf(trace),
    'temporal.workflow_id': workflowExecution?.workflowId ?? '',
    'temporal.run_id': workflowExecution?.runId ?? '',
    'temporal.activity_id': activityId,
    'temporal.attempt': attempt,
  };
  const result = await inRemoteSpan(
    `RunActivity:${activityType}`,
    { kind: 'CONSUMER', attributes },
    own,
    work,
  );
  const outcome = endOf(result, trace.has_ended);
  if (outcome !== undefined) recordRunSpan(trace, own, outcome, workflowExecution?.workflowId ?? '');
  return result;
}

const step = z.object({ next: z.enum(['answer', 'failed', 'cancelled']), delivery: z.unknown().optional() });
const reply = z.object({ next: z.literal('done'), status: z.string() });

/**
 * @returns the run's outcome if the result ends the run and leaves no delivery; the delivery's final status if the
 * result ends a delivery, and the run had ended before; otherwise undefined
 */
function endOf(result: unknown, hadEnded: boolean): string | undefined {
  const ended = step.safeParse(result);
  if (ended.success) return ended.data.delivery === undefined ? ended.data.next : undefined;
  if (!hadEnded) return undefined;
  if (typeof result === 'string') return result;
  return reply.safeParse(result).data?.status;
}

/**
 * @returns the context of the run's own span, in the trace of the run's first parent; undefined if the traceparent of
 * that parent cannot be parsed. The span itself is recorded later, by `recordRunSpan`.
 */
function ownContext({ run_id, parents: [first] }: RunTrace): SpanContext | undefined {
  const parent = first && readTraceparent(first.traceparent);
  return parent && { ...parent, spanId: spanIdOf(run_id), isRemote: true };
}

function recordWaitSpans(trace: RunTrace): void {
  const own = ownContext(trace);
  const { mode, opened_ms: opened, closes_ms: closes, claimed_ms: claimed } = trace;
  if (own === undefined || claimed === null) return;
  const due = Math.min(closes, claimed);
  if (mode === 'window') recordSpan('grouping window', { startMs: opened, endMs: due }, own);
  recordSpan('wait for a worker', { startMs: due, endMs: claimed }, own);
}

function recordRunSpan(trace: RunTrace, own: SpanContext, outcome: string, workflowId: string): void {
  const endMs = Date.now();
  const [first, ...joined] = trace.parents.flatMap(({ traceparent, at_ms: startMs }) => {
    const context = readTraceparent(traceparent);
    return context === undefined ? [] : [{ context, startMs }];
  });
  if (first === undefined) return;
  const attributes = {
    ...idsOf(trace),
    'temporal.workflow_id': workflowId,
    'parley.outcome': outcome,
    'parley.mode': trace.mode,
    'parley.inputs': 1 + joined.length,
  };
  const links = joined.map(({ context }) => ({ context }));
  spanIds.choose(own.spanId, () => {
    recordSpan(
      'RunWorkflow:conversation',
      { startMs: trace.opened_ms, endMs, attributes, links },
      first.context,
    );
  });
  for (const { context, startMs } of joined) {
    recordSpan(
      'answered with an earlier message',
      { startMs, endMs, attributes, links: [{ context: own }] },
      context,
    );
  }
}

function idsOf({ organization_id, conversation_id, run_id }: RunTrace) {
  return {
    'parley.organization_id': organization_id,
    'parley.conversation_id': conversation_id,
    'parley.run_id': run_id,
  };
}
