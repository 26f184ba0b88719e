import assert from 'node:assert/strict';
import { useConsole } from '../../support/browser/console.ts';

describe('Signing in to the console', () => {
  const shared = useConsole();

  it('shows a wrong password in an alert, and opens the console with the right one', async () => {
    const { person, visit } = shared();
    const { email, password } = await person();
    const visitor = await visit();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await visitor.look('sign-in');
    visitor.expectRefusals();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    assert.match(await page.getByRole('alert').innerText(), /Email or password is wrong/);
    await visitor.look('sign-in-refused');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();

    const [cookie] = await visitor.context.cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.secure], [true, 'Lax', false]);
    assert.equal(await page.evaluate('document.cookie'), '');

    await page.getByRole('button', { name: new RegExp(email) }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const session = await visitor.context.request.get(`${visitor.origin}/console/api/tokens`);
    assert.equal(session.status(), 401);
  });

  it('makes a new session at each sign-in: the earlier one is no longer valid', async () => {
    const { person, signedIn } = shared();
    const one = await person();
    const visitor = await signedIn({ as: one });
    const [before] = await visitor.context.cookies();
    await visitor.context.request.post(`${visitor.origin}/console/api/sign-in`, { data: one });
    const [after] = await visitor.context.cookies();
    assert.notEqual(before!.value, after!.value);
    const stale = await fetch(`${visitor.origin}/console/api/tokens`, {
      headers: { cookie: `${before!.name}=${before!.value}` },
    });
    assert.equal(stale.status, 401);
  });

  it('slows down attempts to guess passwords', async () => {
    const { origin, person } = shared();
    const { email, password } = await person();
    const attempt = (secret: string) =>
      fetch(`${origin}/console/api/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: secret }),
      });
    for (let wrong = 1; wrong <= 10; wrong += 1) assert.equal((await attempt('wrong wrong')).status, 401);
    const refused = await attempt(password);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });

  it('takes calls from its own pages only', async () => {
    const { origin, signedIn } = shared();
    const visitor = await signedIn();
    const url = `${origin}/console/api/tokens`;
    const own = await visitor.context.request.get(url, { headers: { origin } });
    const foreign = await visitor.context.request.get(url, { headers: { origin: 'https://example.com' } });
    const site = await visitor.context.request.get(url, { headers: { 'sec-fetch-site': 'cross-site' } });
    assert.deepEqual([own.status(), foreign.status(), site.status()], [200, 403, 403]);
  });

  it('serves its pages under a policy that lets in no inline and no foreign script', async () => {
    const response = await fetch(`${shared().origin}/settings/api`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(?:;|$)/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe-eval/);
  });
});
