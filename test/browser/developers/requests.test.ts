/** The page of the request log, as a developer uses it who looks for what went wrong. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { ApiClient } from '../../support/api-client.ts';
import { useConsole } from '../../support/browser/console.ts';
import { press } from '../../support/browser/keyboard.ts';
import { choosePeriod, periodsOf } from '../../support/browser/period.ts';
import { until } from '../../support/until.ts';

/** The rows of the list, without the headings of its columns and days. */
const entries = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') });

describe('/requests', () => {
  const shared = useConsole();

  it('shows what will be here, then lists requests and finds an error by filters that stay in the address', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('link', { name: 'Request log' }).click();
    await page.getByRole('heading', { level: 1, name: 'Request log' }).waitFor();
    await page.getByText('No requests yet').waitFor();
    await page.getByRole('link', { name: 'Make your first request' }).waitFor();
    await visitor.look('requests-empty');

    const { id, token } = await createToken(db, { organizationId, name: 'Shop backend' });
    const shop = new ApiClient(api.baseUrl, token);
    await shop.call('GET', '/agents');
    const refused = await shop.call('POST', '/agents', { body: { instructions: 'x' } });
    const nobody = crypto.randomUUID();
    await api.call('GET', `/agents/${nobody}`);
    const rows = entries(page);
    await until('the requests to be listed', async () => (await rows.count()) === 3);
    await page.getByRole('rowheader', { name: 'today' }).waitFor();
    const first = rows.first();
    // At every width, only the end of an id is shown. The whole path shows on hover.
    for (const width of [1440, 390, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await first.getByRole('link', { name: `GET /v1/agents/…${nobody.slice(-4)}`, exact: true }).waitFor();
      const path = first.getByTitle(`/v1/agents/${nobody}`, { exact: true });
      const { height } = (await path.boundingBox()) ?? assert.fail('the path is not shown');
      assert.ok(height < 30, `at ${width} px, the path has one line`);
    }
    await page.getByText('API requests of the last 7 days, without contents.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Keeps the newest 1,000 errors' }).waitFor();
    await first.getByText('404').waitFor();
    const row = rows.filter({ hasText: 'Shop backend' }).filter({ hasText: '422' });
    await row.getByText('POST /v1/agents', { exact: true }).waitFor();
    await row.getByText('name is required', { exact: true }).waitFor();
    await row.getByText('validation_failed', { exact: true }).waitFor();

    const statuses = page.getByRole('navigation', { name: 'Status' });
    await page.reload();
    for (const counted of ['Succeeded', 'All errors 2', 'Client errors (4xx) 2', 'Server errors (5xx)'])
      await statuses.getByRole('link', { name: counted, exact: true }).waitFor();
    await visitor.look('requests');
    await statuses.getByRole('link', { name: 'All errors' }).click();
    await until('the errors alone to be listed', async () => (await rows.count()) === 2);
    const requestId = page.getByRole('textbox', { name: 'Request ID' });
    await page.getByRole('button', { name: 'More filters' }).click();
    const code = page.getByRole('combobox', { name: 'Error code' });
    await code.click();
    await page.getByRole('option', { name: 'validation_failed' }).click();
    await page.getByRole('button', { name: 'More filters: 1' }).waitFor();
    const from = page.getByLabel('From', { exact: true });
    assert.equal(await from.count(), 0);
    await choosePeriod(page, 'Custom…');
    await from.fill('2020-01-01');
    await requestId.fill(refused.headers.get('parley-request-id') ?? '');
    await until('the id to be in the URL', () => page.url().includes('request_id='));
    await until('one request to be listed', async () => (await rows.count()) === 1);
    const { searchParams } = new URL(page.url());
    assert.deepEqual(
      [searchParams.get('status'), searchParams.get('request_id')],
      ['error', refused.headers.get('parley-request-id')],
    );
    await page.reload();
    await row.waitFor();
    assert.equal(await rows.count(), 1);
    // A filter that is set is in view.
    await from.waitFor();
    await code.waitFor();
    assert.deepEqual(await periodsOf(page), ['Last 7 days', 'Today', 'Last 3 days', 'Custom…']);
    await visitor.open(`/requests?token_id=${id}&code=rate_limited`);
    await page.getByText('No matching requests').waitFor();
    await visitor.look('requests-no-match');
  });

  it('opens a request beside the list, with its error, what to do, its id and its operation in the reference', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const { token } = await createToken(db, { organizationId, name: 'Shop backend' });
    const shop = new ApiClient(api.baseUrl, token);
    await shop.call('GET', '/agents');
    const refused = await shop.call('POST', '/agents', { body: { instructions: 'x' } });
    const id = refused.headers.get('parley-request-id') ?? '';
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/requests?method=POST');
    const row = entries(page).filter({ hasText: '422' });
    await row.getByRole('link', { name: 'POST /v1/agents' }).click();
    const detail = page.getByRole('region', { name: 'Request: POST /v1/agents' });
    await detail.getByText('The request does not match the schema.').first().waitFor();
    for (const fact of ['validation_failed', 'name', 'Shop backend', id])
      await detail.getByText(fact, { exact: true }).waitFor();
    const example = await detail.getByRole('region', { name: 'Answer' }).innerText();
    assert.equal((JSON.parse(example) as { code: string }).code, 'validation_failed');
    const { pathname, search } = new URL(page.url());
    assert.deepEqual([pathname, search], [`/requests/${id}`, '?method=POST']);
    await visitor.look('request');
    await Promise.all([
      detail.getByText('Copied').first().waitFor(),
      detail.getByRole('button', { name: 'Copy ID' }).click(),
    ]);
    assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), id);
    const help = detail.getByRole('link', { name: 'What to do' });
    assert.equal(await help.getAttribute('href'), '/docs/api#errors');

    // The list stays usable, and the detail follows it.
    await page.getByRole('combobox', { name: 'Method' }).click();
    await page.getByRole('option', { name: 'GET', exact: true }).click();
    await entries(page).getByRole('link', { name: 'GET /v1/agents' }).click();
    await page.getByRole('region', { name: 'Request: GET /v1/agents' }).getByText('200').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Request' }).waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/requests');

    // A request that the list does not show opens by its address.
    await visitor.open(`/requests/${id}?method=DELETE`);
    await detail.getByRole('link', { name: 'Open in the API reference' }).click();
    await page.waitForURL((url) => url.hash === '#tag/agents/POST/agents');
    const operation = page.getByRole('region', { name: 'Create an agent with its API inbox' });
    await until('the operation to be in view', async () => {
      const box = await operation.boundingBox();
      return box !== null && box.y < 400 && box.y > -400;
    });

    const agent = await api.createAgent({ name: 'Clerk' });
    const read = await api.call('GET', `/agents/${agent.id}`);
    const readId = read.headers.get('parley-request-id') ?? '';
    await until('the request to be logged', async () => {
      const { body } = await api.call('GET', `/requests?request_id=${readId}`);
      return (body as { data: unknown[] }).data.length === 1;
    });
    await visitor.open(`/requests/${readId}`);
    const about = page.getByRole('region', { name: /^Request: GET/ });
    await about.getByText('200 OK').waitFor();
    await about.getByText(`/v1/agents/${agent.id}`, { exact: true }).waitFor();
    await Promise.all([
      about.getByText('Copied').first().waitFor(),
      about.getByRole('button', { name: 'Copy as curl' }).click(),
    ]);
    assert.equal(
      await page.evaluate<string>('navigator.clipboard.readText()'),
      `curl -sS -X GET '${api.baseUrl}/agents/${agent.id}' -H "Authorization: Bearer $PARLEY_TOKEN"`,
    );
    const talks = about.getByRole('link', { name: 'Its conversations' });
    assert.equal(await talks.getAttribute('href'), `/conversations?status=all&agent_id=${agent.id}`);
    await about.getByRole('link', { name: 'Clerk' }).click();
    await page.waitForURL(`**/agents/${agent.id}`);
    visitor.expectRefusals();
    await visitor.open(`/requests/${crypto.randomUUID()}`);
    await page.getByText('The log does not have this request, or no longer has it.').waitFor();
  });

  it('filters by a whole id alone, and says what a shorter one lacks', async () => {
    const { signedIn, api } = shared();
    const whole = (await api.call('GET', '/agents')).headers.get('parley-request-id') ?? '';
    await api.call('GET', '/conversations');
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open(`/requests?request_id=${whole.slice(0, 20)}`);
    const rows = entries(page);
    await until('both requests to be listed', async () => (await rows.count()) === 2);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Request ID' });
    await page.getByText('A whole id has 36 characters; this has 20.').waitFor();
    await visitor.look('requests-half-an-id');
    await field.fill(whole.slice(0, 35));
    await page.getByText('A whole id has 36 characters; this has 35.').waitFor();
    await until('the shorter id to leave the address', () => !page.url().includes('request_id'));
    assert.equal(await field.inputValue(), whole.slice(0, 35));
    assert.equal(await rows.count(), 2);
    await field.fill(` ${whole} `);
    await until('one request to be listed', async () => (await rows.count()) === 1);
    await page.getByRole('button', { name: 'Filters: 1' }).waitFor();
    await visitor.open('/deliveries?message_id=01a2');
    await page.getByText('No deliveries').waitFor();
    const asked = (await visitor.allAnswers()).filter(({ url }) => /console\/api\/.*_id=/.test(url));
    assert.deepEqual([...new Set(asked.map(({ status }) => status))], [200]);
    assert.ok(asked.every(({ url }) => url.includes(whole)));
  });

  it('opens from a token with the requests of this token, by keyboard', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const { token } = await createToken(db, { organizationId, name: 'Shop backend' });
    const call = await api.call('GET', '/agents', { token });
    await api.call('GET', '/conversations');
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/settings/api');
    await page.getByRole('row').filter({ hasText: 'Shop backend' }).waitFor();
    await press(page, 'Requests of Shop backend');
    await page.getByRole('heading', { level: 1, name: 'Request log' }).waitFor();
    const request = entries(page).getByRole('link', { name: 'GET /v1/agents', exact: true });
    await request.waitFor();
    assert.equal(await entries(page).count(), 1);
    const { pathname } = new URL((await request.getAttribute('href')) ?? '', page.url());
    assert.equal(pathname, `/requests/${call.headers.get('parley-request-id')}`);
    assert.match(await page.getByRole('combobox', { name: 'Token' }).inputValue(), /^Shop backend \(pk_/);
  });

  it('is not for members who may not view tokens', async () => {
    const { signedIn, person } = shared();
    const visitor = await signedIn({ as: await person(['agents.manage']) });
    await visitor.open('/requests');
    await visitor.page.getByRole('heading', { name: 'No access' }).waitFor();
    assert.equal(await visitor.page.getByRole('link', { name: 'Request log' }).count(), 0);
  });
});
