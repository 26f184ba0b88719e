/** Parses server-sent events from a response body as they arrive. */
export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** Ends with the body and throws if it breaks off. Skips comments, which are heartbeats. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventFrom(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @param block the text between two empty lines */
export function eventFrom(block: string): ServerEvent | undefined {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
      .join('\n');
  const data = field('data');
  return data === '' ? undefined : { id: field('id'), event: field('event'), data };
}
