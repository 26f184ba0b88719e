/** Fetches the files of messages that started no run, and those that a run could not wait for: the gateway hands
 *  them out for two days only. */
import { findFilesForLater } from '../../adapters/postgres/conversations/attachments.ts';
import type { ActivityDeps } from '../deps.ts';
import { fetchFile } from '../conversations/fetch-file.ts';

const batch = 100;
const atOnce = 8;

/** What cannot be fetched now is taken up at the next look, until its time is over. */
export async function keepFiles(deps: ActivityDeps): Promise<void> {
  const left = await findFilesForLater(deps.db, batch);
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let file = left.pop(); file !== undefined; file = left.pop()) {
        await fetchFile(deps, file.id, { isLastTry: file.is_old }).catch(() => undefined);
      }
    }),
  );
}
