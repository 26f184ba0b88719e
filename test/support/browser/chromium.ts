/**
 * A Chromium for the browser tests: one on PATH, else one that npm brings into the cache, so that a fresh machine needs
 * no step of its own.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from '../../../src/local/cache-folder.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const elsewhere = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Chromium for Linux in an npm package. */
const packaged = '@sparticuz/chromium@153.0.0';

/** @returns the path of the program */
export function findChromium(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...elsewhere];
  return candidates.find(isProgram) ?? bringChromium();
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}

function bringChromium(): string {
  const folder = join(cacheFolder(), 'chromium');
  const entry = join(folder, 'node_modules/@sparticuz/chromium/build/index.js');
  if (!existsSync(entry)) {
    const install = ['install', '--no-audit', '--no-fund', '--silent', '--prefix', folder, packaged];
    execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const unpack =
    'import("@sparticuz/chromium").then(({ default: it }) => it.executablePath()).then((path) => console.log(path))';
  return execFileSync(process.execPath, ['--input-type=module', '--eval', unpack], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
}
