/**
 * Downloads one of Temporal's programs from Temporal's download server. The file gets no execute permission, because
 * the caller must check the program before anything runs it; the download function of Temporal's SDK would run it
 * unchecked. Runs as a separate process, so that the caller can kill a stalled download and can set the proxy
 * variables, which Node reads only at its start.
 * Usage: node download-program.ts ORIGIN ARTIFACT VERSION FILE
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { atMost, reason } from './bounded-download.ts';

/** Maximum bytes of the archive. Chosen: the archive of temporal 1.9.1 is 45 MB. */
const maxArchiveBytes = 200e6;
/** Maximum bytes of the program in the archive. Chosen: the program of temporal 1.9.1 is 156 MB. */
const maxProgramBytes = 500e6;
/** Maximum bytes of the response that contains the URL of the archive and the name of the file in it. Chosen. */
const maxInfoBytes = 20_000;

const [origin, artifact, version, file] = process.argv.slice(2);
if (origin === undefined || artifact === undefined || version === undefined || file === undefined) {
  throw new Error('usage: download-program.ts ORIGIN ARTIFACT VERSION FILE');
}

try {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const asked = new URL(`/${artifact}/${version}?arch=${arch}&platform=${platform}&format=tar.gz`, origin);
  const { archiveUrl, fileToExtract } = z
    .object({
      // The URL must have the scheme of the requested server: https, except in a test.
      archiveUrl: z.url().refine((url) => new URL(url).protocol === asked.protocol),
      // The name must not begin with a hyphen, because tar would read it as an option.
      fileToExtract: z.string().regex(/^\w[\w./-]*$/),
    })
    .parse(JSON.parse(await text(atMost(await bodyOf(asked), maxInfoBytes))));

  // tar writes to standard output (-O), so that it creates no files, whatever the archive contains.
  const tar = spawn('tar', ['-xzOf', '-', fileToExtract], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve, reject) => {
    tar.on('error', reject);
    tar.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`tar ended with ${code}`));
    });
  });
  await Promise.all([
    ended,
    pipeline(atMost(await bodyOf(new URL(archiveUrl)), maxArchiveBytes), tar.stdin),
    pipeline(atMost(tar.stdout, maxProgramBytes), createWriteStream(file, { mode: 0o600, flags: 'wx' })),
  ]);
} catch (error) {
  console.error(reason(error));
  process.exit(1);
}

/** @throws Error if the response is not 2xx or has no body; the error of `fetch` */
async function bodyOf(url: URL): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new Error(`${url.host} answered ${response.status}`);
  return response.body;
}
