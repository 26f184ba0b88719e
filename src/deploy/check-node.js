/**
 * Ends an installation that could not start afterwards. The lock file holds Node 24 for Linux on x64 and arm64; on other
 * platforms the machine's own must be as new. JavaScript, because it also runs on the Node 20 that it reports.
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
