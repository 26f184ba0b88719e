/**
 * Fetches files of channel messages that no run waits for: those of messages that started no run, and those that
 * arrived too late for their run. The gateway offers a file for only two days.
 */
import { findFilesForLater } from '../../adapters/postgres/conversations/attachments.ts';
import type { ActivityDeps } from '../deps.ts';
import { fetchFile } from '../conversations/fetch-file.ts';
import { inParallel } from '../in-parallel.ts';

const batch = 100;
const atOnce = 8;

/**
 * Fetches up to `batch` files. A file that cannot be fetched now is retried in later rounds, for the last time once its
 * message is two days old. Ignores the errors of single files.
 */
export async function fetchRemainingFiles(deps: ActivityDeps, signal: AbortSignal): Promise<void> {
  await inParallel(await findFilesForLater(deps.db, batch), atOnce, async (file) => {
    await fetchFile(deps, file.id, { isLastTry: file.is_old, signal }).catch(() => undefined);
  });
}
