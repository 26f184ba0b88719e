/** Fetches an attachment that was given as a URL, under the same address rules as callbacks. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { findUnfetched, keepFetched } from '../src/adapters/db/attachments.ts';
import type { ActivityDeps } from './deps.ts';
import { placeOfFile } from './place-of-file.ts';

const maxBytes = 16 * 1024 * 1024;
const timeoutMs = 30_000;
const heartbeatMs = 4000;

export function fetchAttachmentActivity(deps: ActivityDeps) {
  return {
    /** What cannot be fetched is recorded as such: the run goes on, and the model is told. */
    async fetchAttachment(attachmentId: string): Promise<void> {
      const unfetched = await findUnfetched(deps.db, attachmentId);
      if (unfetched === undefined) return;
      const beats = setInterval(heartbeat, heartbeatMs);
      try {
        const place = await placeOfFile(deps, unfetched, maxBytes);
        if ('error' in place) {
          await keepFetched(deps.db, attachmentId, { error: `not fetched: ${place.error}` });
          return;
        }
        const { url, http } = place;
        const outcome = await http.request({
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
