/** Checks refused connections again, in case the workspace accepts them now. */
import { isDatabaseUnavailable } from '../../adapters/postgres/database.ts';
import { takeRefusedConnections } from '../../adapters/postgres/workspace/tool-connections.ts';
import type { DocsDeps } from './deps.ts';

const batch = 20;

export async function recheckRefusedConnections({ db, credentials }: DocsDeps): Promise<void> {
  const due = await takeRefusedConnections(db, batch);
  await Promise.all(
    due.map(async (connection) => {
      try {
        await credentials.recheck(connection);
      } catch (error) {
        // The workspace cannot be reached now, or the token was encrypted with a lost key. A later round checks the
        // connection again.
        if (isDatabaseUnavailable(error)) throw error;
      }
    }),
  );
}
