/** The list of deliveries by day, and the detail beside or over it. */
import assert from 'node:assert/strict';
import { useConsole } from '../../support/browser/console.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { choosePeriod, dayBefore, periodsOf } from '../../support/browser/period.ts';
import { until } from '../../support/until.ts';

describe('/deliveries', () => {
  const shared = useConsole();

  /** Sends three callbacks, of which the first was created yesterday. @returns their ids, newest first */
  async function threeDeliveries(): Promise<[string, string, string]> {
    const { api, db, receiver } = shared();
    const answer = JSON.stringify({ stored: Array.from({ length: 40 }, (_, index) => `line ${index}`) });
    const agent = await api.createAgent({ name: 'Front desk', script: [{ reply: 'x' }] });
    const ids: string[] = [];
    for (const path of ['/listed/1', '/listed/2', '/listed/3']) {
      receiver.behave(path, { status: 200, body: answer });
      const { conversation_id } = await api.send(agent.id, {
        message: path,
        webhook_url: receiver.url(path),
      });
      const [delivery] = await until('the callback', async () => {
        const found = await api.deliveries({ conversation_id });
        return found[0]?.status === 'delivered' && found;
      });
      ids.unshift(delivery?.id ?? '');
    }
    const [newest, middle, oldest] = ids;
    assert.ok(newest !== undefined && middle !== undefined && oldest !== undefined);
    await db
      .knex('deliveries')
      .where({ id: oldest })
      .update({ created_at: new Date(Date.now() - 86_400_000) });
    return [newest, middle, oldest];
  }

  it('lists them by day in the order of the time that each row shows, and keeps the list usable beside a detail', async () => {
    const [newest, middle, oldest] = await threeDeliveries();
    const visitor = await shared().signedIn({ width: 1280 });
    const { page } = visitor;
    await visitor.open('/deliveries?status=delivered');
    const table = page.getByRole('table', { name: 'Deliveries of this organization' });
    const rows = table.getByRole('row').filter({ has: page.getByRole('cell') });
    await until('the deliveries to be listed', async () => (await rows.count()) === 3);
    assert.deepEqual(await table.getByRole('rowheader').allInnerTexts(), ['Today', 'Yesterday']);
    const times = await Promise.all(
      (await rows.locator('time').all()).map((time) => time.getAttribute('datetime')),
    );
    assert.deepEqual(times, times.map(String).sort().toReversed());

    const detail = page.getByRole('region', { name: 'Delivery: message.completed' });
    const shows = async (id: string) => {
      await detail.getByText(id, { exact: true }).waitFor();
      const { pathname, search } = new URL(page.url());
      assert.deepEqual([pathname, search], [`/deliveries/${id}`, '?status=delivered']);
      assert.equal(await rows.locator('[aria-current]').getAttribute('href'), `${pathname}${search}`);
    };
    await rows.nth(1).getByText('Delivered').click();
    await shows(middle);
    await until('the focus to be at the detail', async () => (await focused(page)).startsWith('H2'));
    await visitor.look('delivery-beside-list');
    const answer = detail.getByRole('region', { name: 'Recorded answer' });
    await answer.getByText('line 3').first().waitFor();
    assert.equal(await answer.getByText('line 39').count(), 0);
    await detail.getByRole('button', { name: 'Show all' }).click();
    await answer.getByText('line 39').waitFor();

    // The list is not covered: a click on another row opens it.
    await rows.nth(0).getByText('Delivered').click();
    await shows(newest);
    const next = detail.getByRole('button', { name: 'Next in the list' });
    const previous = detail.getByRole('button', { name: 'Previous in the list' });
    assert.equal(await previous.getAttribute('aria-disabled'), 'true');
    await next.click();
    await shows(middle);
    await page.keyboard.press('Enter');
    await shows(oldest);
    assert.equal(await next.getAttribute('aria-disabled'), 'true');
    assert.equal((await focused(page)).trim(), 'BUTTON Next in the list');

    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate<string>('document.activeElement.pathname'), `/deliveries/${oldest}`);
    await page.keyboard.press('Enter');
    await shows(oldest);
    await page.goBack();
    await detail.waitFor({ state: 'detached' });
  });

  it('offers five statuses, and another one that the URL names, and shows on a phone why a delivery failed', async () => {
    const [failed] = await threeDeliveries();
    const { db, signedIn } = shared();
    await db.knex('deliveries').where({ id: failed }).update({ status: 'failed', http_status: 500 });
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open('/deliveries');
    const statuses = page.getByRole('navigation', { name: 'Status' });
    const all = ['All', 'Delivered', 'Failed or blocked 1', 'Pending', 'Unknown'];
    await statuses.getByText('1', { exact: true }).waitFor();
    assert.deepEqual(await statuses.getByRole('link').allInnerTexts(), all);
    const failing = page.getByRole('navigation', { name: 'Failures in the last day' });
    await failing.getByRole('link', { name: /1 failed$/ }).waitFor();
    assert.equal(await failing.getByRole('link').count(), 1);
    await page.getByText('HTTP 500', { exact: true }).waitFor();
    assert.equal(await page.getByText('HTTP 200', { exact: true }).first().isVisible(), false);
    await visitor.look('deliveries-failed');
    await visitor.open('/deliveries?status=failed');
    const chosen = statuses.getByRole('link', { name: 'Failed', exact: true });
    assert.equal(await chosen.getAttribute('aria-current'), 'true');
  });

  it('filters by a period, which survives Back and a reload, and whose own days have two fields', async () => {
    const [newest] = await threeDeliveries();
    const visitor = await shared().signedIn();
    const { page } = visitor;
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
    const isListed = (count: number) =>
      until(`${count} deliveries to be listed`, async () => (await rows.count()) === count);
    const days = () => {
      const { searchParams } = new URL(page.url());
      return [searchParams.get('from'), searchParams.get('to')];
    };
    const period = page.getByRole('combobox', { name: 'Period' });
    await visitor.open('/deliveries');
    await isListed(3);
    assert.deepEqual(await periodsOf(page), ['Any time', 'Today', 'Last 7 days', 'Last 30 days', 'Custom…']);
    await choosePeriod(page, 'Today');
    await isListed(3);
    assert.deepEqual(days(), [dayBefore(0), null]);
    await rows.first().getByText('Delivered').click();
    await page
      .getByRole('region', { name: /^Delivery/ })
      .getByText(newest)
      .waitFor();
    await page.goBack();
    await page.getByRole('region', { name: /^Delivery/ }).waitFor({ state: 'detached' });
    assert.deepEqual(days(), [dayBefore(0), null]);
    await page.reload();
    await isListed(3);
    assert.equal(await period.inputValue(), 'Today');
    await choosePeriod(page, 'Last 7 days');
    await isListed(3);
    assert.deepEqual(days(), [dayBefore(6), null]);

    // Own days begin with those of the period that was chosen before.
    await choosePeriod(page, 'Custom…');
    const from = page.getByLabel('From', { exact: true });
    assert.equal(await from.inputValue(), dayBefore(6));
    await page.getByLabel('To', { exact: true }).fill(dayBefore(1));
    await page.getByText('No deliveries').waitFor();
    assert.deepEqual(days(), [dayBefore(6), dayBefore(1)]);
    await visitor.look('deliveries-custom-period');
    await page.reload();
    await page.getByText('No deliveries').waitFor();
    assert.equal(await period.inputValue(), 'Custom…');
    assert.equal(await from.inputValue(), dayBefore(6));
    await choosePeriod(page, 'Any time');
    await isListed(3);
    assert.deepEqual(days(), [null, null]);
    assert.equal(await from.count(), 0);
  });

  it('leads from a delivery to its agent and to the conversation of its contact', async () => {
    const { api, receiver, signedIn } = shared();
    const agent = await api.createAgent({ name: 'Front desk', script: [{ reply: 'x' }] });
    receiver.behave('/linked', { status: 500, body: 'no' });
    const { conversation_id } = await api.send(agent.id, {
      ...{
        message: 'Hello',
        webhook_url: receiver.url('/linked'),
        contact: { id: 'c-1', name: 'Clara Dias' },
      },
    });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/deliveries?status=failed');
    await page.getByRole('link', { name: 'Clara Dias', exact: true }).click();
    const detail = page.getByRole('region', { name: 'Delivery: message.completed' });
    await detail.getByText('The receiver answered 500').waitFor();
    const contact = detail.getByRole('link', { name: 'Clara Dias' });
    assert.equal(await contact.getAttribute('href'), `/conversations/${conversation_id}`);
    await visitor.look('delivery-failed');
    await detail.getByRole('link', { name: 'Front desk' }).click();
    await page.waitForURL(`**/agents/${agent.id}`);
  });

  it('shows a detail over the list on a phone, where an entry names the webhook’s address in its second line', async () => {
    const [newest] = await threeDeliveries();
    const visitor = await shared().signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open('/deliveries');
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
    await until('the deliveries to be listed', async () => (await rows.count()) === 3);
    for (const [index, row] of (await rows.all()).entries()) {
      const entry = (await row.boundingBox())!;
      assert.ok(entry.height <= 92, `an entry is ${entry.height} px high`);
      const url = shared().receiver.url(`/listed/${3 - index}`);
      const address = row.getByText(url, { exact: true });
      assert.equal(await address.innerText(), url.replace('http://', ''));
      const place = (await address.boundingBox())!;
      const line = (await row.locator('time').boundingBox())!;
      assert.ok(Math.abs(place.y - line.y) < 4, 'the address is beside the time');
      assert.ok(place.x + place.width <= line.x, 'the address ends before the time');
    }
    await visitor.look('deliveries-narrow');
    await rows.first().getByText('Delivered').click();
    const detail = page.getByRole('dialog', { name: 'Delivery: message.completed' });
    await detail.getByText(newest).waitFor();
    await until('the focus to be in it', async () => (await focused(page)).startsWith('H2 Delivery'));
    await page.keyboard.press('Shift+Tab');
    assert.equal(await detail.locator(':focus').count(), 1);
    await detail.getByRole('button', { name: 'Close' }).click();
    await detail.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate<string>('document.activeElement.pathname'), `/deliveries/${newest}`);
  });
});
