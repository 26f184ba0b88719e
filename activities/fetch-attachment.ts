/** Fetches an attachment that was given as a URL, under the same address rules as callbacks. */
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { findUnfetched, keepFetched, laterError } from '../src/adapters/db/attachments.ts';
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';
import { transient } from './failures.ts';
import { laterMs, placeOfFile } from './place-of-file.ts';

const maxBytes = 16 * 1024 * 1024;
const timeoutMs = 30_000;
/** So long a run waits for a file that the gateway cannot give at the moment. */
const patienceMs = 30_000;

export function fetchAttachmentActivity(deps: ActivityDeps) {
  return {
    /** What cannot be fetched is recorded as such: the run goes on, and the model is told. */
    async fetchAttachment(attachmentId: string): Promise<void> {
      const isLastTry = Date.now() - activityInfo().scheduledTimestampMs > patienceMs;
      await beating(() => fetchFile(deps, attachmentId, { isLastTry }));
    },
  };
}

/**
 * @param isLastTry a file that cannot be had for now is recorded as such
 * @throws a transient failure where it is not the last try, and the gateway may give the file later
 */
export async function fetchFile(
  deps: ActivityDeps,
  attachmentId: string,
  tries: { isLastTry: boolean },
): Promise<void> {
  await deps.attempts.guarded(`file/${attachmentId}`, {
    work: async () => {
      await tryToFetch(deps, attachmentId, tries);
      return 'done';
    },
    giveUp: async (why) => {
      await keepFetched(deps.db, attachmentId, { error: `not fetched: ${why}` });
      return 'done';
    },
  });
}

async function tryToFetch(
  deps: ActivityDeps,
  attachmentId: string,
  { isLastTry }: { isLastTry: boolean },
): Promise<void> {
  const { db } = deps;
  const unfetched = await findUnfetched(db, attachmentId);
  if (unfetched === undefined) return;
  const giveUp = async (why: string, againMs?: number) => {
    if (againMs !== undefined && !isLastTry) {
      throw transient('FileLater', 'The file cannot be had for now.', Math.min(againMs, patienceMs));
    }
    const error = againMs === undefined ? 'not fetched' : laterError;
    await keepFetched(db, attachmentId, { error: `${error}: ${why}` });
  };
  const place = await placeOfFile(deps, unfetched, maxBytes);
  if ('error' in place) {
    await giveUp(place.error, place.laterMs);
    return;
  }
  const { url, http } = place;
  const again = place.isOfGateway ? laterMs : undefined;
  const outcome = await http.request({
    method: 'GET',
    url,
    organization: unfetched.organizationId,
    timeoutMs,
    maxBytes,
    signal: cancellationSignal(),
  });
  if (outcome.outcome !== 'answered') {
    await giveUp(outcome.reason, outcome.outcome === 'failed' ? again : undefined);
  } else if (outcome.truncated) {
    await giveUp(`over ${maxBytes} bytes`);
  } else if (outcome.status !== 200 || !outcome.bodyComplete) {
    const passes = outcome.status === 200 || outcome.status >= 500;
    await giveUp(`status ${outcome.status}`, passes ? again : undefined);
  } else {
    const contentType = outcome.headers['content-type'];
    await keepFetched(db, attachmentId, {
      content: outcome.body,
      ...(contentType !== undefined && { contentType }),
    });
  }
}
