/** Changes to workflow code that must never pass unseen. Each is applied to a copy of the source, and some recorded
 *  history must tell: by a replay that decides otherwise, or by its trace. */
export type PlantedBreak = {
  /** The damage in production. */
  what: string;
  file: string;
  /** Occurs in the file exactly once. */
  find: string;
  replace: string;
};

const conversation = 'workflows/conversations/conversation.ts';
const state = 'workflows/conversations/conversation-state.ts';
const policies = 'workflows/policies.ts';
const followUpPlan = 'src/domain/conversations/follow-up-plan.ts';

export const plantedBreaks: readonly PlantedBreak[] = [
  {
    what: 'a tool call does not wait for its approval',
    file: conversation,
    find: "if (progress?.next !== 'waits') break;",
    replace: 'break;',
  },
  {
    what: 'a rehearsal is asked once more after its end',
    file: 'workflows/rehearsals/rehearsal.ts',
    find: '({ runs } = progress);',
    replace: 'runs = progress.done > 0;',
  },
  {
    what: 'a timer rings a second late',
    file: conversation,
    find: 'alarm.ringBy(step.ring ?? step.until,',
    replace: 'alarm.ringBy((step.ring ?? step.until) + 1000,',
  },
  {
    what: 'every wait has a timer of its own',
    file: conversation,
    find: 'for (const due of this.#outstanding) if (due <= at) return;',
    replace: '',
  },
  {
    what: 'a long history never ends',
    file: conversation,
    find: 'info.continueAsNewSuggested || info.historyLength > longHistory',
    replace: 'info.historyLength > longHistory',
  },
  {
    what: 'the pending follow-up is lost at continue-as-new',
    file: conversation,
    find: 'continueAsNew<typeof conversation>(state.snapshot)',
    replace: 'continueAsNew<typeof conversation>({ conversationId, idleMs: initial.idleMs })',
  },
  {
    what: 'conversations that need attention are not labelled',
    file: conversation,
    find: 'if (value !== undefined) upsert',
    replace: "if (value === 'closed') upsert",
  },
  {
    what: 'an operator who flushes only looks',
    file: state,
    find: 'this.#state.flush = true;',
    replace: '',
  },
  {
    what: 'a control signal that is no command closes the conversation',
    file: conversation,
    find: "command === 'close' || !refuse(controlSignal.name)",
    replace: 'true',
  },
  {
    what: 'a nudge without a time leaves the conversation deaf',
    file: conversation,
    find: 'else if (refuse(nudgeSignal.name)) state.nudge(recoveryNudge, now);',
    replace: '',
  },
  {
    what: 'conversations that were told nonsense before signals were read are stuck after the deploy',
    file: conversation,
    find: "if (!patched('signals-are-read')) return false;",
    replace: '',
  },
  {
    what: 'a callback left behind by a terminated workflow is never posted',
    file: conversation,
    find: 'for (const each of deliveries) await',
    replace: 'for (const each of deliveries.slice(1)) await',
  },
  {
    what: 'a claim that found nothing due forgets the follow-up that the rows tell of',
    file: state,
    find: 'if (this.#state.followUp === undefined) this.#plan(silence);',
    replace: '',
  },
  {
    what: 'follow-ups are due by milliseconds in place of seconds',
    file: followUpPlan,
    find: 'since + seconds * 1000;',
    replace: 'since + seconds;',
  },
  {
    what: 'the second follow-up is numbered as the first',
    file: state,
    find: 'attempt: followed.attempt }',
    replace: 'attempt: 0 }',
  },
  {
    what: 'a user who writes does not cancel the follow-up',
    file: state,
    find: `  runBegins(): void {
    this.#userHasWritten();`,
    replace: '  runBegins(): void {',
  },
  {
    what: 'stopped follow-ups come all the same',
    file: state,
    find: 'this.#state.followUpsStopped = true;',
    replace: '',
  },
  {
    what: 'a conversation that closes waits for a follow-up first',
    file: state,
    find: 'followUpsStopped || closing) return;',
    replace: 'followUpsStopped) return;',
  },
  {
    what: "a sweep's look opens what an operator closes",
    file: state,
    find: 'if (at === recoveryNudge) return;',
    replace: '',
  },
  {
    what: 'a closed conversation stays open',
    file: state,
    find: "if (closing) return { kind: 'complete' };",
    replace: '',
  },
  {
    what: 'a conversation closes ten minutes after its start, busy or not',
    file: state,
    find: 'this.#lastActiveAt = at;',
    replace: '',
  },
  {
    what: 'a failed run holds the workflow',
    file: conversation,
    find: 'return await recordActivities.failRun(failedRun);',
    replace: 'throw error;',
  },
  {
    what: 'a run goes on although an operator cancels it',
    file: conversation,
    find: "if (typeof failedRun !== 'string') throw error;",
    replace: "if (typeof failedRun !== 'string') return { next: 'gone' };",
  },
  {
    what: 'the model is asked the same step again after a tool',
    file: conversation,
    find: "modelStep(runId, step + 1, 'model call after tools')",
    replace: "modelStep(runId, step, 'model call after tools')",
  },
  {
    what: 'the destination agent speaks before the pre-transfer callback has ended',
    file: conversation,
    find: "await deliver(delivery, note, 'the pre-transfer callback');",
    replace: "void deliver(delivery, note, 'the pre-transfer callback');",
  },
  {
    what: 'attachments are not fetched',
    file: conversation,
    find: 'attachments.map((id)',
    replace: 'attachments.slice(1).map((id)',
  },
  {
    what: 'a reply on WhatsApp is posted as a callback',
    file: conversation,
    find: "if (kind === 'callback') {",
    replace: 'if (kind) {',
  },
  {
    what: 'a reply on WhatsApp is given up while the session is down',
    file: conversation,
    find: "if (progress.next === 'done') return progress.status;",
    replace: "return progress.next === 'done' ? progress.status : 'failed';",
  },
  {
    what: 'a callback is tried only once, so that a dead worker loses it',
    file: policies,
    find: `startToCloseTimeout: activitySeconds.callback * 1000,
  heartbeatTimeout: '10s',
  retry: patient,`,
    replace: `startToCloseTimeout: activitySeconds.callback * 1000,
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },`,
  },
  {
    what: 'a worker that died during a model call is noticed after ten minutes',
    file: policies,
    find: `>({
  startToCloseTimeout: activitySeconds.model * 1000,
  heartbeatTimeout: '15s',`,
    replace: '>({ startToCloseTimeout: activitySeconds.model * 1000,',
  },
  {
    what: 'nudges have another name, so that those under way are not heard',
    file: 'src/contract/workflows.ts',
    find: "nudgeSignal = defineSignal<[Nudge]>('nudge')",
    replace: "nudgeSignal = defineSignal<[Nudge]>('wake')",
  },
  {
    what: 'the steps of a channel run side by side',
    file: 'workflows/whatsapp/channel.ts',
    find: 'await condition(() => !busy);',
    replace: '',
  },
  {
    what: 'recovery waits for clean-up',
    file: 'workflows/upkeep/recovery.ts',
    find: 'cleaning.begin(Date.now());',
    replace: 'await cleaningActivities.cleanUp();',
  },
  {
    what: 'clean-up is begun at every look',
    file: 'workflows/upkeep/recovery.ts',
    find: ' || now < this.#notBefore',
    replace: '',
  },
  {
    what: 'the sweep never ends',
    file: 'workflows/upkeep/recovery.ts',
    find: 'left > 0; left--',
    replace: 'left > 0;',
  },
  {
    what: 'an operator reads that a failed run was answered',
    file: conversation,
    find: "outcome === 'answer' ? 'answered'",
    replace: "outcome ? 'answered'",
  },
  {
    what: 'the text of an activity is gone from the UI',
    file: conversation,
    find: "{ summary: 'group and model call' }",
    replace: '{}',
  },
];
