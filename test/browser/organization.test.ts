import assert from 'node:assert/strict';
import { useConsole } from '../support/browser/console.ts';

describe('/members, /roles, /audit and /account', function () {
  this.timeout(120_000);
  const shared = useConsole();

  it('makes a role, adds a member with it, who then sees what the role gives and nothing else', async () => {
    const { signedIn, visit, origin } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/roles');
    await page.getByRole('button', { name: 'New role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role name').fill('Token reader');
    await dialog.getByLabel('View API tokens').check();
    await visitor.look('role');
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('row').filter({ hasText: 'Token reader' }).waitFor();
    await visitor.look('roles');

    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Add member' }).click();
    const email = `${crypto.randomUUID()}@example.com`;
    const password = 'a password of theirs';
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Token reader' }).click();
    await visitor.look('member');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('row').filter({ hasText: email }).waitFor();
    await visitor.look('members');

    const theirs = await visit();
    await theirs.open('/');
    await theirs.page.getByLabel('Email').fill(email);
    await theirs.page.getByLabel('Password', { exact: true }).fill(password);
    await theirs.page.getByRole('button', { name: 'Sign in' }).click();
    const links = theirs.page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.first().waitFor();
    assert.deepEqual(await links.allInnerTexts(), ['Overview', 'Agents', 'Tools', 'API']);
    theirs.expectRefusals();
    const refused = await theirs.context.request.post(`${origin}/console/api/members`, {
      data: { email: 'x@example.com', password: 'ten characters', role_id: 'admin' },
    });
    assert.equal(refused.status(), 403);

    await page.getByRole('row').filter({ hasText: email }).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByRole('row').filter({ hasText: email }).waitFor({ state: 'detached' });
    const gone = await theirs.context.request.get(`${origin}/console/api/tokens`);
    assert.equal(gone.status(), 401);

    await page.getByRole('link', { name: 'Audit log' }).click();
    for (const done of ['Created a role', 'Added a member', 'Removed a member']) {
      await page.getByRole('row').filter({ hasText: done }).first().waitFor();
    }
    await visitor.look('audit');
  });

  it('never lets anybody give what they do not have, nor the last administrator go', async () => {
    const { signedIn, person, origin, db, organizationId } = shared();
    const manager = await signedIn({ as: await person(['members.manage']) });
    const url = `${origin}/console/api`;
    const role = { name: 'More', capabilities: ['tokens.delete'] };
    assert.equal((await manager.context.request.post(`${url}/roles`, { data: role })).status(), 403);
    const member = { email: 'y@example.com', password: 'ten characters', role_id: 'admin' };
    assert.equal((await manager.context.request.post(`${url}/members`, { data: member })).status(), 403);

    await db.knex('console_members').where({ organization_id: organizationId, role: 'admin' }).delete();
    const last = await signedIn();
    const { data } = (await (await last.context.request.get(`${url}/members`)).json()) as {
      data: { id: string; is_you: boolean }[];
    };
    const you = data.find(({ is_you }) => is_you)!;
    assert.equal((await last.context.request.delete(`${url}/members/${you.id}`)).status(), 409);
  });

  it('changes the password, ending every other session', async () => {
    const { signedIn, person, origin } = shared();
    const one = await person();
    const [here, there] = [await signedIn({ as: one }), await signedIn({ as: one })];
    const { page } = here;
    await here.open('/account');
    await page.getByLabel('Current password').fill(one.password);
    await page.getByLabel('New password').fill('a new password');
    await here.look('account');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    const url = `${origin}/console/api/tokens`;
    assert.equal((await here.context.request.get(url)).status(), 200);
    assert.equal((await there.context.request.get(url)).status(), 401);
  });
});
