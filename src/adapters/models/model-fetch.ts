/** fetch for model providers: answers capped in size; a server that does not stream is read as if it did. */
import { z } from 'zod';

const maxBytes = 8 * 1024 * 1024;

export async function modelFetch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'error' });
  const copy = new Response(response.body && ReadableStream.from(capped(response.body)), response);
  const type = response.headers.get('content-type') ?? '';
  const asked = typeof init?.body === 'string' && init.body.includes('"stream":true');
  return asked && response.ok && type.includes('application/json') ? await asStream(copy) : copy;
}

async function* capped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of body) {
    seen += chunk.byteLength;
    if (seen > maxBytes) throw new Error(`the answer is over ${maxBytes} bytes`);
    yield chunk;
  }
}

const completion = z.looseObject({
  choices: z.array(
    z.looseObject({
      message: z.looseObject({ tool_calls: z.array(z.looseObject({})).nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
});

/** A whole chat completion → the same as one streamed chunk. */
async function asStream(response: Response): Promise<Response> {
  const body = await response.text();
  const parsed = completion.safeParse(parseJson(body));
  if (!parsed.success) return new Response(body, response);
  const { choices, ...rest } = parsed.data;
  const chunk = {
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
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
    status: response.status,
    headers: { 'content-type': 'text/event-stream' },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
