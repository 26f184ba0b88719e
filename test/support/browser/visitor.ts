/** Somebody in front of the console: a page of a real browser that notes everything that must not happen. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { drawnBy, isDrawn, takesAll } from '../sample.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type AxeResults = {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
};

export type VisitorOptions = {
  width?: number;
  /** The name by which the console is reached, instead of its address. */
  host?: string;
  scheme?: 'light' | 'dark';
  /** The browser's language, if it is not English. */
  locale?: string;
  /** With nothing of the console in the browser's cache. */
  isFirstVisit?: boolean;
  /**
   * The test changes the page or its context for good: permissions, scripts that run first, or the clock. Nobody visits
   * in this page afterwards.
   */
  leavesTraces?: boolean;
  /** Another origin that the page leads to, and may. */
  alsoVisits?: string;
  /** Folder for the screenshots, if any are taken. */
  screenshots?: string | undefined;
};

/**
 * Waits until the page is drawn again and its transitions have ended. Ignores endless animations. Polls `playState`,
 * because `finished` of a transition in a closed part of the page may never resolve.
 */
const colorsAtRest = `(async () => {
  const drawn = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  const ending = () => document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
  await drawn();
  while (ending().some((one) => one.playState === 'running')) await drawn();
})()`;

/**
 * Pages of visitors who left, by origin: nothing is stored in them but compiled scripts, whose loading is most of a
 * first visit.
 */
const idlePages = new Map<string, Page[]>();

/** Has an icon: a browser asks for /favicon.ico otherwise, after the load, and the next visitor would see the 404. */
const emptyPage = '<!doctype html><title>Empty</title><link rel="icon" href="data:,">';

