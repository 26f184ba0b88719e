/**
 * `npm run bench:lighthouse`: what Lighthouse measures of the console: sign-in as a phone, the pages of a signed-in
 * administrator as a desktop. Medians of three runs, and what the last one found fault with, except performance. A run
 * of which Chromium recorded no page load has no figures: it is named, and another is made, up to `maxRuns` a page. Ends
 * with 1 if a page has no three runs or its performance is under its limit. The last line is JSON. Lighthouse is fetched
 * with npm into the cache folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ensureAdministrator } from '../../../src/adapters/accounts/administrator.ts';
import { inTransaction } from '../../../src/adapters/postgres/database.ts';
import { cacheFolder } from '../../../src/local/cache-folder.ts';
import { ensureConsole } from '../../../src/local/console-build.ts';
import { backing, stopBacking } from '../../support/backing.ts';
import { findChromium } from '../../support/browser/chromium.ts';
import { startStack } from '../../support/stack.ts';
import { median } from '../numbers.ts';

const version = '13.5.0';
const runs = 3;
const maxRuns = 6;
/** Scores of 100. */
const least = { mobile: 85, desktop: 90 };
const categories = ['performance', 'accessibility', 'best-practices'] as const;
type Scores = Record<(typeof categories)[number], number>;

const category = z.object({ score: z.number(), auditRefs: z.array(z.object({ id: z.string() })) });
const unrecorded = z.object({
  runtimeError: z.object({ code: z.enum(['NO_NAVSTART', 'NO_FCP', 'NO_LCP']) }),
});
const report = z.object({
  categories: z.object({ performance: category, accessibility: category, 'best-practices': category }),
  audits: z.record(z.string(), z.object({ score: z.number().nullable(), title: z.string() })),
});

function lighthouse(): string {
  const folder = join(cacheFolder(), `lighthouse-${version}`);
  const program = join(folder, 'node_modules/lighthouse/cli/index.js');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const options = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts', '--prefix', folder];
    execFileSync('npm', ['install', ...options, `lighthouse@${version}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return program;
}

/**
 * @param cookie of a session; none for a visitor who is not signed in
 * @returns Lighthouse's code if it got no trace of the page load
 */
function measure(
  url: string,
  form: keyof typeof least,
  folder: string,
  cookie?: string,
): (Scores & { faults: string[] }) | string {
  const into = join(folder, 'lighthouse.json');
  const options = [
    ...(form === 'desktop' ? ['--preset=desktop'] : []),
    ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
    `--only-categories=${categories.join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage',
    '--output=json',
    `--output-path=${into}`,
    '--quiet',
  ];
  rmSync(into, { force: true });
  const { status } = spawnSync(process.execPath, [lighthouse(), url, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, CHROME_PATH: findChromium() },
    timeout: 300_000,
  });
  const found: unknown = JSON.parse(readFileSync(into, 'utf8'));
  if (status !== 0) return unrecorded.parse(found).runtimeError.code;
  const { categories: scores, audits } = report.parse(found);
  const of = (name: (typeof categories)[number]): number => Math.round(scores[name].score * 100);
  return {
    performance: of('performance'),
    accessibility: of('accessibility'),
    'best-practices': of('best-practices'),
    faults: [...scores.accessibility.auditRefs, ...scores['best-practices'].auditRefs].flatMap(({ id }) => {
      const audit = audits[id];
      return audit === undefined || (audit.score ?? 1) === 1 ? [] : [audit.title];
    }),
  };
}

const { folder } = await backing();
await ensureConsole({ log: join(folder, 'console-build.log'), say: () => undefined });
// Without lines: they run in this process, which waits for Lighthouse.
const stack = await startStack({ lines: false });
try {
  const person = { email: 'measured@example.com', password: randomBytes(12).toString('base64url') };
  await inTransaction(stack.db, (tx) => ensureAdministrator(tx, stack.organizationId, person));
  const agent = await stack.api.createAgent({ script: [{ reply: 'ok' }] });
  const { conversation_id } = await stack.api.ask(agent.id, { message: 'hi' });
  const { origin } = new URL(stack.apiUrl);
  const signedIn = await fetch(`${origin}/console/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(person),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  if (signedIn.status !== 204 || cookie === '') throw new Error(`no sign-in: ${signedIn.status}`);
  const figures: Record<string, Scores> = {};
  for (const [path, form] of [
    ['/', 'mobile'],
    ['/', 'desktop'],
    ['/conversations', 'desktop'],
    [`/conversations/${conversation_id}`, 'desktop'],
    [`/agents/${agent.id}`, 'desktop'],
    ['/deliveries', 'desktop'],
    ['/docs', 'desktop'],
  ] as const) {
    // Without a session, `/` is the sign-in.
    const isOpen = form === 'mobile' || path === '/docs';
    const place = path.replace(conversation_id, 'ID').replace(agent.id, 'ID');
    const all: Exclude<ReturnType<typeof measure>, string>[] = [];
    for (let run = 0; run < maxRuns && all.length < runs; run++) {
      const measured = measure(`${origin}${path}`, form, folder, isOpen ? undefined : cookie);
      if (typeof measured === 'string')
        console.log(`${place} (${form}): no page load recorded (${measured})`);
      else all.push(measured);
    }
    if (all.length < runs) process.exitCode = 1;
    if (all.length === 0) continue;
    const of = (name: (typeof categories)[number]): number => median(all.map((one) => one[name]));
    const scores: Scores = {
      performance: of('performance'),
      accessibility: of('accessibility'),
      'best-practices': of('best-practices'),
    };
    figures[`${place} ${form}`] = scores;
    console.log(
      `${place} (${form}): performance ${scores.performance}, accessibility ${scores.accessibility}, best practices ${scores['best-practices']}`,
    );
    for (const fault of all.at(-1)?.faults ?? []) console.log(`  ${fault}`);
    if (scores.performance < least[form]) process.exitCode = 1;
  }
  console.log(JSON.stringify(figures));
} finally {
  await stack.stop();
  await stopBacking();
}
