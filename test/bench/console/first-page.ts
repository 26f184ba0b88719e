/** `npm run bench:console`: how long a browser with an empty cache takes until the console's first page is drawn whole,
 *  signed out and signed in. Ends with 1 if the median is over the limit. The last line is JSON. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { ensureAdministrator } from '../../../src/adapters/accounts/administrator.ts';
import { inTransaction } from '../../../src/adapters/postgres/database.ts';
import { ensureConsole } from '../../../src/local/console-build.ts';
import { ageRuns } from '../../support/age-runs.ts';
import { backing, stopBacking } from '../../support/backing.ts';
import { findChromium } from '../../support/browser/chromium.ts';
import { startStack } from '../../support/stack.ts';
import { median } from '../numbers.ts';

const loads = 9;
const limitMs = 1500;
/** A page is drawn whole once this is there: what it asks the server for is in it. */
const pages = { signed_out: 'button[type=submit]', overview: 'canvas[role=img]' };

interface Load {
  /** Until something is seen. */
  firstPaintMs: number;
  /** Until all of it is. */
  wholeMs: number;
}

async function load(
  browser: Browser,
  origin: string,
  page: keyof typeof pages,
  person: object,
): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  try {
    if (page === 'overview') {
      const answer = await context.request.post(`${origin}/console/api/sign-in`, { data: person });
      if (answer.status() !== 204) throw new Error(`no sign-in: ${answer.status()}`);
    }
    const tab = await context.newPage();
    const marked = `window.drawn = new Promise((tell) => {
      const look = () => document.querySelector(${JSON.stringify(pages[page])}) === null
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => requestAnimationFrame(() => tell(performance.now())));
      look();
    });
    window.painted = new Promise((tell) => new PerformanceObserver((list) => {
      const [first] = list.getEntriesByName('first-contentful-paint');
      if (first !== undefined) tell(first.startTime);
    }).observe({ type: 'paint', buffered: true }))`;
    await tab.addInitScript(marked);
    await tab.goto(`${origin}/`);
    const wholeMs = await tab.evaluate<number>('window.drawn');
    const firstPaintMs = await tab.evaluate<number>('window.painted');
    return { firstPaintMs, wholeMs };
  } finally {
    await context.close();
  }
}

const { folder } = await backing();
await ensureConsole({ log: join(folder, 'console-build.log'), say: () => undefined });
const stack = await startStack();
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  const person = { email: 'measured@example.com', password: randomBytes(12).toString('base64url') };
  await inTransaction(stack.db, (tx) => ensureAdministrator(tx, stack.organizationId, person));
  const agent = await stack.api.createAgent({ script: [{ reply: 'ok' }] });
  for (let turn = 0; turn < 5; turn += 1) {
    const { conversation_id } = await stack.api.ask(agent.id, { message: 'hi' });
    // The charts need activity on two days.
    await ageRuns(stack.db, conversation_id, turn % 2);
  }
  const { origin } = new URL(stack.apiUrl);
  const figures: Record<string, number> = {};
  for (const page of ['signed_out', 'overview'] as const) {
    const all: Load[] = [];
    for (let one = 0; one < loads; one += 1) all.push(await load(browser, origin, page, person));
    const whole = all.map(({ wholeMs }) => wholeMs);
    const first = Math.round(median(all.map(({ firstPaintMs }) => firstPaintMs)));
    figures[`${page}_ms`] = Math.round(median(whole));
    figures[`${page}_worst_ms`] = Math.round(Math.max(...whole));
    console.log(
      `${page}: first paint ${first} ms, whole ${figures[`${page}_ms`]} ms, at worst ${figures[`${page}_worst_ms`]} ms (${loads} loads)`,
    );
    if (median(whole) > limitMs) process.exitCode = 1;
  }
  console.log(JSON.stringify(figures));
} finally {
  await browser.close();
  await stack.stop();
  await stopBacking();
}
