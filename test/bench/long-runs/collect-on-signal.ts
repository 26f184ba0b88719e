/** Loaded before a program (`--import`): at SIGWINCH, which nothing else minds, each of its threads collects its
 *  garbage, so that what is left is held by something. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
// Only contexts made from here on know it.
const collect = () => {
  runInNewContext('gc()');
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
