/**
 * Makes `npm ci` and `npm install` fail if Parley would have to run on a Node older than 24. On Linux on x64 and arm64,
 * the lock file provides Node 24; on other platforms, the user must install it. Written in JavaScript, because it must
 * also run on an old Node, in order to report it.
 */
import { readFileSync } from 'node:fs';

const { optionalDependencies } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const { platform, arch, versions } = process;
const locked = `node-${platform}-${arch}` in optionalDependencies;
if (!locked && Number(versions.node.split('.')[0]) < 24) {
  console.error(
    `Parley needs Node 24, and brings it for Linux on x64 and arm64 only. This is Node ${versions.node} on ${platform}-${arch}: install Node 24 or newer (https://nodejs.org).`,
  );
  process.exit(1);
}
