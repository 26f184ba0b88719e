/**
 * `npm run walks [-- --into FOLDER] [NAME …]`: plays people from the sign-in of a fresh `npm start` to their goal in
 * Chromium, with numbered pictures in dist/walks/NAME or FOLDER/NAME, and prints a table. Ends with 1 if a goal is not
 * reached or a maximum is broken.
 *
 * The seconds of a walk are a person's: what the keystroke-level model estimates for their clicks, keys and reading
 * (`walker.ts`), and the seconds of the script, which stand for the waits. The start of `npm start` and the fetch of a
 * model that is not in the cache folder are printed apart.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { projectRoot } from '../../src/local/project-root.ts';
import { ApiClient } from '../support/api-client.ts';
import { findChromium } from '../support/browser/chromium.ts';
import { Visitor } from '../support/browser/visitor.ts';
import { endCopies, freshFolder, startCopy } from '../support/local-copy.ts';
import { blockedWebhook } from './blocked-webhook.ts';
import { firstAnswer } from './first-answer.ts';
import { importedTool } from './imported-tool.ts';
import { takeoverOnPhone } from './takeover-on-phone.ts';
import { brokenMaxima, paceOf, type Start, type Walk } from './walk.ts';
import { Walker } from './walker.ts';

const walks = [firstAnswer, importedTool, blockedWebhook, takeoverOnPhone];

const { values, positionals } = parseArgs({
  options: { into: { type: 'string', default: join(projectRoot, 'dist/walks') } },
  allowPositionals: true,
});
const chosen = walks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !walks.some((walk) => walk.name === name));
if (unknown.length > 0)
  throw new Error(`no walk: ${unknown.join(', ')}; there are ${walks.map(({ name }) => name).join(', ')}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endCopies().finally(() => process.exit(130)));

/** @returns its row of the table, and what is wrong */
async function take(walk: Walk, browser: Browser): Promise<{ row: string[]; problems: string[] }> {
  const folder = join(resolve(values.into), walk.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const problems: string[] = [];
  const apart: string[] = [];
  let visitor: Visitor | undefined;
  let walker: Walker | undefined;
  const begin = async (settings: Record<string, string> = {}): Promise<Start> => {
    const from = performance.now();
    const copy = startCopy(freshFolder(), settings, ['npm', 'start', '--silent']);
    const running = await copy.ready();
    apart.push(`npm start ${seconds((performance.now() - from) / 1000)}`);
    visitor = await Visitor.arrive(browser, running.origin, { width: walk.width ?? 1280 });
    // The console asks who is signed in: nobody.
    visitor.expectRefusals();
    await visitor.open('/');
    walker = new Walker(visitor.page, folder);
    return { walker, copy, running, api: new ApiClient(running.base_url, running.token) };
  };
  const judged = await walk
    .play(begin)
    .then(() => walker && { walk, walker: { seconds: walker.seconds, effort: { ...walker.effort } } })
    .catch(async (error: unknown) => {
      problems.push(`${walk.name}: the goal is not reached. ${String(error)}`);
      await walker?.picture('not-reached').catch(() => undefined);
      return undefined;
    });
  await visitor?.leave().catch((error: unknown) => problems.push(`${walk.name}: ${String(error)}`));
  await endCopies();
  if (judged === undefined) return { row: [walk.name, ...Array<string>(6).fill('–')], problems };
  problems.push(...brokenMaxima(judged));
  apart.push(...(walker?.apart ?? []).map((one) => `${one.what} ${seconds(one.seconds)}`));
  const { clicks, fields } = judged.walker.effort;
  const row = [
    walk.name,
    seconds(judged.walker.seconds),
    `${seconds(paceOf(judged))} of ${walk.max.seconds}`,
    `${clicks} of ${walk.max.clicks}`,
    String(fields),
    apart.join(', '),
    relative(process.cwd(), folder),
  ];
  return { row, problems };
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;

function table(rows: string[][]): string {
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const rows = [['walk', 'script', 'person, of at most', 'clicks, of at most', 'fields', 'apart', 'pictures']];
const problems: string[] = [];
try {
  for (const walk of chosen) {
    console.log(`${walk.name}: ${walk.who}: ${walk.goal}`);
    const taken = await take(walk, browser);
    rows.push(taken.row);
    problems.push(...taken.problems);
  }
} finally {
  await browser.close();
  await endCopies();
}
console.log(`\n${table(rows)}`);
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
