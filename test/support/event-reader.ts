/** Reads a streamed answer as its callers do, and each event by the contract's schema. */
import assert from 'node:assert/strict';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { streamEvent } from '../../src/contract/conversations/stream.ts';
import type { ApiClient } from './api-client.ts';
import type { z } from 'zod';

export type Told = z.output<typeof streamEvent> & { id: string };

type Call = { body?: Record<string, unknown>; headers?: Record<string, string> };

/** @param path of a GET, or of a POST where a body is given. Whoever stops reading hangs up. */
export async function* told(
  api: ApiClient,
  path: string,
  { body, headers }: Call = {},
): AsyncGenerator<Told, undefined> {
  const gone = new AbortController();
  const response = await fetch(`${api.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${api.token}`,
      accept: 'text/event-stream',
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: gone.signal,
  });
  assert.equal(response.status, 200, `${path}: ${response.status}`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  assert.ok(response.body);
  try {
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { id = '', event, data } of events) {
      yield { id, ...streamEvent.parse({ event, data: JSON.parse(data) as unknown }) };
    }
    return undefined;
  } finally {
    gone.abort();
  }
}

/**
 * Returns the path of a `stream_url`, which begins with the API's origin if that is known, as a caller of the API
 * appends it to `/v1`.
 */
export const pathOf = (streamUrl: string) =>
  new URL(streamUrl, 'http://localhost').pathname.slice('/v1'.length);

export async function allTold(events: AsyncIterable<Told>): Promise<Told[]> {
  const all: Told[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Returns the texts of the steps, by number, that a caller shows after these events. */
export function textsOf(events: readonly Told[]): string[] {
  const texts: string[] = [];
  for (const { event, data } of events) {
    if (event === 'delta') texts[data.step] = (texts[data.step] ?? '') + data.text;
    if (event === 'restart') texts[data.step] = '';
  }
  return texts;
}

/** @returns the kinds of the events in order, each once where it repeats */
export const kinds = (events: readonly Told[]) =>
  events.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1]);

/** @returns the last event @throws AssertionError if there is none */
export const lastOf = (events: readonly Told[]) => {
  const last = events.at(-1);
  assert.ok(last);
  return last;
};
