import { cancellationSignal } from '@temporalio/activity';
import type { RehearsalDeps } from '../../src/app/rehearsals/deps.ts';
import type { Progress } from '../../src/adapters/postgres/rehearsals/rehearsal-turns.ts';
import { rehearse } from '../../src/app/rehearsals/rehearse.ts';

/**
 * Asks the next turns of a rehearsal, and returns its progress. Safe to repeat: a turn with a recorded outcome is not
 * asked again.
 */
export function rehearseActivity(deps: RehearsalDeps) {
  return async (id: string): Promise<Progress> => await rehearse(deps, id, cancellationSignal());
}
