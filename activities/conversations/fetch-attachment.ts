import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { fetchFile, patienceMs } from '../../src/app/conversations/fetch-file.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Fetches an attachment before the model call. If the file cannot be fetched, or is still unavailable `patienceMs`
 * after the activity was scheduled, records this in the attachment's state, and the run continues without the file. A
 * repeated call fetches the file again, unless the file is stored or its state is final.
 * @throws a retryable failure if the file is temporarily unavailable and `patienceMs` have not passed, if this worker
 * has no memory left for the organization's fetches, or if the organization uses all of its slots
 */
export function fetchAttachmentActivity(deps: ActivityDeps) {
  return async (attachmentId: string): Promise<void> => {
    const isLastTry = Date.now() - activityInfo().scheduledTimestampMs > patienceMs;
    await fetchFile(deps, attachmentId, { isLastTry, signal: cancellationSignal() });
  };
}
