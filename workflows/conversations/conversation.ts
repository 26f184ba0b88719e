/**
 * Runs one conversation: waits for groups of inputs, runs the agent, delivers answers, and starts follow-ups. Postgres
 * stores the queue of inputs; conversation-state.ts chooses the next step.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  patched,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  DueDelivery,
  RunOutcome,
  ToolCallProgress,
  ToolCallRef,
  TurnsOutcome,
} from '../../src/domain/conversations/run-outcome.ts';
import {
  Conversation,
  type ConversationState,
  type EndedRun,
  type FollowUpPlan,
} from './conversation-state.ts';
import {
  controlSignal,
  nudgeSignal,
  readControl,
  readNudge,
  recentRunsQuery,
  recoveryNudge,
  searchAttributes,
  statusQuery,
  timeIn,
  type ConversationLabel,
  type RecentRun,
} from '../../src/contract/workflows.ts';
import {
  callbackActivities,
  channelActivities,
  modelActivities,
  recordActivities,
  servingActivities,
  toolActivities,
} from '../policies.ts';

const { startRun, startFollowUp } = modelActivities;

/**
 * Number of history events above which the workflow continues as new. Chosen: far below the number at which Temporal
 * suggests continue-as-new, because a short history is replayed faster.
 */
const longHistory = 2000;

