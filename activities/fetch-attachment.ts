/** Fetches an attachment that was given as a URL, under the same address rules as callbacks. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { findUnfetched, keepFetched } from '../src/adapters/db/attachments.ts';
import type { ActivityDeps } from './deps.ts';

const maxBytes = 16 * 1024 * 1024;
const timeoutMs = 30_000;
const heartbeatMs = 4000;

export function fetchAttachmentActivity(deps: ActivityDeps) {
  return {
    /** What cannot be fetched is recorded as such: the run goes on, and the model is told. */
    async fetchAttachment(attachmentId: string): Promise<void> {
      const url = await findUnfetched(deps.db, attachmentId);
      if (url === undefined) return;
      const beats = setInterval(heartbeat, heartbeatMs);
      try {
        const outcome = await deps.http.request({
          method: 'GET',
          url,
          timeoutMs,
          maxBytes,
          signal: cancellationSignal(),
        });
        if (outcome.outcome !== 'answered') {
          await keepFetched(deps.db, attachmentId, { error: `not fetched: ${outcome.reason}` });
        } else if (outcome.status !== 200 || !outcome.bodyComplete || outcome.truncated) {
          const why = outcome.truncated ? `over ${maxBytes} bytes` : `status ${outcome.status}`;
          await keepFetched(deps.db, attachmentId, { error: `not fetched: ${why}` });
        } else {
          const contentType = outcome.headers['content-type'];
          await keepFetched(deps.db, attachmentId, {
            content: outcome.body,
            ...(contentType !== undefined && { contentType }),
          });
        }
      } finally {
        clearInterval(beats);
      }
    },
  };
}
