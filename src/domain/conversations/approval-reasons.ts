/**
 * The reasons for which Parley itself decides on an approval or ends its call. migrate.ts copies these texts into the
 * table approval_reasons.
 */

/** The result that the model reads if it is unknown whether a call was executed. */
export const unknownOutcome = 'The outcome is unknown.';

/** For each code that the SQL functions use: the note of the approval, and the result that the model reads. */
export const approvalReasons: Readonly<Record<string, { note: string; result: string }>> = {
  run_ended: notExecuted('the run has ended'),
  run_failed: notExecuted('the run has failed'),
  run_cancelled: notExecuted('the run was cancelled'),
  taken_over: notExecuted('a person took over the conversation'),
  contact_merged: notExecuted('the contact was merged with another'),
  agent_off: notExecuted('the agent was switched off'),
  tool_removed: notExecuted('the agent no longer has this tool'),
  call_changed: notExecuted('the call is not the one that was shown'),
  undecided: { note: 'nobody decided in time', result: 'Not executed: nobody approved it in time.' },
  worker_lost: { note: 'the worker of the call was lost', result: unknownOutcome },
};

function notExecuted(note: string): { note: string; result: string } {
  return { note, result: `Not executed: ${note}.` };
}