export async function conversation(initial: ConversationState): Promise<void> {
  const state = new Conversation(initial, Date.now());
  const { conversationId } = initial;
  const alarm = new LazyAlarm();
  let signals = 0;
  let checks = 0;
  let approvalWaits = false;
  let claiming = false;
  let doing = 'starting';
  let since = Date.now();
  let refused: RefusedSignal | undefined;
  const note = (what: string) => {
    doing = what;
    since = Date.now();
    setCurrentDetails(currentDetails(doing, since, state.snapshot, refused));
  };
  /**
   * Ends the wait of an activity for the conversation's next message, if there is such a wait. Without this, the
   * workflow would act on a nudge or an operator's command only after the wait.
   */
  const endWait = () => {
    if (claiming && initial.isKeptWarm === true)
      void CancellationScope.nonCancellable(() => servingActivities.endServing(conversationId));
  };
  /**
   * Records that a signal had invalid data.
   * @returns true; false, without recording it, in the replay of a history that is older than this check
   */
  const refuse = (signal: string): boolean => {
    if (!patched('signals-are-read')) return false;
    refused = { signal, at: Date.now() };
    return true;
  };

  setHandler(
    nudgeSignal,
    (data: unknown) => {
      signals += 1;
      const now = Date.now();
      const at = readNudge(data, now);
      if (at === recoveryNudge) checks += 1;
      // While a tool call waits for an approval, nothing else can be claimed, so a recovery nudge plans no check of the
      // rows. It only makes the run check that call again, because it changes `checks`.
      if (approvalWaits && at === recoveryNudge) return;
      if (at !== undefined) state.nudge(at, now);
      // A nudge without a valid time plans a check of the rows now, because such a check is always safe.
      else if (refuse(nudgeSignal.name)) state.nudge(recoveryNudge, now);
      else state.nudge(Number(timeIn(data)), now);
      // Only a recovery nudge and a nudge without a valid time end the activity's wait. No other nudge needs to: either
      // no activity serves the conversation, or the API has also notified the activity's worker.
      if ((at ?? recoveryNudge) === recoveryNudge) endWait();
    },
    { description: 'Something may be due at this time. The workflow then reads Postgres.' },
  );
  setHandler(
    controlSignal,
    (data: unknown) => {
      signals += 1;
      const command = readControl(data);
      if (command === 'flush') state.flush(Date.now());
      else if (command === 'stopFollowUps') state.stopFollowUps();
      else if (command === 'close' || !refuse(controlSignal.name)) state.close();
      endWait();
    },
    {
      description:
        'For operators: "flush" runs the open group now, "stopFollowUps" stops follow-ups until the user writes again, "close" ends the conversation once nothing is waiting.',
    },
  );
  setHandler(
    statusQuery,
    () => {
      const { wakeAt, followUp, turns = 0, label, followUpsStopped, closing } = state.snapshot;
      return {
        doing,
        since: iso(since),
        turns,
        ...(wakeAt !== undefined && { groupDueAt: iso(wakeAt) }),
        ...(followUp && { followUp: { attempt: followUp.attempt, dueAt: iso(followUp.dueAt) } }),
        ...(followUpsStopped && { followUpsStopped }),
        ...(closing && { closing }),
        ...(label && { state: label }),
        ...(refused && { refused: { ...refused, at: iso(refused.at) } }),
      };
    },
    { description: 'What the conversation is doing and what it waits for.' },
  );
  setHandler(recentRunsQuery, () => state.snapshot.recent ?? [], {
    description: 'The last runs: ids and outcomes.',
  });

  const run: FollowedRun = {
    note,
    checks: () => checks,
    waitForApproval: async (seen, until) => {
      approvalWaits = true;
      setLabel(state.approvalWaits(true));
      note(`waiting for a person to approve a tool call, until ${iso(until)}`);
      alarm.ringBy(until, Date.now(), 'an approval expires');
      await condition(() => checks !== seen || Date.now() >= until);
      approvalWaits = false;
      setLabel(state.approvalWaits(false));
      note('running tools');
    },
  };
  const sendFirst = async (deliveries: readonly DueDelivery[] = []): Promise<void> => {
    for (const each of deliveries) await deliver(each, note, 'an earlier callback');
  };
  const finish = async (outcome: TurnsOutcome, followed?: FollowUpPlan): Promise<void> => {
    for (const run of outcome.earlier ?? []) {
      state.runBegins();
      setLabel(state.runEnded({ ...run, transferred: false }));
    }
    if (outcome.dueAt !== undefined) state.checkAt(outcome.dueAt);
    switch (outcome.next) {
      case 'idle':
        state.idle(outcome.silence);
        await sendFirst(outcome.deliveries);
        return;
      case 'superseded':
        return;
      case 'waiting':
        state.waiting(outcome.wakeAt);
        await sendFirst(outcome.deliveries);
        return;
      case 'answer':
      case 'failed':
      case 'cancelled':
      case 'tools':
      case 'transfer':
      case 'attachments': {
        if (followed === undefined) state.runBegins();
        const ended = await followRun(outcome, run);
        if (ended === undefined) state.checkAt(Date.now());
        else setLabel(state.runEnded(ended, followed));
        return;
      }
      case 'gone':
        state.close();
    }
  };

  for (;;) {
    const info = workflowInfo();
    const step = state.next(Date.now(), info.continueAsNewSuggested || info.historyLength > longHistory);
    switch (step.kind) {
      case 'claim': {
        state.claiming();
        note(initial.isKeptWarm === true ? answeringOrReady : 'running the agent');
        const args: [string, boolean?] = step.flush ? [conversationId, true] : [conversationId];
        claiming = true;
        const outcome = await orFailRun(() =>
          startRun.executeWithOptions({ summary: 'group and model call' }, args),
        );
        claiming = false;
        await finish(outcome);
        break;
      }
      case 'followUp': {
        const plan = state.followUpBegins();
        note(`running follow-up ${step.attempt}`);
        const summary = `follow-up ${step.attempt} and model call`;
        const args: [string, string, number] = [conversationId, step.of, step.attempt];
        await finish(await orFailRun(() => startFollowUp.executeWithOptions({ summary }, args)), plan);
        break;
      }
      case 'wait': {
        note(waitingFor[step.for](step.until));
        alarm.ringBy(step.ring ?? step.until, Date.now(), timerSummary[step.for]);
        const seen = signals + alarm.rings;
        await condition(() => signals + alarm.rings !== seen);
        break;
      }
      case 'continueAsNew':
        return await continueAsNew<typeof conversation>(state.snapshot);
      case 'complete':
        if (state.isClosing) setLabel('closed');
        return;
    }
  }
}

/**
 * Sets the search attribute ConversationState; null unsets it, undefined changes nothing. Each change adds an event to
 * the history, so only unusual states have a label.
 */
function setLabel(value: ConversationLabel | null | undefined): void {
  if (value !== undefined) upsertSearchAttributes([{ key: searchAttributes.state, value }]);
}

const answeringOrReady =
  'running the agent, or ready for the next message: the heartbeat of startRun says which';
const timerSummary = { group: 'window of the open group', followUp: 'next follow-up', idle: 'idle' } as const;
const waitingFor = {
  group: (until: number) => `waiting for the group's window, until ${iso(until)}`,
  followUp: (until: number) => `waiting for the user; the next follow-up is due ${iso(until)}`,
  idle: (until: number) => `waiting for the user, closes ${iso(until)}`,
} as const;

