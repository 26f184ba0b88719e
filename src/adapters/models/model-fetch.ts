/**
 * Creates the `fetch` for model providers. It follows no redirect, and limits the size of responses. If a stream was
 * requested and a successful response is JSON, it converts the response to a stream. It rewrites errors within streams
 * to the form that the AI SDK reads.
 */
import { z } from 'zod';

export type ModelFetch = typeof fetch;

/** Maximum bytes of one response. Chosen. */
export const maxAnswerBytes = 8 * 1024 * 1024;

/** Returns the `fetch` for one provider. @param inner sends the request; default: the global fetch */
export function modelFetch(inner: ModelFetch = fetch): ModelFetch {
  return async (input, init) => {
    const response = await inner(input, { ...init, redirect: 'error' });
    const copy = new Response(response.body && ReadableStream.from(capped(response.body)), response);
    const type = response.headers.get('content-type') ?? '';
    const asked = typeof init?.body === 'string' && init.body.includes('"stream":true');
    return asked && response.ok && type.includes('application/json') ? await asStream(copy) : copy;
  };
}

/** Passes on the chunks, changed by `withErrorAsData`. @throws Error if they exceed `maxAnswerBytes` bytes in total */
async function* capped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of body) {
    seen += chunk.byteLength;
    if (seen > maxAnswerBytes) throw new Error(`the answer is over ${maxAnswerBytes} bytes`);
    yield withErrorAsData(chunk);
  }
}

const errorLine = Buffer.from('error: {');

/**
 * Rewrites the line `error: {…}` as an SSE `data` line. Until the end of 2025, llama.cpp reported an error within a
 * stream with such a line, in one write. SSE parsers would skip it.
 */
function withErrorAsData(chunk: Uint8Array): Uint8Array {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const at = bytes.indexOf(errorLine);
  if (at === -1 || (at > 0 && bytes[at - 1] !== 0x0a)) return chunk;
  const lineEnd = bytes.indexOf(0x0a, at);
  const end = lineEnd === -1 ? bytes.length : lineEnd;
  const error = bytes.subarray(at + errorLine.length - 1, end);
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from('data: {"error":'),
    error,
    Buffer.from('}'),
    bytes.subarray(end),
  ]);
}

const completion = z.looseObject({
  choices: z.array(
    z.looseObject({
      message: z.looseObject({ tool_calls: z.array(z.looseObject({})).nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
});

/**
 * Converts an unstreamed chat completion to a stream of one chunk, and any other JSON, such as an error, to a stream of
 * one event. Does not change a body that is not JSON.
 */
async function asStream(response: Response): Promise<Response> {
  const body = await response.text();
  const value = parseJson(body);
  if (value === undefined) return new Response(body, response);
  const parsed = completion.safeParse(value);
  const event = parsed.success ? chunkOf(parsed.data) : value;
  return new Response(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`, {
    status: response.status,
    headers: { 'content-type': 'text/event-stream' },
  });
}

function chunkOf({ choices, ...rest }: z.output<typeof completion>): object {
  return {
    ...rest,
    choices: choices.map(({ message, finish_reason }, index) => ({
      index,
      delta: {
        ...message,
        tool_calls: message.tool_calls?.map((call, position) => ({ index: position, ...call })),
      },
      finish_reason: finish_reason ?? 'stop',
    })),
  };
}

/** @returns the parsed value; undefined if the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
