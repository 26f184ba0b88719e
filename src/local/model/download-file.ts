/**
 * Downloads a file, and continues after the bytes that FILE already has if the server allows it. Follows redirects to
 * the same scheme. Runs as a separate process, for the same reasons as download-program.ts.
 * Usage: node download-file.ts URL FILE BYTES, where BYTES is the exact size of the whole file
 */
import { createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { atMost, reason } from '../bounded-download.ts';

/** Maximum redirects. Chosen: a model hub redirects once, to the server of its files. */
const maxRedirects = 5;

const [address, file, size] = process.argv.slice(2);
if (address === undefined || file === undefined || size === undefined) {
  throw new Error('usage: download-file.ts URL FILE BYTES');
}

try {
  const bytes = Number(size);
  const known = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const from = known < bytes ? known : 0;
  const response = await request(new URL(address), from);
  const begin = response.status === 206 ? from : 0;
  await pipeline(
    atMost(response.body, bytes - begin, 'the file is larger than the pinned one'),
    createWriteStream(file, { mode: 0o600, flags: begin === 0 ? 'w' : 'a' }),
  );
  const got = statSync(file).size;
  if (got !== bytes) throw new Error(`the connection ended after ${got} of ${bytes} bytes`);
} catch (error) {
  console.error(reason(error));
  process.exit(1);
}

/**
 * Requests the file from byte `from` on, and follows redirects.
 * @returns the body, which is the whole file unless the status is 206
 * @throws Error if a redirect changes the scheme, there are more than `maxRedirects`, or the response is not 2xx or
 * begins at another byte
 */
async function request(
  first: URL,
  from: number,
): Promise<{ status: number; body: AsyncIterable<Uint8Array> }> {
  let url = first;
  for (let left = maxRedirects; left >= 0; left -= 1) {
    const headers = from === 0 ? {} : { range: `bytes=${from}-` };
    const response = await fetch(url, { headers, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      url = new URL(location, url);
      if (url.protocol !== first.protocol) throw new Error(`${url.host} does not use ${first.protocol}`);
      continue;
    }
    const begins = Number(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1]);
    if (response.status === 206 && begins !== from) throw new Error(`${url.host} sent another part`);
    if (!response.ok || response.body === null) throw new Error(`${url.host} answered ${response.status}`);
    return { status: response.status, body: response.body };
  }
  throw new Error(`${first.host} redirects more than ${maxRedirects} times`);
}