interface FollowedRun {
  /** Sets the text that shows, in Temporal's UI, what the run does or waits for now. */
  note: (doing: string) => void;
  /**
   * Returns the number of recovery nudges so far. After each of them, a call that waits for approval is checked again.
   */
  checks: () => number;
  /**
   * Waits until a call that needs an approval must be checked again: when the result of `checks` differs from `seen`,
   * or at the time `until` (epoch ms).
   */
  waitForApproval: (seen: number, until: number) => Promise<void>;
}

/**
 * Carries out a run from the outcome of its first step to its end: attachments, tool calls, transfers and further
 * model calls, until the run is answered, fails or is cancelled. Delivers the answer or the error.
 * @returns how the run ended; undefined if `first` contains no run, or if the run was erased or has already ended
 */
async function followRun(first: RunOutcome, run: FollowedRun): Promise<EndedRun | undefined> {
  const { note } = run;
  let outcome = first;
  let transferred = false;
  for (;;) {
    switch (outcome.next) {
      case 'answer':
      case 'failed': {
        const at = (outcome.next === 'answer' ? outcome.answeredAt : undefined) ?? Date.now();
        let callback = outcome.next === 'answer' ? outcome.callback : undefined;
        if (outcome.delivery) callback = await deliver(outcome.delivery, note);
        const { next, runId, wakeAt } = outcome;
        const followUps = outcome.next === 'answer' ? outcome.followUps : undefined;
        return {
          runId,
          outcome: next,
          transferred,
          at,
          ...(callback !== undefined && { callback }),
          ...(wakeAt !== undefined && { wakeAt }),
          ...(followUps && { followUps }),
        };
      }
      case 'transfer': {
        const { runId, step, delivery } = outcome;
        transferred = true;
        if (delivery) await deliver(delivery, note, 'the pre-transfer callback');
        note('asking the model of the destination agent');
        outcome = await orFailRun(() => modelStep(runId, step + 1, 'model call after a transfer'));
        break;
      }
      case 'attachments': {
        const { runId, step, attachments } = outcome;
        note('fetching attachments');
        await Promise.all(
          attachments.map((id) =>
            toolActivities.fetchAttachment.executeWithOptions({ summary: 'attachment' }, [id]),
          ),
        );
        note('asking the model');
        outcome = await orFailRun(() => modelStep(runId, step, 'model call'));
        break;
      }
      case 'tools': {
        const { runId, step, calls, deliveries = [] } = outcome;
        for (const request of deliveries) await deliver(request, note, 'the request for an approval');
        note('running tools');
        await runTools(runId, step, calls, run);
        note('asking the model with the results');
        outcome = await orFailRun(() => modelStep(runId, step + 1, 'model call after tools'));
        break;
      }
      case 'cancelled':
        return { runId: outcome.runId, outcome: 'cancelled', transferred, at: Date.now() };
      case 'gone':
      case 'idle':
      case 'waiting':
      case 'superseded':
        return undefined;
    }
  }
}

/**
 * Runs a step. If the step fails with `RunFailed`, records the run as failed.
 * @returns the outcome of the step or, after `RunFailed`, the outcome of the run
 * @throws any other error of the step
 */
async function orFailRun<T extends RunOutcome>(step: () => Promise<T>): Promise<T | RunOutcome> {
  try {
    return await step();
  } catch (error) {
    const failedRun = idOfFailedRun(error);
    if (typeof failedRun !== 'string') throw error;
    return await recordActivities.failRun(failedRun);
  }
}

function idOfFailedRun(error: unknown): unknown {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === 'RunFailed' &&
    error.cause.details?.[0]
  );
}

async function modelStep(runId: string, step: number, summary: string): Promise<RunOutcome> {
  return await modelActivities.continueRun.executeWithOptions({ summary }, [runId, step]);
}

/**
 * Posts a callback, or sends a reply through the gateway.
 * @param callback the description of the callback that `note` shows
 * @returns the delivery's final status
 */
async function deliver(
  { id, kind }: DueDelivery,
  note: (doing: string) => void,
  callback = 'the callback',
): Promise<string> {
  if (kind === 'callback') {
    note(`posting ${callback}`);
    return await callbackActivities.deliverCallback.executeWithOptions({ summary: 'callback' }, [id]);
  }
  note('sending the reply');
  return await reply(id);
}

/**
 * Sends a reply through the gateway. Waits between attempts, for example while the gateway's session is down.
 * @returns the delivery's final status
 */
