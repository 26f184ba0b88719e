import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { totpCode, wrongCode } from '../../support/authenticator-app.ts';
import { useConsole } from '../../support/browser/console.ts';
import { useStack } from '../../support/stack.ts';

describe('Two-factor authentication in the console', () => {
  const key = randomBytes(32).toString('base64');
  const shared = useConsole(() => useStack({ env: { ENCRYPTION_KEY: key } }));

  it('is turned on with an authenticator app, asked for at sign-in, and turned off with the password', async () => {
    const { person, signedIn } = shared();
    const one = await person();
    const visitor = await signedIn({ as: one });
    const { page } = visitor;
    await visitor.open('/account');
    const section = page.getByRole('region', { name: 'Two-factor authentication' });
    await section.getByText('Off', { exact: true }).waitFor();
    await visitor.look('second-factor-off');
    await section.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    visitor.expectRefusals();
    await dialog.getByLabel('Current password').fill('not the password');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('is wrong').waitFor();
    await dialog.getByLabel('Current password').fill(one.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    const shown = await dialog.getByLabel('Secret', { exact: true }).innerText();
    const secret = shown.replaceAll(' ', '');
    assert.match(secret, /^[A-Z2-7]{32,}$/);
    await visitor.look('second-factor-scan');
    await dialog.getByRole('textbox', { name: 'Code' }).fill(wrongCode(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText('is wrong').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(totpCode(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const list = dialog.getByRole('list', { name: 'Recovery codes' });
    await list.waitFor();
    const codes = await list.getByRole('listitem').allInnerTexts();
    assert.equal(codes.length, 10);
    await visitor.look('second-factor-recovery-codes');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await section.getByText('10 recovery codes are left').waitFor();
    await visitor.look('second-factor-on');
    assert.ok(!(await page.content()).includes(codes[0]!));

    await visitor.open('/members');
    const row = page.getByRole('row').filter({ hasText: one.email });
    await row.getByText('On', { exact: true }).waitFor();
    await visitor.look('second-factor-members');

    await page.getByRole('button', { name: `an organization ${one.email}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const givePassword = async () => {
      await page.getByLabel('Email').fill(one.email);
      await page.getByLabel('Password', { exact: true }).fill(one.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    };
    await givePassword();
    await visitor.look('sign-in-code');
    await page.getByLabel('Code').fill(wrongCode(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').getByText('The code is wrong or was used.').waitFor();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await givePassword();
    await page.getByLabel('Code').fill(codes[0]!);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();

    await visitor.open('/account');
    await section.getByText('9 recovery codes are left').waitFor();
    await section.getByRole('button', { name: 'New recovery codes' }).click();
    await dialog.getByLabel('Current password').fill(one.password);
    await dialog.getByRole('button', { name: 'Create codes' }).click();
    await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await section.getByText('10 recovery codes are left').waitFor();
    await section.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Current password').fill(one.password);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await section.getByText('Off', { exact: true }).waitFor();
  });
});
