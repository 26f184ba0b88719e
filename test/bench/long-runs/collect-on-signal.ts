/** Loaded before a program (`--import`): at SIGWINCH, which nothing else minds, each of its threads collects its
 *  garbage and adds a line to the file `HELD_BYTES`: how many bytes are left, held by something. */
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
// Only contexts made from here on know it.
const collect = () => {
  runInNewContext('gc()');
  const { heapUsed, external } = process.memoryUsage();
  appendFileSync(process.env['HELD_BYTES'] ?? '/dev/null', `${heapUsed + external}\n`);
};
const channel = new BroadcastChannel('collect garbage');
channel.onmessage = collect;
channel.unref();
if (isMainThread) {
  process.on('SIGWINCH', () => {
    collect();
    channel.postMessage('collect');
  });
}