async function reply(id: string): Promise<string> {
  for (;;) {
    const progress = await channelActivities.sendReply.executeWithOptions({ summary: 'reply on WhatsApp' }, [
      id,
    ]);
    if (progress.next === 'done') return progress.status;
    await sleep(progress.ms, { summary: `reply waits: ${progress.why}` });
  }
}

/**
 * Runs the calls one after another, in the model's order, because a later call may depend on data that an earlier call
 * wrote. If a person must approve a call, repeats its activity after each recovery nudge and at the time that the
 * activity returned, until the call has ended.
 */
async function runTools(
  runId: string,
  step: number,
  calls: readonly ToolCallRef[],
  { checks, waitForApproval }: FollowedRun,
): Promise<void> {
  for (const { position, name } of calls) {
    for (;;) {
      // Reads the count before the activity, because a nudge that arrives during the activity may announce a decision
      // that the activity has not read.
      const seen = checks();
      const args: [string, number, number] = [runId, step, position];
      const progress = await runTool(name, args);
      if (progress?.next !== 'waits') break;
      await waitForApproval(seen, progress.until);
    }
  }
}

/** Runs one tool call. @returns the call's progress; undefined in histories that are older than approvals */
async function runTool(
  name: string,
  args: [runId: string, step: number, position: number],
): Promise<ToolCallProgress | undefined> {
  return await toolActivities.runTool.executeWithOptions({ summary: name }, args);
}

/**
 * Sets timers and never cancels them, so that a busy conversation does not add timer events to its history in every
 * run. A timer that fires too early only makes the main loop choose its next step again.
 */
class LazyAlarm {
  readonly #outstanding = new Set<number>();
  #rings = 0;

  /** Number of timers that have fired. */
  get rings(): number {
    return this.#rings;
  }

  /** Ensures that a timer fires at or before this time (epoch ms). */
  ringBy(at: number, now: number, summary: string): void {
    for (const due of this.#outstanding) if (due <= at) return;
    this.#outstanding.add(at);
    void sleep(Math.max(1, at - now), { summary }).then(
      () => {
        this.#outstanding.delete(at);
        this.#rings += 1;
      },
      () => {
        // The timer rejects only if the workflow is cancelled, which also ends the main loop.
        this.#outstanding.delete(at);
      },
    );
  }
}

/** A signal that had invalid data. The data itself is not stored, because it may contain a customer's text. */
interface RefusedSignal {
  signal: string;
  /** When the signal arrived (epoch ms). */
  at: number;
}

/**
 * Formats the details that Temporal's UI shows for the workflow: what the conversation does or waits for and since
 * when, its next follow-up, the operators' commands in effect, the last signal with invalid data, and how its last run
 * ended.
 * @param since when `doing` began (epoch ms)
 * @returns Markdown
 */
function currentDetails(
  doing: string,
  since: number,
  state: ConversationState,
  refused?: RefusedSignal,
): string {
  const { followUp, recent = [], turns = 0 } = state;
  const lines = [`**${doing}**, since ${iso(since)}`];
  if (followUp) lines.push(`Follow-up ${followUp.attempt} is due ${iso(followUp.dueAt)}.`);
  if (state.followUpsStopped) lines.push('An operator stopped the follow-ups, until the user writes again.');
  if (state.closing) lines.push('An operator closes this conversation.');
  if (refused) lines.push(refusal(refused));
  const last = recent.at(-1);
  if (last) lines.push(`Runs ended: ${turns}. The last: ${lastRun(last)}`);
  return lines.join('\n\n');
}

function refusal({ signal, at }: RefusedSignal): string {
  return `A \`${signal}\` signal changed nothing ${iso(at)}: its arguments are not valid. The description of the signal says what it accepts.`;
}

function lastRun({ runId, outcome, at, followUpAttempt, callback }: RecentRun): string {
  const kind = followUpAttempt === undefined ? 'run' : `follow-up ${followUpAttempt}, run`;
  const end = outcome === 'answer' ? 'answered' : notAnswered[outcome];
  return `${kind} \`${runId}\` ${end} ${iso(at)}, callback: ${callback ?? 'none'}.`;
}

const notAnswered = { failed: 'FAILED; its row has the reason', cancelled: 'was cancelled' } as const;

/**
 * Formats a time as ISO 8601.
 * @returns the text; '' if the time is NaN, which occurs only in histories that are older than the validation of
 * signals
 */
function iso(at: number): string {
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
