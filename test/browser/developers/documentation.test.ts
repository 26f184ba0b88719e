/** The documentation at /docs, in a browser, without a session. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { addressOf, pageFiles } from '../../../src/console/build/page-menu.ts';
import { projectRoot } from '../../../src/local/project-root.ts';
import { useConsole } from '../../support/browser/console.ts';
import { focused, opened, press, tabTo } from '../../support/browser/keyboard.ts';
import { until } from '../../support/until.ts';

const addresses = globSync([...pageFiles], { cwd: projectRoot })
  .map((file) => addressOf(file) ?? '')
  .sort();
const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
/** One page of each kind: tables, code, pictures, many headings. */
const judged = ['/docs', '/docs/api', '/docs/refunds', '/docs/settings'];

describe('The documentation', () => {
  const shared = useConsole();

  it('opens every page with its own title, readable on a phone, and none is listed by search engines', async () => {
    const visitor = await shared().visit({ width: 390 });
    const { page } = visitor;
    assert.ok(addresses.length >= 24);
    for (const address of addresses) {
      const response = await page.goto(`${visitor.origin}${address}`);
      assert.equal(response?.status(), 200, address);
      assert.equal(response.headers()['x-robots-tag'], 'noindex', address);
      const heading = await page.getByRole('heading', { level: 1 }).first().innerText();
      assert.equal(await page.title(), `${heading} · Parley`, address);
      const sticksOut = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.ok(sticksOut <= 0, `${address}: content is ${sticksOut} px too wide`);
      const broken = await page.evaluate<string[]>(
        `Promise.all([...document.images].map(async (one) => {
          one.loading = 'eager';
          return await one.decode().then(() => '', () => one.src);
        })).then((all) => all.filter(Boolean))`,
      );
      assert.deepEqual(broken, [], address);
    }
  });

  it('is accessible in both appearances, narrow and wide', async () => {
    const visitor = await shared().visit();
    for (const address of judged) {
      await visitor.open(address);
      await visitor.look(`documentation${address.replaceAll('/', '-')}`);
    }
  });

  it('follows the appearance that was chosen in the console', async () => {
    const visitor = await shared().visit({ scheme: 'light' });
    const { page } = visitor;
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await visitor.open('/docs/models');
    const light = await background();
    await page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'dark')");
    await page.reload();
    await until('the page to be dark', async () => (await background()) !== light);
    await page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'auto')");
    await page.reload();
    await until('the page to be light', async () => (await background()) === light);
  });

  it('is searched by keyboard alone, and loads its index only then', async () => {
    const visitor = await shared().visit();
    const { page } = visitor;
    const indexes: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.json')) indexes.push(request.url());
    });
    await visitor.open('/docs/data');
    await press(page, 'Skip to content');
    await until('the focus to be at the content', async () => (await focused(page)).startsWith('MAIN'));
    assert.deepEqual(indexes, []);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign callbacks');
    const first = page.getByRole('list', { name: 'Search results' }).getByRole('link').first();
    await first.getByText('Sign callbacks').waitFor();
    await page.getByText(/^(?:\d+ results|The best \d+ results|1 result)$/).waitFor();
    assert.equal(indexes.length, 1);
    await visitor.look('documentation-search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await until('the focus to be on the first result', async () =>
      (await focused(page)).startsWith('A Sign callbacks'),
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(`${visitor.origin}/docs/api#sign-callbacks`);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('xyzzy nothing');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('searchbox').inputValue(), '');
    await page.keyboard.type('temporal cloud');
    await page.getByRole('link', { name: 'Temporal Cloud' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${visitor.origin}/docs/deploy#temporal-cloud`);
  });

  it('copies the commands of a code block, and folds its menu under a button on a phone', async () => {
    const visitor = await shared().visit({ width: 390, leavesTraces: true });
    const { page } = visitor;
    await page.clock.install();
    await visitor.open('/docs/api');
    const button = page.getByRole('button', { name: 'Copy' }).first();
    await button.click();
    await page.getByRole('status').getByText('Copied').waitFor();
    await page.clock.runFor(2000);
    await page.getByRole('status').getByText('Copied').waitFor({ state: 'detached' });
    await button.waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, /^\S/);
    assert.doesNotMatch(copied, /^\$ /m);
    const menu = page.getByRole('navigation', { name: 'Pages' });
    assert.equal(await menu.isVisible(), false);
    await tabTo(page, 'Menu');
    await page.keyboard.press('Enter');
    await menu.getByRole('link', { name: 'Callbacks' }).click();
    await page.waitForURL(`${visitor.origin}/docs/api#receive-callbacks`);
  });

  it('answers an unknown page with 404 and a way back, and a program with the error of the API', async () => {
    const { origin, visit } = shared();
    const visitor = await visit();
    visitor.expectRefusals();
    const { page } = visitor;
    for (const path of ['/docs/nothing', '/docs/api/more', '/docs/..%2findex', '/docs/404']) {
      const response = await page.goto(`${origin}${path}`);
      assert.equal(response?.status(), 404, path);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    }
    await visitor.look('documentation-not-found');
    await page.getByRole('link', { name: 'go to the list of all pages' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor();
    const program = await fetch(`${origin}/docs/nothing`);
    assert.equal(program.status, 404);
    assert.match(program.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal((await fetch(`${origin}/docs/api`, { method: 'POST' })).status, 404);
  });

  it('is served under the policy of the console, compressed, and its files are cached for long', async () => {
    const { origin } = shared();
    const policyOf = async (path: string) =>
      (await fetch(`${origin}${path}`, { headers: asBrowser })).headers.get('content-security-policy');
    const policy = await policyOf('/');
    assert.match(policy ?? '', /script-src 'self'(?:;|$)/);
    for (const path of ['/docs', '/docs/', '/docs/api', '/reference', '/docs/nothing'])
      assert.equal(await policyOf(path), policy, path);
    const response = await fetch(`${origin}/docs/api`, { headers: { 'accept-encoding': 'br' } });
    assert.equal(response.headers.get('content-encoding'), 'br');
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    const html = await response.text();
    const files = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
    assert.ok(files.length >= 3, files.join(' '));
    for (const file of files) {
      const { status, headers } = await fetch(`${origin}${file}`, { headers: { 'accept-encoding': 'br' } });
      assert.equal(status, 200, file);
      assert.match(headers.get('cache-control') ?? '', /immutable/, file);
      assert.equal(headers.get('content-encoding'), 'br', file);
    }
  });

  it('is linked from the console, which keeps its own menu', async () => {
    const visitor = await shared().signedIn();
    const { page } = visitor;
    await visitor.open('/');
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Documentation' }).click();
    await page.waitForURL(`${visitor.origin}/docs`);
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await opened(page);
    await page.keyboard.type('api ref');
    await page.getByRole('dialog').getByText('API reference').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${visitor.origin}/reference`);
  });
});
