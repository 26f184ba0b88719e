/** Bugs that the interleavings must see: in a copy of the code, and in SQL. */
import { sqlFunction } from '../sql-function.ts';
import { applyPlant, type Plant } from './load-simulated.ts';

export const plantedBugs: [name: string, Plant][] = [
  [
    'nudges dropped at continue-as-new',
    {
      file: 'workflows/conversations/conversation.ts',
      find: 'continueAsNew<typeof conversation>(state.snapshot)',
      put: 'continueAsNew<typeof conversation>({ ...state.snapshot, wakeAt: undefined })',
    },
  ],
  [
    'a later nudge that forgets an earlier one',
    {
      file: 'workflows/conversations/conversation-state.ts',
      find: 'Math.min(this.#state.wakeAt ?? at, at)',
      put: 'at',
    },
  ],
  [
    'a follow-up that an input does not cancel',
    {
      file: 'workflows/conversations/conversation-state.ts',
      find: 'runBegins(): void {\n    this.#userHasWritten();',
      put: 'runBegins(): void {',
    },
  ],
  [
    'an answer that was made without an input of its run',
    {
      file: 'src/app/conversations/advance-run.ts',
      find: '\n      inputs: run.inputs.length,\n',
      put: '\n      inputs: (await deps.runs.view(run.id))?.inputs.length ?? 0,\n',
    },
  ],
];

/** Returns accept_input with a window that is off by one. @throws Error unless its place occurs once in the function */
export function windowOffByOne(): string {
  const find = 'v_now >= v_group.closes_at and not';
  const put = 'v_now > v_group.closes_at and not';
  return applyPlant(sqlFunction('accept_input'), { file: 'accept_input', find, put });
}
