/** Choosing a new password from the sign-in page, with a real mail server and without one. */
import assert from 'node:assert/strict';
import { useConsole } from '../../support/browser/console.ts';
import { focused, press, reach, type } from '../../support/browser/keyboard.ts';
import { startMailServer, type MailServer } from '../../support/mail-server.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('A forgotten password', () => {
  let server: MailServer;
  const shared = useConsole(() =>
    useStack(async () => {
      server = await startMailServer({ name: 'parley', password: 'secret' });
      return { workers: 0, env: { SMTP_URL: server.url, SMTP_FROM: 'parley@mail.example' } };
    }),
  );
  after(async () => {
    await server.close();
  });

  it('is replaced by keyboard alone: asked for, mailed, chosen, signed in with', async () => {
    const { person, visit, origin } = shared();
    const { email } = await person();
    const visitor = await visit({ width: 390 });
    const { page } = visitor;
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await visitor.open('/conversations');
    await until('the focus to be in the first field', async () => (await focused(page)) === 'INPUT Email');
    await type(page, 'Email', email);
    await visitor.look('sign-in-with-link');
    await reach(page, 'button', 'Forgot your password?');
    await page.keyboard.press('Enter');
    await heading('Reset your password');
    await until('the focus to be in the field', async () => (await focused(page)).startsWith('INPUT Email'));
    assert.equal(await page.getByLabel('Email').inputValue(), email);
    await visitor.look('forgotten');
    await page.keyboard.press('Enter');
    await until('the focus to be at the title', async () => (await focused(page)) === 'H1 Check your email');
    await page.getByText('If an account has this email, a link is on its way.').waitFor();
    await visitor.look('forgotten-sent');
    const sent = await until('the mail', () => server.mails.find(({ to }) => to === email));
    await press(page, 'Back to sign in');
    await heading('Sign in');
    assert.equal(await page.getByLabel('Email').inputValue(), email);

    const link = new RegExp(`${origin}/reset#\\S+`).exec(sent.text)?.[0] ?? assert.fail(sent.text);
    await page.goto(link);
    await heading('Choose a new password');
    await type(page, 'New password', 'the next password');
    await page.keyboard.press('Enter');
    await heading('Password changed');
    await press(page, 'Sign in');
    await heading('Sign in');
    await type(page, 'Email', email);
    await type(page, 'Password', 'the next password');
    await page.keyboard.press('Enter');
    await heading('Overview');
  });

  it('shows what is wrong with the email, and that too many links were asked for', async () => {
    const visitor = await shared().visit();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    const send = page.getByRole('button', { name: 'Send link' });
    await send.click();
    await page.getByText('This field is required').waitFor();
    visitor.expectRefusals();
    await page.getByLabel('Email').fill('nobody');
    await send.click();
    await page.getByText('is not an email address').waitFor();
    const data = { email: `${crypto.randomUUID()}@example.com` };
    const ask = async () =>
      (
        await visitor.context.request.post(`${visitor.origin}/console/api/password-reset/request`, { data })
      ).status() === 429;
    await until('the limit of the address', ask);
    await page.getByLabel('Email').fill(data.email);
    await send.click();
    assert.match(await page.getByRole('alert').innerText(), /Too many links were asked for/);
    await visitor.look('forgotten-refused');
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    assert.equal(await page.getByLabel('Email').inputValue(), data.email);
  });
});

describe('A forgotten password without a mail server', () => {
  const shared = useConsole();

  it('shows whom to ask', async () => {
    const visitor = await shared().visit({ width: 390 });
    const { page } = visitor;
    await visitor.open('/');
    const forgot = page.getByRole('button', { name: 'Forgot your password?' });
    await forgot.and(page.locator('[aria-expanded=false]')).click();
    await page.getByText('Ask an administrator: Members, then Reset password').waitFor();
    assert.equal(await forgot.getAttribute('aria-expanded'), 'true');
    await visitor.look('sign-in-without-mail');
    await forgot.click();
    await page.getByText('Ask an administrator').waitFor({ state: 'detached' });
  });
});
