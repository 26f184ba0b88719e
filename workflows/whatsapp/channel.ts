/**
 * Runs the checks of an agent's WhatsApp channel one at a time. Postgres stores their parameters and results; the
 * history contains only the ids of checks and the names of results.
 */
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import { channelCheckUpdate, isRowId, readMs, type ChannelStart } from '../../src/contract/workflows.ts';
import { checkActivities } from '../policies.ts';

/**
 * Runs channel checks until no check has been requested for `idleMs`. The next check then starts the workflow again.
 * @param start.idleMs milliseconds, from 0 to one day. If it is absent or out of this range, ten minutes apply.
 */
export async function channel(start?: ChannelStart): Promise<void> {
  const idleMs = readMs(start?.idleMs, 600_000);
  let steps = 0;
  let busy = false;
  setHandler(
    channelCheckUpdate,
    async (checkId) => {
      steps += 1;
      await condition(() => !busy);
      busy = true;
      try {
        const result = await checkActivities.checkChannel(checkId);
        setCurrentDetails(`Last step: **${result}**`);
        return result;
      } finally {
        busy = false;
      }
    },
    {
      description: 'One step of the connection: connect, verify, edit or disconnect.',
      validator: (checkId) => {
        if (!isRowId(checkId))
          throw ApplicationFailure.nonRetryable('The argument must be the id of a step.', 'NoStep');
      },
    },
  );
  let seen: number;
  do {
    seen = steps;
  } while (await condition(() => steps > seen, idleMs, { summary: 'idle' }));
  await condition(allHandlersFinished);
}
