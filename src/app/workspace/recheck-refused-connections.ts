/** Connections that the workspace refused: asked again, in case it takes them by now. */
import { isDatabaseUnavailable } from '../../adapters/postgres/database.ts';
import { takeRefusedConnections } from '../../adapters/postgres/workspace/tool-connections.ts';
import type { DocsDeps } from './deps.ts';

const batch = 20;

export async function lookAtRefusedConnections({ db, credentials }: DocsDeps): Promise<void> {
  const due = await takeRefusedConnections(db, batch);
  await Promise.all(
    due.map(async (connection) => {
      try {
        await credentials.lookAgain(connection);
      } catch (error) {
        // A workspace that cannot be asked now, or a token sealed with a lost key: the next look is a minute away.
        if (isDatabaseUnavailable(error)) throw error;
      }
    }),
  );
}
