/** Checks that every change has exactly one entry in the audit log, and every entry its change. Pure. */
import type { Observed } from './observed.ts';

export type AuditFigures = {
  acknowledged: number;
  /** Made, although the caller got no answer or an error. */
  madeUnanswered: number;
  entries: number;
};

export function checkAudit(
  { changes, strayEntries, chainProblem }: Observed,
  breach: (what: string) => void,
): AuditFigures {
  for (const { action, name, acknowledged, isMade, entries } of changes) {
    const what = `I8 ${action} of ${name}`;
    if (acknowledged && !isMade) breach(`${what} was acknowledged and is not there`);
    if (isMade && entries !== 1) breach(`${what} was made and has ${entries} audit entries`);
    if (!isMade && entries > 0) breach(`${what} was not made and has ${entries} audit entries`);
  }
  for (const stray of strayEntries) breach(`I8 nobody made what the audit log says: ${stray}`);
  if (chainProblem !== undefined) breach(`I8 the chain of the audit log is broken: ${chainProblem}`);
  return {
    acknowledged: changes.filter(({ acknowledged }) => acknowledged).length,
    madeUnanswered: changes.filter(({ acknowledged, isMade }) => isMade && !acknowledged).length,
    entries: changes.reduce((sum, { entries }) => sum + entries, 0),
  };
}
