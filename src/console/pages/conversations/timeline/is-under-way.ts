import type { TimelineRun } from '../../../../contract/conversations/timeline.ts';

/** Whether the run has not ended yet. */
export function isUnderWay({ state }: Pick<TimelineRun, 'state'>): boolean {
  return state === 'collecting' || state === 'ready' || state === 'running';
}
