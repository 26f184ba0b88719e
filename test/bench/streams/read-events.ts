/** Server-sent events over a bare connection of Node's: what reads must cost less than what is read from. */
import { request } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Posts, and reads the answer until its end or until `take` says false. Rejects if it is no 200 or breaks off. */
export async function readEvents(
  url: string,
  call: { headers: Record<string, string>; body: object },
  take: (event: EventSourceMessage) => boolean,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const headers = {
      ...call.headers,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    };
    const outgoing = request(url, { method: 'POST', headers, agent: false }, (incoming) => {
      if (incoming.statusCode !== 200) {
        reject(new Error(`POST ${url}: ${incoming.statusCode}`));
        outgoing.destroy();
        return;
      }
      const parser = createParser({
        onEvent: (event) => {
          try {
            if (take(event)) return;
            resolve();
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
          outgoing.destroy();
        },
      });
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        parser.feed(chunk);
      });
      incoming.on('end', resolve).on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(call.body));
  });
}
