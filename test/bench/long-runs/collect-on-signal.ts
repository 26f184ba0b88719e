/** Loaded before a program (`--import`): at SIGUSR2 each of its threads collects its garbage, so that what is left is
 *  held by something. */
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
  process.on('SIGUSR2', () => {
    collect();
    channel.postMessage('collect');
  });
}
