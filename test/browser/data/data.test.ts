import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { ageRuns } from '../../support/age-runs.ts';
import { useConsole } from '../../support/browser/console.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import { until } from '../../support/until.ts';

/** Chooses what the table of the usage lists. */
async function showBy(page: Page, by: 'Model' | 'Agent' | 'API token'): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Usage by' }).getByText(by, { exact: true }).click();
}

describe('/data', () => {
  const shared = useConsole();

  it('shows usage, sets the month’s limit and the retention, downloads, and erases a contact on confirmation', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const contact = { id: 'somebody/to forget' };
    const { conversation_id } = await api.ask(agent.id, { message: 'a', contact });
    await ageRuns(db, (await api.ask(agent.id, { message: 'earlier' })).conversation_id, 1);
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('link', { name: 'Usage and data' }).click();
    const byDay = page.getByRole('region', { name: 'Messages by day' });
    await byDay.getByText('As a table').click();
    await byDay.getByRole('row').last().getByText('1', { exact: true }).first().waitFor();

    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByLabel('Credits per month', { exact: true }).fill('1000');
    await page.getByLabel('Messages per month', { exact: true }).fill('500');
    await page.getByText('0 KB of 10 GB').waitFor();
    await page.getByLabel('Storage limit', { exact: true }).fill('1.5');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText(/^\d\S* of 1,000\b/).waitFor();
    await page.getByText(/The API also stops at 1,000 credits a month\.$/).waitFor();
    // On the first day of a month, the earlier message belongs to the month before.
    await page.getByText(/^[12] of 500$/).waitFor();
    await page.getByText('0 KB of 1.5 GB').waitFor();
    await page.getByRole('tab', { name: 'Retention, export and erasure' }).click();
    await page.getByLabel('Days to keep', { exact: true }).fill('30');
    await page.getByRole('button', { name: 'Save Days to keep' }).click();
    await page.getByRole('dialog').getByText('Nothing is older than 30 days yet').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
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
          storage_limit_megabytes: 1536,
          retention_days: 30,
        },
      ],
    );
    await visitor.look('data');

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download everything' }).click();
    assert.equal((await download).suggestedFilename(), 'parley-export.jsonl');

    await page.getByRole('button', { name: 'Show command' }).click();
    await page.getByRole('region', { name: 'Command' }).getByText('erase organization').waitFor();

    const field = page.getByRole('combobox', { name: 'Contact' });
    const find = page.getByRole('button', { name: 'Find contact' });
    const erase = page.getByRole('button', { name: 'Erase contact' });
    await field.fill('nobody');
    assert.equal(await erase.count(), 0);
    await find.click();
    await page.getByText('No conversation has this contact').waitFor();
    await erase.waitFor();
    await field.fill('forget');
    await page.getByRole('option', { name: contact.id }).click();
    await erase.waitFor();
    // A search that finds one contact chooses it.
    await field.fill('to forget');
    assert.equal(await erase.count(), 0);
    await find.click();
    await erase.click();
    assert.equal(await field.inputValue(), contact.id);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This erases 1 conversation, 2 messages.').waitFor();
    await dialog.getByRole('button', { name: 'Erase contact' }).click();
    await page.getByText('Contact erased').waitFor();
    await api.refused(404, 'GET', `/conversations/${conversation_id}`);
  });

  it('counts what a lower storage limit and lower caps would stop, and asks', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'a' });
    await db.pool.query(
      'update run_steps set credits = 7 where run_id in (select id from runs where conversation_id = $1)',
      [conversation_id],
    );
    await db.knex('storage_used').insert({ organization_id: organizationId, bytes: 3 * 1024 * 1024 });
    const stored = async () =>
      await db.knex('organizations').where({ id: organizationId }).first<Record<string, unknown>>();
    const visitor = await signedIn();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.open('/data?tab=limits');
    await page.getByLabel('Storage limit', { exact: true }).fill('0.002');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await dialog.getByText('Files take 3 MB. With a limit of 2 MB,').waitFor();
    await visitor.look('data-storage-question');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Storage limit', { exact: true }).fill('');

    await page.getByLabel('Cap per day', { exact: true }).fill('5');
    await page.getByLabel('Cap per month', { exact: true }).fill('6');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await dialog.getByText('7 credits were used today; the cap is 5.').waitFor();
    await dialog.getByText('7 credits were used this month; the cap is 6.').waitFor();
    assert.equal(await dialog.getByText('Files take').count(), 0, 'asked about a limit that did not change');
    assert.equal((await stored())['credit_caps'], null);
    await dialog.getByRole('button', { name: 'Save limits' }).click();
    await until('the caps', async () =>
      isDeepStrictEqual((await stored())['credit_caps'], { day: 5, month: 6 }),
    );
    assert.equal((await stored())['storage_limit_megabytes'], null);
    const full = page.getByText('Used up. Agents no longer answer.');
    await until('both caps to be used up', async () => (await full.count()) === 2);
    await page.getByLabel('Cap per day', { exact: true }).fill('8');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await dialog.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('87.5% used. Raise the cap before answers stop.').waitFor();
    await visitor.look('data-caps-near');
  });

  it('saves only the limit that was changed, although somebody else has changed another one since', async () => {
    const { signedIn, db, organizationId } = shared();
    const organization = () => db.knex('organizations').where({ id: organizationId });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/data?tab=limits');
    const save = page.getByRole('button', { name: 'Save limits' });
    assert.equal(await save.getAttribute('aria-disabled'), 'true');
    await page.getByLabel('Cap per contact and day', { exact: true }).fill('2');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No unsaved changes', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Cap per contact and day', { exact: true }).inputValue(), '');
    await page.getByLabel('Credits per month', { exact: true }).fill('9');
    assert.equal(await save.getAttribute('aria-disabled'), null);
    await organization().update({ monthly_message_limit: 5000 });
    await until('the page to read the limits again, as it does when it gets the focus', async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return await page.getByText('of 5,000').isVisible();
    });
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const stored = await organization().first<Record<string, unknown>>();
    assert.deepEqual([stored['monthly_credit_limit'], stored['monthly_message_limit']], [9, 5000]);
  });

  it('lists the credits of rehearsals and of erased runs below those of the models', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    await api.ask(agent.id, { message: 'a' });
    const day = new Date().toISOString().slice(0, 10);
    const kept = { organization_id: organizationId, token_id: null, day, messages: 0, runs: 0 };
    await db.knex('usage_kept').insert({ ...kept, credits: 2.5 });
    const visitor = await signedIn();
    await visitor.open('/data');
    const used = visitor.page.getByRole('table', { name: 'By model' });
    assert.match(await used.getByRole('row', { name: /^Erased data/ }).innerText(), /2\.500$/);
    assert.equal(await used.getByRole('row', { name: /^Rehearsals/ }).count(), 0);
    await showBy(visitor.page, 'Agent');
    const byAgent = visitor.page.getByRole('table', { name: 'By agent' });
    assert.match(await byAgent.getByRole('row', { name: /^Erased data/ }).innerText(), /2\.500$/);
  });

  it('shows the credits of rehearsals by day apart from the others, with their calls and cost, and adds up each table', async () => {
    const { signedIn, api, db, organizationId: organization_id } = shared();
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'a' });
    const earlier = (await api.ask(agent.id, { message: 'earlier' })).conversation_id;
    await ageRuns(db, earlier, 1);
    await db.pool.query(
      `update run_steps set model_id = 'shop/rehearsed', input_tokens = 1000
         where run_id in (select id from runs where conversation_id = $1)`,
      [earlier],
    );
    const run = await db.knex('runs').where({ conversation_id }).first<{ id: string }>('id');
    const now = new Date();
    const id = crypto.randomUUID();
    await db.knex('rehearsals').insert({
      ...{ id, organization_id, agent_id: agent.id, status: 'completed', content: '{}', source: 'recent' },
      ...{ runs_read_only_tools: false, checks: '{}', turns: 1, author: 'x' },
      ...{ created_at: now, begun_at: now, finished_at: now },
    });
    const turn = { rehearsal_id: id, position: 1, organization_id, run_id: run.id };
    const call = { model: 'shop/rehearsed', input_tokens: 3000, output_tokens: 20, cached_input_tokens: 0 };
    const model_calls = JSON.stringify([call, call]);
    await db
      .knex('rehearsal_turns')
      .insert({ ...turn, outcome: 'same', credits: 1.5, model_calls, asked_at: now });
    const model_prices = { 'shop/rehearsed': { input: 1000, output: 0, cached_input: null } };
    await db.knex('organizations').where({ id: organization_id }).update({ model_prices });
    const kept = {
      organization_id,
      token_id: null,
      day: now.toISOString().slice(0, 10),
      messages: 0,
      runs: 0,
    };
    await db.knex('usage_kept').insert({ ...kept, credits: 4 });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/data');
    await page.getByRole('radiogroup', { name: 'Period' }).getByText('Last 30 days').click();
    const byDay = page.getByRole('region', { name: 'Credits by day' });
    await byDay.getByText('As a table').click();
    await byDay.getByRole('columnheader', { name: 'Rehearsals' }).waitFor();
    const today = await byDay.getByRole('row').last().getByRole('cell').allInnerTexts();
    assert.deepEqual(today.slice(1), ['2.500', '1.500']);
    const costs = page.getByRole('region', { name: 'Cost by day (USD)' });
    await costs.getByText('As a table').click();
    const costRows = await costs.getByRole('row').allInnerTexts();
    assert.deepEqual(
      costRows.slice(-2).map((row) => row.split(/\t/)[1]),
      ['$1.00', '$6.00'],
    );
    const byModel = page.getByRole('table', { name: 'By model' });
    const rehearsed = await byModel.getByRole('row', { name: /^Rehearsals/ }).innerText();
    assert.deepEqual(rehearsed.split(/\s+/), ['Rehearsals', '2', '6,000', '40', '$6.00', '1.500']);
    await byModel.getByText('Test replies of agents, without a model').waitFor();
    await page.getByText('$6.00', { exact: true }).first().waitFor();
    await visitor.look('data-rehearsals');
    for (const [by, name] of [
      ['Model', 'By model'],
      ['Agent', 'By agent'],
    ] as const) {
      await showBy(page, by);
      const last = page.getByRole('table', { name }).getByRole('row').last();
      assert.match(await last.innerText(), /^Total\s+4\s.*4\.000$/s);
    }
  });

  it('shows one period in every figure and compares it with the time before', async () => {
    const { signedIn, api, db } = shared();
    const [now, before] = await Promise.all(
      ['Now', 'Before'].map((name) =>
        api.createAgent({ name, model: 'scripted/default', script: [{ reply: 'ok' }] }),
      ),
    );
    const asked = async (agent: string, credits: number, days: number) => {
      const { conversation_id } = await api.ask(agent, { message: 'a' });
      await db.pool.query(
        'update run_steps set credits = $2 where run_id in (select id from runs where conversation_id = $1)',
        [conversation_id, credits],
      );
      if (days > 0) await ageRuns(db, conversation_id, days);
    };
    await asked(now!.id, 6, 0);
    await asked(before!.id, 4, 40);
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/data');
    const period = page.getByRole('radiogroup', { name: 'Period' });
    await period.getByText('Last 30 days').click();
    const dayMs = 86_400_000;
    const day = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const daysBefore = day.formatRange(Date.now() - 59 * dayMs, Date.now() - 30 * dayMs);
    await page.getByText(`+50% vs ${daysBefore}`).waitFor();
    await page.getByText(`0% vs ${daysBefore}`, { exact: true }).waitFor();
    await showBy(page, 'Agent');
    const byAgent = page.getByRole('table', { name: 'By agent' });
    const [, ...rows] = await byAgent.getByRole('row').allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.split(/\s+/)),
      [['Now', '1', '6.000']],
    );
    await showBy(page, 'API token');
    await page.getByRole('table', { name: 'By API token' }).waitFor();
    await visitor.look('data-30-days');
    await period.getByText('This month').click();
    const [year, month, date] = [
      new Date().getUTCFullYear(),
      new Date().getUTCMonth(),
      new Date().getUTCDate(),
    ];
    const lastDay = Math.min(Date.UTC(year, month - 1, date), Date.UTC(year, month, 0));
    const monthBefore = day.formatRange(Date.UTC(year, month - 1, 1), lastDay);
    await page.getByText(monthBefore).first().waitFor();
    await period.getByText('Last month').click();
    await page.getByRole('heading', { name: /^Last month: / }).waitFor();
  });

  it('adds up what models cost, and links to the prices that are missing', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const price = { 'custom/one': { input: 1_000, output: 0, cached_input: 1_000 } };
    await db.knex('organizations').where({ id: organizationId }).update({ model_prices: price });
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    for (const [model, days] of [
      ['one', 0],
      ['two', 0],
      ['one', 40],
    ] as const) {
      const { conversation_id } = await api.ask(agent.id, { message: 'a' });
      await db.pool.query(
        `update run_steps set model = $2, model_id = 'custom/' || $2, input_tokens = 5000, output_tokens = 0, credits = 1
           where run_id in (select id from runs where conversation_id = $1)`,
        [conversation_id, model],
      );
      if (days > 0) await ageRuns(db, conversation_id, days);
    }
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/data');
    await page.getByRole('radiogroup', { name: 'Period' }).getByText('Last 30 days').click();
    await page
      .locator('.tile')
      .filter({ hasText: 'Cost (USD)' })
      .getByText(/^0% vs /)
      .waitFor();
    await page.getByRole('radiogroup', { name: 'Period' }).getByText('This month').click();
    const total = page.getByRole('table', { name: 'By model' }).getByRole('row').last();
    assert.match(await total.innerText(), /\$5\.00\s+without 1 model that has no price/);
    await page.getByText('$5.00', { exact: true }).first().waitFor();
    await visitor.look('data-cost');
    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByText('2.0 used today · $5.00').waitFor();
    await page.getByText('2.0 used this month · $5.00').waitFor();
    await page.getByRole('tab', { name: 'Usage' }).click();
    await page.getByRole('link', { name: 'without 1 model that has no price' }).click();
    await page.waitForURL('**/models');
  });

  it('sets caps on the credits of the organization, an agent and a token, and removes them', async () => {
    const { signedIn, db, organizationId, api, tokenId } = shared();
    const agent = await api.createAgent();
    const visitor = await signedIn();
    const { page } = visitor;
    const capsOf = async (table: string, id: string) =>
      (await db.knex(table).where({ id }).first<{ credit_caps: unknown }>()).credit_caps;
    const saved = async (table: string, id: string, caps: unknown) => {
      await until('the caps', async () => isDeepStrictEqual(await capsOf(table, id), caps));
    };

    await visitor.open('/data?tab=limits');
    await page.getByText('The organization has no cap').waitFor();
    await page.getByLabel('Cap per day', { exact: true }).fill('12.5');
    await page.getByLabel('Cap per contact and month', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await saved('organizations', organizationId, { day: 12.5, contact_month: 3 });
    await page.getByText('at most 12.5 credits a day. It has no cap per month.').waitFor();
    await page.reload();
    await page.getByLabel('Cap per day', { exact: true }).fill('');
    await page.getByLabel('Cap per contact and month', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await saved('organizations', organizationId, null);

    await visitor.open(`/agents/${agent.id}?tab=advanced`);
    await page.getByLabel('Cap per conversation and day', { exact: true }).fill('7');
    await page.getByLabel('Answer at a cap', { exact: true }).fill('Closed for today.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await saved('agents', agent.id, { conversation_day: 7 });
    await visitor.look('agent-caps');

    await visitor.open('/settings/api');
    await chooseAction(page.locator('main'), 'Set limit');
    await page.getByRole('dialog').getByLabel('Cap per day', { exact: true }).fill('9');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await saved('api_tokens', tokenId, { day: 9 });
  });

  it('shows at its field that a value is no number, and changes no number to one that fits', async () => {
    const { signedIn, db, organizationId, api } = shared();
    const agent = await api.createAgent();
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open('/data');
    for (const [label, typed, says] of [
      ['Messages per month', '-5', 'must be at least 0'],
      ['Messages per month', '1.5', 'must be a whole number'],
      ['Credits per month', '-1', 'must be at least 0'],
      ['Days to keep', '0', 'must be at least 1'],
      ['Days to keep', '2.5', 'must be a whole number'],
      ['Days to keep', '40000', 'must be at most 36500'],
    ] as const) {
      const [tab, save] =
        label === 'Days to keep'
          ? ['Retention, export and erasure', 'Save Days to keep']
          : ['Limits', 'Save limits'];
      await page.getByRole('tab', { name: tab }).click();
      const field = page.getByLabel(label, { exact: true });
      await field.fill(typed);
      await page.getByRole('button', { name: save }).click();
      await page.getByText(says).waitFor();
      assert.equal(await field.inputValue(), typed, label);
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      assert.match(await focused(page), new RegExp(label));
      if (typed === '-5') await visitor.look('data-error');
      await field.fill('');
    }
    assert.equal(await page.getByRole('dialog').count(), 0);
    const row = await db.knex('organizations').where({ id: organizationId }).first<Record<string, unknown>>();
    assert.deepEqual(
      [row['monthly_credit_limit'], row['monthly_message_limit'], row['retention_days']],
      [null, null, null],
    );
    await visitor.open(`/agents/${agent.id}?tab=timing`);
    const seconds = page.getByLabel('Wait for more messages (seconds)');
    await seconds.fill('600');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('must be at most 60').waitFor();
    assert.equal(await seconds.inputValue(), '600');
  });

  it('asks before a limit that is used up already is saved, then shows on every page that calls are refused, until it is raised', async () => {
    const { signedIn, person, api } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    for (const message of ['a', 'b']) await api.ask(agent.id, { message });
    const visitor = await signedIn();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const banner = page.getByRole('alert').filter({ hasText: 'New messages over the API are rejected' });
    await visitor.open('/data?tab=limits');
    const field = page.getByLabel('Messages per month', { exact: true });
    await field.fill('2');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await dialog.getByText('2 messages were received this month.').waitFor();
    await visitor.look('data-limit');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByText('2 of 2', { exact: true }).count(), 0);
    assert.equal(await banner.count(), 0);
    await page.getByRole('button', { name: 'Save limits' }).click();
    await dialog.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('2 of 2', { exact: true }).waitFor();
    await banner.waitFor();
    await api.refused(402, 'POST', `/chat/${agent.id}`, { body: { message: 'c' } });
    for (const path of ['/', '/agents', `/agents/${agent.id}`, '/conversations', '/deliveries', '/nowhere']) {
      visitor.expectRefusals(); // of the last
      await visitor.open(path);
      await banner.waitFor();
    }
    await visitor.open('/');
    await banner.waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await visitor.look('overview-limit');

    const reader = await signedIn({ as: await person([]) });
    await reader.open('/');
    await reader.page.getByRole('alert').getByText('Ask an administrator to raise the limit').waitFor();
    assert.equal(await reader.page.getByRole('link', { name: 'Raise the limit' }).count(), 0);

    await banner.getByRole('link', { name: 'Raise the limit' }).click();
    await field.fill('100');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('2 of 100', { exact: true }).waitFor();
    await banner.waitFor({ state: 'detached' });
    await reader.page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('counts what a shorter retention would erase, and asks', async () => {
    const { signedIn, api, db, organizationId } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const ids: string[] = [];
    for (const message of ['a', 'b', 'c']) ids.push((await api.ask(agent.id, { message })).conversation_id);
    const [first = '', second = ''] = ids;
    await db
      .knex('runs')
      .whereIn('conversation_id', [first, second])
      .update({ finished_at: db.knex.raw("now() - interval '10 days'") });
    await api.ask(agent.id, { message: 'd', conversation_id: second });
    const retention = async () =>
      (
        await db
          .knex('organizations')
          .where({ id: organizationId })
          .first<{ retention_days: number | null }>()
      ).retention_days;
    const visitor = await signedIn();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const save = async (days: string) => {
      await page.getByLabel('Days to keep', { exact: true }).fill(days);
      await page.getByRole('button', { name: 'Save Days to keep' }).click();
    };
    await visitor.open('/data?tab=keeping');
    await page.getByText('Kept now: everything', { exact: true }).waitFor();
    await page
      .getByText(/^Conversations, with their messages, files, tool calls, notes and deliveries\./)
      .waitFor();
    // What the days do not apply to.
    const own = await page.locator('.rows dl').innerText();
    for (const term of [
      /Request log\s+7 days/,
      /Audit log\s+365 days\. Whoever runs your server/,
      /Rehearsals\s+90 days/,
      /Deleted agents\s+Can be restored for 7 days/,
    ])
      assert.match(own, term);
    const said = page.getByText('2 conversations hold something older than 3 days.');
    await page.getByLabel('Days to keep', { exact: true }).fill('3');
    await said.waitFor();
    await visitor.look('data-retention-typed');
    await page.getByLabel('Days to keep', { exact: true }).fill('');
    await said.waitFor({ state: 'detached' });
    await save('3');
    await dialog.getByText('2 conversations hold something older than 3 days.').waitFor();
    await dialog.getByText('1 conversation will be erased completely.').waitFor();
    await visitor.look('data-retention');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await retention(), null);
    await api.call('GET', `/conversations/${first}`);
    await save('3');
    await dialog.getByRole('button', { name: 'Erase and save' }).click();
    await until('the days to be saved', async () => (await retention()) === 3);
    await until(
      'the old one to be erased',
      async () => (await api.call('GET', `/conversations/${first}`)).status === 404,
    );
    assert.equal((await api.call('GET', `/conversations/${second}`)).status, 200);
    // Longer, or without bounds: nothing is lost.
    await save('30');
    await until('the days to be saved', async () => (await retention()) === 30);
    await page.getByText('Kept now: the last 30 days', { exact: true }).waitFor();
    await save('');
    await until('everything to be kept', async () => (await retention()) === null);
    assert.equal(await dialog.count(), 0);
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
