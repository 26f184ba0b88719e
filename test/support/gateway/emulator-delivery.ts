/** Posts events to the configured webhooks as the gateway does: filters, suffixes on the URL, several attempts. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EmulatedWebhook, EmulatorState } from './emulator-state.ts';

export type WebhookAnswer = { readonly url: string; readonly status: number; readonly text: string };

const errorsKept = 20;
const answerMs = 15_000;

type Event = { EventType?: unknown; message?: Record<string, unknown> };

export async function deliver(state: EmulatorState, body: Event): Promise<WebhookAnswer[]> {
  const answers: WebhookAnswer[] = [];
  for (const webhook of state.webhooks) {
    if (passes(webhook, body)) answers.push(await post(state, webhookUrl(webhook, body), body));
  }
  return answers;
}

function passes(webhook: EmulatedWebhook, body: Event): boolean {
  const name = typeof body.EventType === 'string' ? body.EventType : '';
  if (!webhook.enabled || !webhook.events.includes(name)) return false;
  const { message = {} } = body;
  const excluded: Record<string, boolean> = {
    wasSentByApi: message['wasSentByApi'] === true,
    isGroupYes: message['isGroup'] === true,
    isGroupNo: message['isGroup'] === false,
    fromMeYes: message['fromMe'] === true,
    fromMeNo: message['fromMe'] === false,
  };
  return !webhook.excludeMessages.some((filter) => excluded[filter] === true);
}

function webhookUrl(webhook: EmulatedWebhook, body: Event): string {
  const type = body.message?.['messageType'];
  return [
    webhook.url,
    ...(webhook.addUrlEvents ? ['messages'] : []),
    ...(webhook.addUrlTypesMessages && typeof type === 'string' ? [type] : []),
  ].join('/');
}

async function post(state: EmulatorState, url: string, body: Event): Promise<WebhookAnswer> {
  let last: WebhookAnswer = { url, status: 0, text: '' };
  const { attempts, waitMs } = state.webhookTries;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (attempt > 1 && waitMs > 0) await delay(waitMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMs),
      });
      last = { url, status: response.status, text: await response.text() };
      if (response.ok) return last;
    } catch (error) {
      last = { url, status: 0, text: error instanceof Error ? error.message : 'failed' };
    }
  }
  state.webhookErrors.unshift({
    url,
    attempts,
    status_code: last.status,
    error: last.text.slice(0, 200),
    created: new Date().toISOString(),
  });
  state.webhookErrors.splice(errorsKept);
  return last;
}
