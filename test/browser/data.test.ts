import assert from 'node:assert/strict';
import { useConsole } from '../support/browser/console.ts';
import { until } from '../support/until.ts';

describe('/data', function () {
  this.timeout(120_000);
  const shared = useConsole();

  it('shows usage, sets the month’s limit and the retention, downloads, and erases a contact on confirmation', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const contact = { id: 'somebody/to forget' };
    const { conversation_id } = await api.ask(agent.id, { message: 'a', contact });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('link', { name: 'Usage and data' }).click();
    const usage = page.getByRole('table', { name: 'Usage by day' });
    await usage
      .getByRole('row')
      .filter({ hasText: new Date().toISOString().slice(0, 10) })
      .waitFor();

    await page.getByLabel('Credits a month', { exact: true }).fill('1000');
    await page.getByRole('button', { name: 'Save Credits a month' }).click();
    await page.getByText(/ of 1,000 credits used/).waitFor();
    await page.getByLabel('Messages a month', { exact: true }).fill('500');
    await page.getByRole('button', { name: 'Save Messages a month' }).click();
    await page.getByText('1 of 500 messages this month').waitFor();
    await page.getByLabel('Days to keep', { exact: true }).fill('30');
    await page.getByRole('button', { name: 'Save Days to keep' }).click();
    // The notice may be the one of the limit.
    const row = await until('the days to be saved', async () => {
      const found = await db
        .knex<{ id: string; retention_days: number | null }>('organizations')
        .where({ id: organizationId })
        .first();
      return found?.retention_days !== null && found;
    });
    assert.deepEqual(
      [row].map((one) => ({ ...one, created_at: null })),
      [
        {
          ...row,
          created_at: null,
          monthly_credit_limit: 1000,
          monthly_message_limit: 500,
          retention_days: 30,
        },
      ],
    );
    await visitor.look('data');

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download everything' }).click();
    assert.equal((await download).suggestedFilename(), 'parley-export.jsonl');

    await page.getByLabel('Contact', { exact: true }).fill(contact.id);
    await page.getByRole('button', { name: 'Erase contact' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Erase contact' }).click();
    await page.getByText('Contact erased').waitFor();
    await api.refused(404, 'GET', `/conversations/${conversation_id}`);
  });

  it('is not there for a role without the capability', async () => {
    const { signedIn, person } = shared();
    const visitor = await signedIn({ as: await person(['audit.view']) });
    await visitor.open('/audit');
    assert.equal(await visitor.page.getByRole('link', { name: 'Usage and data' }).count(), 0);
    visitor.expectRefusals();
    for (const path of ['/usage', '/export', '/organization']) {
      const answer = await visitor.context.request.get(`${visitor.origin}/console/api${path}`);
      assert.equal(answer.status(), 403, path);
    }
  });
});