async function newPage(browser: Browser, locale?: string): Promise<Page> {
  const context = await browser.newContext({
    ...(locale !== undefined && { locale }),
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(120_000);
  return await context.newPage();
}

/**
 * Leaves the page without a session, storage or other tabs, at a document without scripts.
 * @returns false if that failed
 */
async function isEmptied(page: Page, origin: string): Promise<boolean> {
  try {
    const context = page.context();
    await Promise.all(
      context
        .pages()
        .filter((one) => one !== page)
        .map((one) => one.close()),
    );
    await context.unrouteAll();
    await page.unrouteAll();
    await page.route(`${origin}/empty`, (route) =>
      route.fulfill({ contentType: 'text/html', body: emptyPage }),
    );
    await page.goto(`${origin}/empty`, { timeout: 5000 });
    await page.unrouteAll();
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await context.clearCookies();
    const { cookies, origins } = await context.storageState({ indexedDB: true });
    return cookies.length === 0 && origins.length === 0;
  } catch {
    return false;
  }
}

export class Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly origin: string;
  /**
   * Every text that the server answered, by address; but not the files of the console's build, which are the same for
   * everyone.
   */
  readonly answers: { url: string; method: string; status: number; text: string }[] = [];
  readonly #problems: string[] = [];
  readonly #screenshots: string | undefined;
  readonly #reading = new Set<Promise<void>>();
  readonly #isLikeOthers: boolean;
  #refusals = false;

  private constructor(page: Page, origin: string, options: VisitorOptions) {
    const { screenshots, alsoVisits, host, locale, leavesTraces = false } = options;
    this.page = page;
    this.context = page.context();
    this.origin = origin;
    this.#screenshots = screenshots;
    this.#isLikeOthers = alsoVisits === undefined && locale === undefined && !leavesTraces;
    page.on('pageerror', (error) => this.#problems.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      // The browser itself reports each refused call: no mistake where the test provokes one.
      if (this.#refusals && message.text().startsWith('Failed to load resource')) return;
      // Headers that only https can carry out: nothing is wrong with a page without it.
      if (host !== undefined && /Cross-Origin-Opener-Policy|Origin-Agent-Cluster/.test(message.text()))
        return;
      this.#problems.push(`${message.type()}: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      const mayBe = alsoVisits !== undefined && url.startsWith(`${alsoVisits}/`);
      if (!mayBe && !url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) {
        this.#problems.push(`a call to another host: ${url}`);
      }
    });
    page.on('response', (response) => {
      if (['script', 'stylesheet', 'font'].includes(response.request().resourceType())) return;
      const read = response.text().then(
        (text) => {
          const method = response.request().method();
          this.answers.push({ url: response.url(), method, status: response.status(), text });
        },
        () => undefined, // no body, or the page has gone on
      );
      this.#reading.add(read);
      void read.then(() => this.#reading.delete(read));
    });
  }

  static async arrive(browser: Browser, origin: string, options: VisitorOptions = {}): Promise<Visitor> {
    const { width = 1280, scheme = 'light' } = options;
    const isNew = options.isFirstVisit === true || options.locale !== undefined;
    const idle = isNew ? undefined : idlePages.get(origin)?.pop();
    const page = idle ?? (await newPage(browser, options.locale));
    await page.setViewportSize({ width, height: width < 600 ? 844 : 860 });
    await page.emulateMedia({ colorScheme: scheme });
    return new Visitor(page, origin, options);
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.origin}${path}`);
  }

  /** From now on a call that the server refuses is expected. */
  expectRefusals(): void {
    this.#refusals = true;
  }

  /** Recorded answers, all of them read. */
  async allAnswers() {
    await Promise.all(this.#reading);
    return this.answers;
  }

  /**
   * Whatever is on the page now is accessible, light and dark, and nothing sticks out, wide or narrow. A sample judges
   * the accessibility of one of both, as the seed draws it for each name: that is half of a browser test's work.
   */
  async look(name: string): Promise<void> {
    const before = this.page.viewportSize() ?? { width: 1280, height: 860 };
    const wide = { width: 1280, height: 860 };
    const narrow = { width: 390, height: 844 };
    const judged = takesAll || this.#screenshots !== undefined ? 'both' : isDrawn(name, 2) ? 'light' : 'dark';
    for (const [scheme, size] of [
      ['light', wide],
      ['dark', narrow],
      ...(this.#screenshots === undefined
        ? []
        : ([
            ['light', narrow],
            ['dark', wide],
          ] as const)),
    ] as const) {
      await this.page.emulateMedia({ colorScheme: scheme });
      await this.page.setViewportSize(size);
      await this.page.evaluate(colorsAtRest);
      const label = `${name} (${scheme}, ${size.width} px, ${drawnBy})`;
      await this.shoot(`${name}-${scheme}-${size.width}`);
      const sticksOut = await this.page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.ok(sticksOut <= 0, `${label}: content is ${sticksOut} px too wide`);
      if (judged === 'both' || judged === scheme) assert.deepEqual(await this.#violations(), [], label);
    }
    await this.page.emulateMedia({ colorScheme: 'light' });
    await this.page.setViewportSize(before);
  }

  async #violations(): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>('"axe" in window'))) await this.page.evaluate(axeSource);
    const { violations } = await this.page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 300)} ${failureSummary}`),
    );
  }

  /** Takes a picture of the page as it is, if pictures are wanted. */
  async shoot(name: string): Promise<void> {
    if (this.#screenshots === undefined) return;
    mkdirSync(this.#screenshots, { recursive: true });
    await this.page.screenshot({ path: join(this.#screenshots, `${name}.png`) });
  }

  /** @throws AssertionError when the browser has complained about anything */
  async leave(): Promise<void> {
    this.page.removeAllListeners();
    const problems = [...this.#problems];
    const isIdle = this.#isLikeOthers && (await isEmptied(this.page, this.origin));
    if (isIdle) idlePages.set(this.origin, [...(idlePages.get(this.origin) ?? []), this.page]);
    else await this.context.close();
    assert.deepEqual(problems, []);
  }
}
