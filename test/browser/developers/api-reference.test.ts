/** The API reference at /reference: Scalar's bundle under the console's Content-Security-Policy. */
import assert from 'node:assert/strict';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { useConsole } from '../../support/browser/console.ts';
import { focused, press } from '../../support/browser/keyboard.ts';
import type { Visitor } from '../../support/browser/visitor.ts';
import { until } from '../../support/until.ts';

/** Chosen with room for new versions: the bundle had 1.2 MB, compressed, when it was first served. */
const maxBundleBytes = 1_800_000;

async function openReference(visitor: Visitor): Promise<void> {
  await visitor.open('/reference');
  await visitor.page.getByRole('heading', { level: 1, name: 'Parley' }).waitFor();
}

describe('The API reference', () => {
  const shared = useConsole();

  it('sends a real call with the token of the reader to this origin alone, shows the answer, and stores no token', async () => {
    const { api, db, organizationId, visit } = shared();
    const name = `Agent ${crypto.randomUUID()}`;
    await api.createAgent({ name });
    const { token } = await createToken(db, { organizationId, name: 'reader' });
    const visitor = await visit();
    const { page } = visitor;
    await openReference(visitor);
    assert.equal(await page.title(), 'API reference · Parley');
    await page.getByLabel('Bearer Token').first().fill(token);
    const operation = page.getByRole('region', { name: 'List agents', exact: true });
    await operation.getByRole('button', { name: /^Test Request/ }).click();
    const dialog = page.getByRole('dialog', { name: 'API Client' });
    const sent = page.waitForRequest((request) => request.url().startsWith(`${visitor.origin}/v1/agents`));
    await dialog.getByRole('button', { name: /^Send get request/ }).click();
    assert.equal((await sent).headers()['authorization'], `Bearer ${token}`);
    await dialog.getByRole('link', { name: '200 OK' }).waitFor();
    await dialog.getByText(name).first().waitFor();
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    assert.ok(!stored.includes(token), stored);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Parley' }).waitFor();
    assert.equal(await page.getByLabel('Bearer Token').first().innerText(), '');
  });

  it('shows the error of a call without a token', async () => {
    const visitor = await shared().visit();
    visitor.expectRefusals();
    const { page } = visitor;
    await openReference(visitor);
    const operation = page.getByRole('region', { name: 'List agents', exact: true });
    await operation.getByRole('button', { name: /^Test Request/ }).click();
    const dialog = page.getByRole('dialog', { name: 'API Client' });
    await dialog.getByRole('button', { name: /^Send get request/ }).click();
    await dialog.getByRole('link', { name: '401 Unauthorized' }).waitFor();
  });

  it('is accessible in both appearances, narrow and wide, and its content is reached by keyboard', async () => {
    const visitor = await shared().visit();
    const { page } = visitor;
    await openReference(visitor);
    await press(page, 'Skip to content');
    await until('the address to name the content', () => page.url().endsWith('#content'));
    await page.keyboard.press('Tab');
    assert.doesNotMatch(await focused(page), /Skip to content|Console$/);
    await visitor.look('reference');
  });

  it('follows the appearance that was chosen in the console', async () => {
    const visitor = await shared().visit({ scheme: 'light' });
    const { page } = visitor;
    await visitor.open('/docs/models');
    await page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'dark')");
    await openReference(visitor);
    await page.locator('body.dark-mode').waitFor();
  });

  it('says what to do if the OpenAPI document cannot be loaded', async () => {
    const visitor = await shared().visit();
    visitor.expectRefusals();
    const { page } = visitor;
    await page.route('**/v1/openapi.json', (route) => route.fulfill({ status: 503, body: '{}' }));
    await visitor.open('/reference');
    await page.getByRole('alert').getByText('The OpenAPI document could not be loaded').waitFor();
  });

  it('has a bundle of bounded size, which the console does not load', async () => {
    const { origin, signedIn } = shared();
    const html = await (await fetch(`${origin}/reference`)).text();
    const file = /"(\/assets\/api-reference-[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const response = await fetch(`${origin}${file}`, { headers: { 'accept-encoding': 'br' } });
    assert.equal(response.headers.get('content-encoding'), 'br');
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    const bytes = Number(response.headers.get('content-length'));
    assert.ok(bytes > 100_000 && bytes < maxBundleBytes, `${bytes} bytes`);
    assert.doesNotMatch((await response.text()).slice(-200), /sourceMappingURL/);
    const notices = await fetch(`${origin}/api-reference-licenses.txt`);
    assert.match(await notices.text(), /## vue - [\d.]+ \(MIT\)/);
    const visitor = await signedIn();
    const loaded: string[] = [];
    visitor.page.on('request', (request) => loaded.push(request.url()));
    await visitor.open('/');
    await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    assert.ok(loaded.length > 3);
    assert.deepEqual(
      loaded.filter((url) => /api-reference|documentation-|search-index|appearance-/.test(url)),
      [],
    );
  });
});
