/**
 * `npm run measure:markdown`: time and memory of our Markdown reader and of mdast-util-from-markdown with
 * micromark-extension-gfm, on hostile texts. The library is installed into a temporary folder, because nothing else uses it.
 */
import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { maxText } from '../../src/contract/workspace/actions.ts';
import { readBlocks } from '../../src/workspace/markdown/read-blocks.ts';

const packages = ['mdast-util-from-markdown@2.1.0', 'micromark-extension-gfm@3.0.0', 'mdast-util-gfm@3.1.0'];
const sizes = [10_000, 30_000, 100_000, maxText.body];
/** A longer text would only take longer. */
const maxMs = 10_000;

const units = [
  '*a **b ',
  '[',
  ']',
  '](',
  '![',
  '<',
  '> ',
  '- ',
  '|',
  '*',
  '`',
  '#',
  ' ',
  '\u2028',
  'a [b](c) *d*\n',
];

type Measured = { ms: number; mebibytes: number; error?: string };

/** Runs in a process of its own, so that the memory is that of one call. */
async function measure(folder: string, unit: string, size: number): Promise<Measured> {
  const read = folder === '' ? readBlocks : await libraryIn(folder);
  const text = `a${unit.repeat(Math.ceil(size / unit.length))}`;
  read('*warm* [up](http://a.example)');
  const before = process.resourceUsage().maxRSS;
  const began = performance.now();
  let error: string | undefined;
  try {
    read(text);
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.message : String(thrown);
  }
  const ms = Math.round(performance.now() - began);
  const mebibytes = Math.round((process.resourceUsage().maxRSS - before) / 1024);
  return { ms, mebibytes, ...(error === undefined ? {} : { error }) };
}

async function libraryIn(folder: string): Promise<(text: string) => unknown> {
  type Functions = Record<string, (...given: unknown[]) => unknown>;
  const load = async (name: string) =>
    (await import(join(folder, 'node_modules', name, 'index.js'))) as Functions;
  const { fromMarkdown } = await load('mdast-util-from-markdown');
  const { gfm } = await load('micromark-extension-gfm');
  const { gfmFromMarkdown } = await load('mdast-util-gfm');
  return (text) => fromMarkdown!(text, { extensions: [gfm!()], mdastExtensions: [gfmFromMarkdown!()] });
}

async function inProcess(folder: string, unit: string, size: number): Promise<Measured | undefined> {
  const child = fork(fileURLToPath(import.meta.url), ['measure', folder, unit, String(size)]);
  const timeout = setTimeout(() => child.kill('SIGKILL'), maxMs);
  const answer = await new Promise<Measured | undefined>((resolve) => {
    child.once('message', (message) => {
      resolve(message as Measured);
    });
    child.once('exit', () => {
      resolve(undefined);
    });
  });
  clearTimeout(timeout);
  return answer;
}

if (process.argv[2] === 'measure') {
  const [folder = '', unit = '', size] = process.argv.slice(3);
  process.send!(await measure(folder, unit, Number(size)));
  process.disconnect();
} else {
  const folder = mkdtempSync(join(tmpdir(), 'markdown-'));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', '--prefix', folder, ...packages]);
  for (const unit of units) {
    console.log(`a, ${JSON.stringify(unit)}…`);
    for (const [name, place] of [
      ['ours', ''],
      ['library', folder],
    ] as const) {
      for (const size of sizes) {
        const found = await inProcess(place, unit, size);
        const told = found === undefined ? `more than ${maxMs} ms` : `${found.ms} ms, ${found.mebibytes} MiB`;
        console.log(
          `  ${name}, ${size} characters: ${told}${found?.error === undefined ? '' : `, ${found.error}`}`,
        );
        if (found === undefined) break;
      }
    }
  }
  rmSync(folder, { recursive: true });
}
