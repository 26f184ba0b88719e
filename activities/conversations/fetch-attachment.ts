/** Fetches an attachment that was given as a URL, before its run begins. */
import { activityInfo } from '@temporalio/activity';
import { fetchFile, patienceMs } from '../../src/app/conversations/fetch-file.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { beating } from '../../src/worker/heartbeat.ts';

export function fetchAttachmentActivity(deps: ActivityDeps) {
  return {
    /** What cannot be fetched is recorded as such: the run goes on, and the model is told. */
    async fetchAttachment(attachmentId: string): Promise<void> {
      const isLastTry = Date.now() - activityInfo().scheduledTimestampMs > patienceMs;
      await beating(() => fetchFile(deps, attachmentId, { isLastTry }));
    },
  };
}
