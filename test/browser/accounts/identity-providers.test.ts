/** Signing in at a real OpenID Connect provider, in a real browser: the buttons, the way back, and an error there. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { totpCode } from '../../support/authenticator-app.ts';
import { useConsole } from '../../support/browser/console.ts';
import type { Visitor } from '../../support/browser/visitor.ts';
import { setUpSecondFactor, signInAs } from '../../support/console-person.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../support/identity-provider.ts';
import { useStack } from '../../support/stack.ts';

describe('Signing in to the console at an identity provider', () => {
  let corp: TestIdentityProvider;
  const shared = useConsole(() =>
    useStack(async () => {
      corp = await startIdentityProvider('corp');
      const key = randomBytes(32).toString('base64');
      return { env: { ENCRYPTION_KEY: key, OIDC_PROVIDERS: JSON.stringify([corp.setting()]) } };
    }),
  );
  before(() => {
    corp.register(shared().origin);
  });
  after(async () => {
    await corp.stop();
  });
  const visit = async () => await shared().visit({ alsoVisits: corp.issuer });
  const stateAs = (email: string) => {
    corp.person = { sub: `sub of ${email}`, email, email_verified: true, name: 'Maria Example' };
  };
  const leave = async ({ page }: Visitor) => {
    await page.getByRole('button', { name: 'Continue with Provider corp' }).click();
  };

  it('leads there and back into the console, without the code in the address or in the history', async () => {
    const { person, origin } = shared();
    const { email } = await person();
    stateAs(email);
    const visitor = await visit();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('button', { name: 'Continue with Provider corp' }).waitFor();
    await visitor.look('sign-in-with-provider');
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/finish', async (route) => {
      await held;
      await route.continue();
    });
    await leave(visitor);
    await page.waitForURL(`${origin}/sign-in/corp`);
    await page.getByRole('heading', { level: 1, name: 'Signing you in' }).waitFor();
    await visitor.look('provider-return');
    go();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    assert.equal(page.url(), `${origin}/`);
    assert.ok(!(await visitor.context.cookies()).some(({ name }) => name.includes('pending')));
    await visitor.open('/account');
    await page.getByText('Provider corp').waitFor();
    await visitor.look('account-of-provider');
  });

  it('accepts an invitation there', async () => {
    const { signedIn, origin } = shared();
    const inviter = await signedIn();
    const email = `${randomUUID()}@example.com`;
    const answer = await inviter.context.request.post(`${origin}/console/api/invitations`, {
      data: { email, role_id: 'admin' },
    });
    const { link } = (await answer.json()) as { link: string };
    stateAs(email);
    const visitor = await visit();
    const { page } = visitor;
    await page.goto(link);
    await page.getByRole('button', { name: 'Continue with Provider corp' }).waitFor();
    await visitor.look('invitation-with-provider');
    await leave(visitor);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: new RegExp(email) }).waitFor();
  });

  it('asks for the code of a second factor on the way back', async () => {
    const { person } = shared();
    const one = await person();
    const { secret } = await setUpSecondFactor(await signInAs(shared(), one), one);
    stateAs(one.email);
    const visitor = await visit();
    const { page } = visitor;
    await visitor.open('/');
    await leave(visitor);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await visitor.look('provider-code');
    await page.getByLabel('Code').fill(totpCode(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('shows why a sign-in failed, and leads back to another try', async () => {
    const { origin } = shared();
    const email = `${randomUUID()}@example.com`;
    stateAs(email);
    const visitor = await visit();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open('/');
    await leave(visitor);
    await page.getByRole('alert').getByText(`There is no account for ${email}`).waitFor();
    assert.equal(page.url(), `${origin}/sign-in/corp`);
    await visitor.look('provider-refused');
    await page.getByRole('button', { name: 'Back to sign-in' }).click();
    await page.getByLabel('Email').waitFor();

    // Opened again from the history, the page has nothing to complete a sign-in with.
    await visitor.open('/sign-in/corp?code=x&state=y');
    await page.getByRole('alert').getByText('This sign-in has expired. Begin again.').waitFor();
  });
});
