/** The account page: the name, the preferences of this browser, and the user's own sessions. */
import assert from 'node:assert/strict';
import { useConsole } from '../../support/browser/console.ts';
import { focused, press, tabTo } from '../../support/browser/keyboard.ts';
import { signInAs } from '../../support/console-person.ts';
import { until } from '../../support/until.ts';

const safari = {
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
};

describe('The account page', () => {
  const shared = useConsole();

  it('changes the user’s name, which an empty field does not, by keyboard alone', async () => {
    const { signedIn, person, db } = shared();
    const one = await person(['conversations.view']);
    const visitor = await signedIn({ as: one });
    const { page } = visitor;
    await visitor.open('/account');
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(' ');
    await page.keyboard.press('Enter');
    await page.getByText('This field is required').waitFor();
    await page.keyboard.type('Ana Lima');
    await press(page, 'Save name');
    await page.getByText('Name saved').waitFor();
    const [user] = await db
      .knex<{ name: string; email: string }>('console_users')
      .where({ email: one.email });
    assert.equal(user?.name, 'Ana Lima');
    await page.reload();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ana Lima');
    await visitor.look('account');
  });

  it('changes the appearance and the language of this browser', async () => {
    const { signedIn } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/account');
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    const appearance = page.getByRole('radiogroup', { name: 'Appearance' }).locator('label');
    await appearance.filter({ hasText: 'Dark' }).click();
    await until('the dark scheme', async () => (await scheme()) === 'dark');
    await appearance.filter({ hasText: 'Light' }).click();
    await until('the light scheme', async () => (await scheme()) === 'light');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Español');
    await page.getByRole('heading', { level: 1, name: 'Cuenta' }).waitFor();
    await visitor.look('account-es');
    await page.getByRole('combobox', { name: 'Idioma' }).selectOption('English');
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    const primary = page.locator(
      'main .mantine-Button-root[data-variant="filled"], main .mantine-Button-root:not([data-variant])',
    );
    assert.deepEqual(await primary.allInnerTexts(), ['Set up']);
  });

  it('lists the user’s sessions, signs one out, and then everywhere else; this one stays', async () => {
    const { signedIn, person } = shared();
    const one = await person();
    const visitor = await signedIn({ as: one });
    const phone = await signInAs(shared(), one, safari);
    const others = [await signInAs(shared(), one), await signInAs(shared(), one)];
    const isIn = async (caller: { call: (typeof phone)['call'] }) =>
      (await caller.call('GET', '/account')).status === 200;
    const { page } = visitor;
    await visitor.open('/account');
    const sessions = page.getByRole('list', { name: 'Your sessions' }).getByRole('listitem');
    await sessions.nth(3).waitFor();
    assert.match(await sessions.first().innerText(), /^Chrome on Linux\s+This session\s+Signed in /);
    assert.equal(await sessions.first().getByRole('button').count(), 0);
    await visitor.look('account-sessions');
    await page.getByRole('button', { name: 'Sign out: Safari on iPhone' }).click();
    await page.getByText('Session signed out').waitFor();
    await until('the row to be gone', async () => (await sessions.count()) === 3);
    assert.equal(await isIn(phone), false);
    assert.ok(await isIn(others[0] ?? assert.fail()));

    await press(page, 'Sign out everywhere else');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('API tokens and MCP clients keep their access.').waitFor();
    await visitor.look('account-sign-out-elsewhere');
    await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('Signed out everywhere else', { exact: true }).waitFor();
    await until('one session to be left', async () => (await sessions.count()) === 1);
    for (const other of others) assert.equal(await isIn(other), false);
    assert.equal(await page.getByRole('button', { name: 'Sign out everywhere else' }).count(), 0);
    await until('the focus to be on the page', async () => (await focused(page)).trim() !== 'BODY');
    await page.reload();
    await sessions.first().waitFor();
  });
});
