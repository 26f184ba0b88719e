import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { fetchFile, patienceMs } from '../../src/app/conversations/fetch-file.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Fetches an attachment before the model call that needs it. A file that cannot be fetched is recorded as failed: the
 * run continues, and the model gets the reason.
 */
export function fetchAttachmentActivity(deps: ActivityDeps) {
  return async (attachmentId: string): Promise<void> => {
    const isLastTry = Date.now() - activityInfo().scheduledTimestampMs > patienceMs;
    await fetchFile(deps, attachmentId, { isLastTry, signal: cancellationSignal() });
  };
}
