import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { fetchFile, patienceMs } from '../../src/app/conversations/fetch-file.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Fetches an attachment before the model call that needs it. If the file cannot be fetched, or is still unavailable
 * after 30 s, its state is recorded, and the run continues without it.
 */
export function fetchAttachmentActivity(deps: ActivityDeps) {
  return async (attachmentId: string): Promise<void> => {
    const isLastTry = Date.now() - activityInfo().scheduledTimestampMs > patienceMs;
    await fetchFile(deps, attachmentId, { isLastTry, signal: cancellationSignal() });
  };
}
