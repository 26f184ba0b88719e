/**
 * Receives callbacks in local mode, prints them and responds with 200. If a body is larger than `bodyBytes`, prints
 * only its beginning and responds with 413.
 */
import { createServer } from 'node:http';

export type Echo = Readonly<{
  /** Address of the receiver, as `host:port` for CALLBACK_ALLOW. */
  address: string;
  url: string;
  close: () => Promise<void>;
}>;

const bodyBytes = 2_000_000;

/**
 * Starts the receiver on 127.0.0.1.
 * @param print called once for each callback
 * @throws the error of `listen`, for example if the port is in use
 */
export async function startEcho(port: number, print: (text: string) => void): Promise<Echo> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bodyBytes) chunks.push(chunk);
    });
    request.on('end', () => {
      const time = new Date().toLocaleTimeString('en-GB');
      const line = `${request.method ?? ''} ${printable(request.url ?? '')}`;
      print(`\n${time} callback received: ${line}\n${pretty(Buffer.concat(chunks).toString())}\n`);
      const tooLarge = bytes > bodyBytes;
      response.writeHead(tooLarge ? 413 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ received: !tooLarge }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${port}`;
  return {
    address,
    url: `http://${address}/callback`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Indents the body if it is JSON. Escapes or replaces control characters, so that they cannot affect the terminal.
 */
function pretty(body: string): string {
  try {
    return printable(JSON.stringify(JSON.parse(body), null, 2));
  } catch {
    return printable(body);
  }
}

function printable(text: string): string {
  // Replaces all control characters except line breaks and tabs. JSON.stringify escapes only those below U+0020, not
  // DEL and the C1 controls.
  return text.replace(/[^\P{Cc}\n\t]/gu, '\u{FFFD}');
}
