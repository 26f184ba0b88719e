import { cancellationSignal } from '@temporalio/activity';
import type { RehearsalDeps } from '../../src/app/rehearsals/deps.ts';
import type { Progress } from '../../src/adapters/postgres/rehearsals/rehearsal-turns.ts';
import { rehearse } from '../../src/app/rehearsals/rehearse.ts';

/**
 * Rehearses the next turns of a rehearsal. A repeated call skips turns with a recorded outcome.
 * @returns how many turns have an outcome, how many have none, and whether the rehearsal continues
 * @throws a retryable failure if a turn must wait for a model slot or for credits, or the organization uses all of its
 * slots
 */
export function rehearseActivity(deps: RehearsalDeps) {
  return async (id: string): Promise<Progress> => await rehearse(deps, id, cancellationSignal());
}
