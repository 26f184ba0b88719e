/**
 * Deletes files from node_modules that this machine never uses: Temporal's prebuilt binaries for four other platforms,
 * its Rust sources, the C headers of Node, and source maps. Runs after `npm ci` and `npm install`, and when the image
 * is built. Idempotent.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const modules = join(import.meta.dirname, '../../node_modules');
const remove = (path: string): void => {
  rmSync(path, { recursive: true, force: true });
};

/**
 * Maps Node's names of platforms and processors to the parts of the folder names in @temporalio/core-bridge/releases.
 * Source: `common.js` of that package.
 */
const targets: Readonly<Record<string, string>> = {
  x64: 'x86_64',
  arm64: 'aarch64',
  darwin: 'apple-darwin',
  linux: 'unknown-linux-gnu',
  win32: 'pc-windows-msvc',
};
const own = `${targets[process.arch]}-${targets[process.platform]}`;
const bridge = join(modules, '@temporalio/core-bridge');
const platforms = readdirSync(join(bridge, 'releases'));
// If there is no prebuilt binary for this platform, keeps the sources, because they are needed to build one.
if (platforms.includes(own)) {
  for (const platform of platforms) if (platform !== own) remove(join(bridge, 'releases', platform));
  for (const sources of ['sdk-core', 'src']) remove(join(bridge, sources));
}

// Removes the C headers from Node's npm package, if npm has installed it. The image does not contain this package.
for (const name of readdirSync(modules)) {
  if (/^node-(linux|darwin|win)-/.test(name)) remove(join(modules, name, 'include'));
}

/** Packages whose source maps Temporal's bundler reads; without them it warns about each of their files. */
const keepsMaps: ReadonlySet<string> = new Set(['@temporalio', 'nexus-rpc', 'long']);
for (const folder of readdirSync(modules, { withFileTypes: true })) {
  if (!folder.isDirectory() || keepsMaps.has(folder.name)) continue;
  const files = readdirSync(join(modules, folder.name), { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of files) if (name.endsWith('.map')) remove(join(parentPath, name));
}
