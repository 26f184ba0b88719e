/**
 * Downloads one of Temporal's programs with the SDK. The SDK downloads only when it starts a server, so this script
 * starts one on a free port and stops it at once; the file remains. It is a separate process because the download
 * cannot be cancelled otherwise.
 * Usage: node sdk-download.ts dev-server|time-skipping VERSION FOLDER
 */
import { Runtime } from '@temporalio/worker';

const [kind, version, folder] = process.argv.slice(2);
if (version === undefined || folder === undefined) {
  throw new Error('usage: sdk-download.ts dev-server|time-skipping VERSION FOLDER');
}

const exe = {
  type: 'cached-download' as const,
  downloadDir: folder,
  version,
  ttl: 24 * 60 * 60 * 1000,
  sdkName: 'sdk-typescript',
  sdkVersion: '',
};
const runtime = Runtime.instance();
process.on('uncaughtException', (error) => {
  // The SDK nests the error and repeats the address at each level; the last level names the cause.
  console.error(error.message.replace(/^.*\): /s, ''));
  process.exit(1);
});
const server = await runtime.createEphemeralServer(
  kind === 'dev-server'
    ? {
        type: 'dev-server',
        exe,
        namespace: 'default',
        ip: '127.0.0.1',
        port: null,
        uiPort: null,
        dbFilename: null,
        ui: false,
        log: { format: 'pretty', level: 'error' },
        extraArgs: [],
      }
    : { type: 'time-skipping', exe, port: null, extraArgs: [] },
);
await runtime.shutdownEphemeralServer(server);
