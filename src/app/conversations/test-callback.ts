import { v7 as newId } from 'uuid';
import type { Prepared, PublicHttp, Sent } from '../../adapters/http/public-http.ts';
import type { TestCallback } from '../../contract/conversations/webhook-endpoints.ts';
import { buildCallback } from '../../domain/conversations/callback.ts';
import { callbackHeaders, recordedText, resultOf } from './post-callback.ts';

const maxAnswerBytes = 64 * 1024;
/** Maximum characters of the receiver's response that the console shows. Chosen: enough to recognize the response. */
const maxAnswerChars = 1000;
const maxHeaders = 50;
const maxHeaderChars = 300;

/** Builds the JSON body of the sample callback: an agent's answer, with random ids. */
function sample(now: Date): string {
  return JSON.stringify(
    buildCallback(
      {
        event: 'message.completed',
        agent_id: newId(),
        conversation_id: newId(),
        message_id: newId(),
        response: 'This is a test callback from Parley.',
        model: 'scripted/default',
        credits_used: 0,
        attachments_processed: 0,
        responding_agent_name: 'Test',
        pre_transfer: false,
        by_person: false,
        followup_attempt: null,
      },
      { test: true },
      now,
    ),
  );
}

/**
 * Sends one sample callback to a URL, with the HTTP client of real callbacks. Sends at most one request.
 * @param secrets the signing secrets of the URL's endpoint; if empty, the callback is not signed
 * @returns the outcome, even if the request was blocked or failed
 */
export async function sendTestCallback(
  { http, timeoutMs }: { http: Pick<PublicHttp, 'prepare' | 'send'>; timeoutMs: number },
  { url, organizationId, secrets }: { url: string; organizationId: string; secrets: readonly string[] },
): Promise<TestCallback> {
  const id = newId();
  const now = new Date();
  const body = sample(now);
  const shared = { id, url, attempted_at: now.toISOString(), signed: secrets.length > 0, request_body: body };
  const prepared = await http.prepare(url, organizationId);
  if (prepared.kind !== 'allowed') return { ...shared, ...refusal(prepared) };
  const sent = await http.send(prepared.target, {
    method: 'POST',
    headers: { ...callbackHeaders({ id, at: now, body }, secrets), 'parley-test': 'true' },
    body,
    timeoutMs,
    maxBytes: maxAnswerBytes,
  });
  const { status, httpStatus, error, durationMs } = resultOf(sent);
  return {
    ...shared,
    outcome: status === 'delivered' ? 'delivered' : 'failed',
    ...(httpStatus !== undefined && { http_status: httpStatus }),
    ...(error !== undefined && { error }),
    ...(durationMs !== undefined && { duration_ms: Math.round(durationMs) }),
    ...(sent.outcome === 'answered' && {
      headers: shownHeaders(sent),
      response_body: recordedText(sent.body, maxAnswerChars),
    }),
  };
}

function refusal(prepared: Exclude<Prepared, { kind: 'allowed' }>): Pick<TestCallback, 'outcome' | 'error'> {
  if (prepared.kind === 'blocked') return { outcome: 'blocked', error: prepared.reason };
  return prepared.reason === 'not_found'
    ? { outcome: 'blocked', error: 'the name does not resolve' }
    : { outcome: 'failed', error: 'the name could not be looked up' };
}

function shownHeaders({ headers }: Extract<Sent, { outcome: 'answered' }>): TestCallback['headers'] {
  return Object.entries(headers)
    .slice(0, maxHeaders)
    .map(([name, value]) => ({
      name: name.slice(0, maxHeaderChars),
      value: [value ?? []].flat().join(', ').slice(0, maxHeaderChars).toWellFormed().replaceAll('\0', ''),
    }));
}
