/**
 * Fetches files of channel messages for which no run waits: the message started no run, or its run ended before the
 * file was available. The gateway offers a file for only two days.
 */
import { findFilesForLater } from '../../adapters/postgres/conversations/attachments.ts';
import type { ActivityDeps } from '../deps.ts';
import { fetchFile } from '../conversations/fetch-file.ts';
import { inParallel } from '../in-parallel.ts';

const batch = 100;
const atOnce = 8;

/**
 * Fetches up to `batch` files, those of the oldest messages first. If a file is temporarily unavailable, later rounds
 * request it again, until its message is two days old. Ignores the errors of single files.
 */
export async function fetchRemainingFiles(deps: ActivityDeps, signal: AbortSignal): Promise<void> {
  await inParallel(await findFilesForLater(deps.db, batch), atOnce, async (file) => {
    await fetchFile(deps, file.id, { isLastTry: file.is_old, signal }).catch(() => undefined);
  });
}
