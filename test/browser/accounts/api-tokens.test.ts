import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Capability } from '../../../src/contract/accounts/capabilities.ts';
import { plainHost, useConsole } from '../../support/browser/console.ts';
import { focused, opened, press, type } from '../../support/browser/keyboard.ts';
import { chooseAction, pressAction } from '../../support/browser/row-actions.ts';
import { until } from '../../support/until.ts';

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

/** Generates a token, finding every control by the text of the page. @returns the secret */
async function generate(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Generate API Token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token Name').fill(name);
  await page.keyboard.press('Enter');
  const secret = await dialog.getByLabel('Token', { exact: true }).innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

describe('/settings/api', () => {
  const shared = useConsole();

  it('generates a token that works, revokes it, and deletes it once that is confirmed', async () => {
    const { signedIn, api } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.getByRole('button', { name: 'Generate API Token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Token Name').waitFor();
    await visitor.look('tokens-generate');
    await dialog.getByRole('button', { name: 'Generate' }).click();
    await dialog.getByLabel('Token Name').and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByLabel('Token Name').fill('Shop backend');
    await dialog.getByRole('button', { name: 'Generate' }).click();
    const secret = await dialog.getByLabel('Token', { exact: true }).innerText();
    assert.match(secret, /^pk_[0-9A-Za-z]{38}$/);
    await visitor.look('tokens-secret');
    await dialog.getByRole('button', { name: 'Copy token' }).click();
    await until(
      'the token to be copied',
      async () => (await page.evaluate('navigator.clipboard.readText()')) === secret,
    );
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });

    assert.equal((await api.call('GET', '/agents', { token: secret })).status, 200);
    const row = rowOf(page, 'Shop backend');
    await row.getByText(`${secret.slice(0, 11)}…`).waitFor();
    await row.getByText('Active').waitFor();
    for (const label of ['Revoke token', 'Delete token']) {
      const title = await row.getByRole('button', { name: label, exact: true }).getAttribute('title');
      assert.ok(title?.startsWith(`${label}. `), String(title));
    }
    await row.getByText(/^\d+ since creation$/).waitFor();
    await visitor.look('tokens');

    await row.getByRole('button', { name: 'Revoke token' }).click();
    await dialog.getByText(/It was (?:last used \d+ (?:second|minute)s? ago|never used)/).waitFor();
    await visitor.look('tokens-revoke');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await api.call('GET', '/agents', { token: secret })).status, 200);
    await page.reload();
    await until('its use to be known', async () => {
      await row.getByRole('button', { name: 'Revoke token' }).click();
      const text = await dialog.innerText();
      if (/last used \d+ (?:second|minute)s? ago/.test(text)) return true;
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.reload();
      return false;
    });
    await dialog.getByRole('button', { name: 'Revoke token' }).click();
    await row.getByText('Revoked').waitFor();
    assert.equal(await row.getByRole('button', { name: 'Revoke token' }).count(), 0);
    await until(
      'the token to be refused',
      async () => (await api.call('GET', '/agents', { token: secret })).status === 401,
    );

    await row.getByRole('button', { name: 'Delete token' }).click();
    await page.getByRole('dialog').getByText('cannot be undone').waitFor();
    await visitor.look('tokens-delete');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Delete token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete token' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('has the secret in exactly one answer of the server, ever', async () => {
    const visitor = await shared().signedIn();
    const { page } = visitor;
    await visitor.open('/settings/api');
    const secret = await generate(page, 'Once');
    // A body that is not read yet is lost with its page.
    await visitor.allAnswers();
    await page.reload();
    await rowOf(page, 'Once').waitFor();
    await rowOf(page, 'Once').getByRole('button', { name: 'Revoke token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click();
    await rowOf(page, 'Once').getByText('Revoked').waitFor();
    const answers = await visitor.allAnswers();
    assert.ok(answers.length > 8);
    const holding = answers.filter(({ text }) => text.includes(secret));
    assert.deepEqual(
      holding.map(({ method, status, url }) => [method, status, new URL(url).pathname]),
      [['POST', 201, '/console/api/tokens']],
    );
    assert.ok(!(await page.content()).includes(secret));
  });

  it('copies the token on plain http, where a browser has no clipboard: selects it, and shows how to copy it', async () => {
    const { visit, person } = shared();
    const { email, password } = await person();
    const visitor = await visit({ host: plainHost });
    const { page } = visitor;
    await visitor.open('/settings/api');
    assert.deepEqual(await page.evaluate('[isSecureContext, typeof navigator.clipboard]'), [
      false,
      'undefined',
    ]);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Generate API Token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Token Name').fill('Without https');
    await page.keyboard.press('Enter');
    const secret = await dialog.getByLabel('Token', { exact: true }).innerText();
    for (const _again of [1, 2]) {
      await dialog.getByRole('button', { name: 'Copy token' }).click();
      await dialog.getByText('press Ctrl+C').waitFor();
      const selected =
        'document.activeElement.value?.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)';
      await until('the token to be selected', async () => (await page.evaluate(selected)) === secret);
    }
    await visitor.look('tokens-copy-plain-http');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Generate API Token' }).click();
    await dialog.getByLabel('Token Name').focus();
    await page.keyboard.press('Control+V');
    assert.equal(await dialog.getByLabel('Token Name').inputValue(), secret);
  });

  it('does everything by keyboard alone', async () => {
    const visitor = await shared().signedIn();
    const { page } = visitor;
    await visitor.open('/settings/api');
    await page.getByRole('button', { name: 'Generate API Token' }).waitFor();
    await press(page, 'Generate API Token');
    await opened(page);
    await type(page, 'Token Name', 'By hand');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Token', { exact: true }).waitFor();
    await press(page, 'Copy token');
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^pk_/);
    await press(page, 'Done');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The newest is the first, once it is there.
    await rowOf(page, 'By hand').waitFor();
    await pressAction(page, 'By hand', 'Rotate token');
    await opened(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('the focus to be back', async () =>
      (await focused(page)).endsWith('More actions for By hand'),
    );
    // Back to the two buttons before the menu.
    for (let at = 0; at < 2; at += 1) await page.keyboard.press('Shift+Tab');
    await press(page, 'Revoke token');
    await opened(page);
    await press(page, 'Revoke token');
    await rowOf(page, 'By hand').getByText('Revoked').waitFor();
    // Its row is below those of the tokens that work.
    const button = rowOf(page, 'By hand').getByRole('button', { name: 'Delete token' });
    await until('the focus to be at its button', async () => {
      await page.keyboard.press('Tab');
      return (await button.and(page.locator(':focus')).count()) === 1;
    });
    await page.keyboard.press('Enter');
    await opened(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('the focus to be back', async () => (await focused(page)).endsWith('Delete token'));
    await page.keyboard.press('Enter');
    await opened(page);
    await press(page, 'Delete token');
    await rowOf(page, 'By hand').waitFor({ state: 'detached' });
  });

  it('generates a token with chosen scopes, agents and expiry, shows them, and rotates it', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'Front desk' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/settings/api');
    await page.getByRole('button', { name: 'Generate API Token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Token Name').fill('Widget');
    await dialog.getByLabel('Choose scopes').check();
    await dialog.getByLabel('Send messages and get the answers').check();
    await dialog.getByRole('combobox', { name: 'Agents' }).click();
    await page.getByRole('option', { name: 'Front desk' }).click();
    await page.keyboard.press('Escape');
    await visitor.look('tokens-scopes');
    await dialog.getByRole('combobox', { name: 'Expiration' }).click();
    await page.getByRole('option', { name: 'In 90 days' }).click();
    await dialog.getByRole('button', { name: 'Generate' }).click();
    const secret = await dialog.getByLabel('Token', { exact: true }).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = rowOf(page, 'Widget');
    await row.getByText('Send messages and get the answers').waitFor();
    await row.getByText('Only Front desk').waitFor();
    await row.getByText(/Expires/).waitFor();
    await row
      .getByTitle(/^\S+@example\.com$/)
      .getByText(/^by \S/)
      .waitFor();
    await visitor.look('tokens-scoped');
    const send = { body: { message: 'hello' }, token: secret };
    assert.equal((await api.call('POST', `/chat/${agent.id}`, send)).status, 202);
    assert.equal((await api.call('GET', '/agents', { token: secret })).status, 403);

    await row.getByRole('button', { name: 'More actions for Widget' }).click();
    await page.getByRole('menuitem', { name: 'Rotate token' }).waitFor();
    await visitor.look('tokens-more-actions');
    await page.getByRole('menuitem', { name: 'Rotate token' }).click();
    await visitor.look('tokens-rotate');
    await dialog.getByRole('button', { name: 'Rotate token' }).click();
    const next = await dialog.getByLabel('Token', { exact: true }).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row.getByText(/Previous secret works until/).waitFor();
    for (const token of [secret, next])
      assert.equal((await api.call('POST', `/chat/${agent.id}`, { ...send, token })).status, 202);
  });

  const controls: readonly [Capability, string][] = [
    ['tokens.view', 'table of tokens'],
    ['tokens.create', 'Generate API Token and Revoke token'],
    ['tokens.delete', 'Delete token'],
  ];
  for (const [missing, control] of controls) {
    it(`without ${missing} shows no ${control}, and refuses the call made by hand`, async () => {
      const { person, signedIn, origin, token, tokenId, api } = shared();
      const held = controls.map(([capability]) => capability).filter((one) => one !== missing);
      const visitor = await signedIn({ as: await person(held) });
      const { page } = visitor;
      await visitor.open('/settings/api');
      await page.getByRole('heading', { level: 1, name: 'API tokens' }).waitFor();
      const row = rowOf(page, 'a token');
      if (missing !== 'tokens.view') await row.waitFor();
      const shown = await Promise.all([
        page.getByRole('table').count(),
        page.getByRole('button', { name: 'Generate API Token' }).count(),
        row.getByRole('button', { name: 'Revoke token' }).count(),
        row.getByRole('button', { name: 'Delete token' }).count(),
      ]);
      const expected = {
        'tokens.view': [0, 1, 0, 0],
        'tokens.create': [1, 0, 0, 1],
        'tokens.delete': [1, 1, 1, 0],
      };
      assert.deepEqual(shown, Object.entries(expected).find(([name]) => name === missing)?.[1]);

      const { request } = visitor.context;
      const url = `${origin}/console/api/tokens`;
      const refused =
        missing === 'tokens.view'
          ? [await request.get(url)]
          : missing === 'tokens.create'
            ? [
                await request.post(url, { data: { name: 'x' } }),
                await request.post(`${url}/${tokenId}/revoke`),
              ]
            : [await request.delete(`${url}/${tokenId}`)];
      for (const answer of refused) {
        assert.equal(answer.status(), 403);
        assert.equal(((await answer.json()) as { code: string }).code, 'forbidden');
      }
      assert.equal((await api.call('GET', '/agents', { token })).status, 200);
    });
  }

  it('shows what a token used this month, against the limit that those who manage data give it', async () => {
    const { signedIn, person, api, db, origin, tokenId } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.ask(agent.id, { message: 'a' });
    const run_id = db.knex('runs').where({ conversation_id }).select('id');
    await db.knex('run_steps').where('run_id', 'in', run_id).update({ credits: 12.5 });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/settings/api');
    const row = rowOf(page, 'a token');
    await row.getByText('1 message this month', { exact: true }).waitFor();
    assert.equal(await row.getByText('credits').count(), 0);
    const limitTo = async (
      credits: string,
      { look, isUsedUp = false }: { look?: string; isUsedUp?: boolean } = {},
    ) => {
      await chooseAction(row, 'Set limit');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Credits per month', { exact: true }).fill(credits);
      if (look !== undefined) await visitor.look(look);
      await dialog.getByRole('button', { name: 'Save' }).click();
      if (isUsedUp) await page.getByRole('button', { name: 'Save the limit' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await limitTo('20', { look: 'tokens-limit' });
    await row.getByText('12.5 of 20 credits this month').waitFor();
    assert.equal(await row.getByText('Limit reached').count(), 0);
    await limitTo('12.5', { isUsedUp: true });
    await row.getByText('Limit reached').waitFor();
    await visitor.look('tokens-limited');
    await limitTo('');
    await row.getByText('12.5 of 12.5 credits').waitFor({ state: 'detached' });
    await chooseAction(row, 'Set limit');
    await page.getByRole('dialog').getByLabel('Messages per month').fill('1');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 message was received this month.').waitFor();
    await visitor.look('tokens-limit-used-up');
    await page.getByRole('button', { name: 'Save the limit' }).click();
    await row.getByText('1 of 1 messages this month').waitFor();
    await row.getByText('Limit reached').waitFor();

    const reader = await signedIn({ as: await person(['tokens.view']) });
    await reader.open('/settings/api');
    await rowOf(reader.page, 'a token').getByText('1 of 1 messages this month').waitFor();
    assert.equal(await reader.page.getByRole('table').getByRole('button').count(), 0);
    const url = `${origin}/console/api/tokens/${tokenId}/limit`;
    const refused = await reader.context.request.put(url, { data: { monthly_credit_limit: 1 } });
    assert.equal(refused.status(), 403);
  });

  it('shows no token of another organization, and does nothing to it', async () => {
    const { signedIn, stranger, origin } = shared();
    const { tokenId, token, api } = await stranger();
    const { request } = (await signedIn()).context;
    const url = `${origin}/console/api/tokens`;
    assert.ok(!(await (await request.get(url)).text()).includes(tokenId));
    assert.equal((await request.post(`${url}/${tokenId}/revoke`)).status(), 404);
    assert.equal((await request.delete(`${url}/${tokenId}`)).status(), 404);
    assert.equal((await api.call('GET', '/agents', { token })).status, 200);
  });

  it('lists the tokens that no longer work after the others', async () => {
    const { signedIn, db, organizationId } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/settings/api');
    await generate(page, 'Older');
    await generate(page, 'Newer');
    const names = async () => {
      await rowOf(page, 'Newer').waitFor();
      const rows = await page.getByRole('row').allInnerTexts();
      return rows.flatMap((text) => /^(?:Older|Newer|a token)/.exec(text.trim()) ?? []);
    };
    assert.ok((await names()).indexOf('Newer') < (await names()).indexOf('Older'));
    await db
      .knex('api_tokens')
      .where({ organization_id: organizationId, name: 'Newer' })
      .update({ expires_at: new Date() });
    await page.reload();
    await rowOf(page, 'Newer').getByText('Expired').waitFor();
    assert.equal((await names()).at(-1), 'Newer');
  });
});
