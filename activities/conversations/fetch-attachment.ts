import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { fetchFile, patienceMs } from '../../src/app/conversations/fetch-file.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Fetches an attachment before the model call that needs it. Records the attachment's state instead if the file cannot
 * be fetched, or is still unavailable after 30 s; the run then continues without it. A repeated call starts the fetch
 * again, unless the state is final.
 * @throws a retryable failure
 */
export function fetchAttachmentActivity(deps: ActivityDeps) {
  return async (attachmentId: string): Promise<void> => {
    const isLastTry = Date.now() - activityInfo().scheduledTimestampMs > patienceMs;
    await fetchFile(deps, attachmentId, { isLastTry, signal: cancellationSignal() });
  };
}
