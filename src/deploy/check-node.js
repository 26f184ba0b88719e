/**
 * Stops an installation that could not be started later, because its Node is too old. The lock file contains Node 24
 * for Linux on x64 and arm64; other platforms must have Node 24 or newer themselves. Written in JavaScript, because it
 * must also run on an old Node, in order to report it.
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
