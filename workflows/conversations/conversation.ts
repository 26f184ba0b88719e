/**
 * One conversation: waits for its groups, runs the agent, delivers, follows up. Postgres holds the queue;
 * conversation-state.ts decides what comes next.
 */
import {
  CancellationScope,
  condition,
  continueAsNew,
  patched,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DueDelivery, TurnsOutcome } from '../../src/domain/conversations/run-outcome.ts';
import { deliver, followRun, orFailRun } from './agent-run.ts';
import { Conversation, type ConversationState, type FollowUpPlan } from './conversation-state.ts';
import { currentDetails, iso, type RefusedSignal } from './current-details.ts';
import { LazyAlarm } from './lazy-alarm.ts';
import {
  controlSignal,
  nudgeSignal,
  recentRunsQuery,
  searchAttributes,
  statusQuery,
  recoveryNudge,
  type ConversationLabel,
} from '../../src/contract/workflows.ts';
import { modelActivities, servingActivities } from '../policies.ts';
import { readControl, readNudge, timeIn } from './read-input.ts';

const { startRun, startFollowUp } = modelActivities;

/** Events after which the workflow continues as new. Temporal suggests it far later; a short history replays faster. */
const longHistory = 2000;

export async function conversation(initial: ConversationState): Promise<void> {
  const state = new Conversation(initial, Date.now());
  const { conversationId } = initial;
  const alarm = new LazyAlarm();
  let signals = 0;
  let claiming = false;
  let doing = 'starting';
  let since = Date.now();
  let refused: RefusedSignal | undefined;
  const note = (what: string) => {
    doing = what;
    since = Date.now();
    setCurrentDetails(currentDetails(doing, since, state.snapshot, refused));
  };
  /** Ends the activity's wait for the next message, which would delay an operator's command. */
  const endWait = () => {
    if (claiming && initial.isKeptWarm === true)
      void CancellationScope.nonCancellable(() => servingActivities.endServing(conversationId));
  };
  /** Records a signal with invalid data. Returns false in a replay of a history from before signals were validated. */
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
      if (at !== undefined) state.nudge(at, now);
      // A nudge without a valid time checks the rows at once, which is always safe.
      else if (refuse(nudgeSignal.name)) state.nudge(recoveryNudge, now);
      else state.nudge(Number(timeIn(data)), now);
      // Any other nudge was sent because no activity serves the conversation, or its worker was notified too.
      if ((at ?? recoveryNudge) === recoveryNudge) endWait();
    },
    { description: 'Something may be due at this time: look into Postgres.' },
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
        'For operators: "flush" runs the open group now; "stopFollowUps" until the user writes again; "close" ends the conversation once nothing waits.',
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

  const sendFirst = async (deliveries: readonly DueDelivery[] = []): Promise<void> => {
    for (const each of deliveries) await deliver(each, note, 'a callback that was left behind');
  };
  const finish = async (outcome: TurnsOutcome, followed?: FollowUpPlan): Promise<void> => {
    for (const run of outcome.earlier ?? []) {
      state.runBegins();
      setLabel(state.runEnded({ ...run, transferred: false }));
    }
    if (outcome.dueAt !== undefined) state.look(outcome.dueAt);
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
        const ended = await followRun(outcome, note);
        if (ended === undefined) state.look(Date.now());
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

/** Each change is a history event, so only unusual states have a label. */
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
