import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { fetchFile, patienceMs } from '../../src/app/conversations/fetch-file.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Fetches an attachment that was given as a URL, before its run starts. Records a file that cannot be fetched as
 * failed: the run continues, and the model is told why.
 */
export function fetchAttachmentActivity(deps: ActivityDeps) {
  return async (attachmentId: string): Promise<void> => {
    const isLastTry = Date.now() - activityInfo().scheduledTimestampMs > patienceMs;
    await fetchFile(deps, attachmentId, { isLastTry, signal: cancellationSignal() });
  };
}
