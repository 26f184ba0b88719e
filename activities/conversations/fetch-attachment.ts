/** Fetches an attachment that was given as a URL, before its run starts. */
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { fetchFile, patienceMs } from '../../src/app/conversations/fetch-file.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { withHeartbeat } from '../../src/worker/heartbeat.ts';

export function fetchAttachmentActivity(deps: ActivityDeps) {
  return {
    /** Records a file that cannot be fetched as failed: the run continues, and the model is told why. */
    async fetchAttachment(attachmentId: string): Promise<void> {
      const isLastTry = Date.now() - activityInfo().scheduledTimestampMs > patienceMs;
      const signal = cancellationSignal();
      await withHeartbeat(() => fetchFile(deps, attachmentId, { isLastTry, signal }));
    },
  };
}
