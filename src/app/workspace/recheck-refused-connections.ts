/**
 * Checks refused connections again, because their workspaces may accept them now: up to `batch` of those whose next
 * check is due. Ignores the failures of single checks.
 * @throws a database error if Postgres is unavailable
 */
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
        // Only an unavailable database ends the round. After any other error, for example if the workspace cannot be
        // reached or the token cannot be decrypted, a later round checks the connection again.
        if (isDatabaseUnavailable(error)) throw error;
      }
    }),
  );
}
