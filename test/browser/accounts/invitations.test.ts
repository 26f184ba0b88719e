import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { CreatedInvitation } from '../../../src/contract/accounts/invitations.ts';
import { useConsole } from '../../support/browser/console.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import type { Visitor } from '../../support/browser/visitor.ts';
import { until } from '../../support/until.ts';

const anyone = () => `${crypto.randomUUID()}@example.com`;

/** By hand. @returns the answer's body */
async function invite(
  visitor: Visitor,
  email: string,
  role_id = 'admin',
): Promise<CreatedInvitation & { link: string }> {
  const answer = await visitor.context.request.post(`${visitor.origin}/console/api/invitations`, {
    data: { email, role_id },
  });
  assert.equal(answer.status(), 201, await answer.text());
  return (await answer.json()) as CreatedInvitation & { link: string };
}

async function isClosed(visitor: Visitor, link: string): Promise<void> {
  visitor.expectRefusals();
  // The URLs may differ only after the #, and such a change alone loads nothing.
  await visitor.page.goto('about:blank');
  await visitor.page.goto(link);
  await visitor.page.getByRole('heading', { level: 1, name: 'This invitation cannot be used' }).waitFor();
}

async function organizationIn(page: Page, origin: string): Promise<string> {
  const answer = await page.context().request.get(`${origin}/console/api/session`);
  return ((await answer.json()) as { session: { organization: { name: string } } }).session.organization.name;
}

describe('Invitations, and people of several organizations', () => {
  const shared = useConsole();

  it('gives a link, once, that makes an account and a member, and works once', async () => {
    const { signedIn, visit } = shared();
    const inviter = await signedIn();
    const { page } = inviter;
    const email = anyone();
    await inviter.open('/members');
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByLabel('Email').and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Administrator' }).click();
    await inviter.look('invite');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const firstLink = await dialog.getByLabel('Invitation link', { exact: true }).innerText();
    await inviter.look('invite-link');
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await until(
      'the link to be copied',
      async () => (await page.evaluate('navigator.clipboard.readText()')) === firstLink,
    );
    await dialog.getByRole('button', { name: 'Done' }).click();
    const invitations = page.getByRole('table', { name: 'Open invitations' });
    await invitations.getByText(email).waitFor();
    // The member who invited is named; the email shows on hover.
    await invitations.getByTitle(/@/).getByText('Administrator', { exact: true }).waitFor();
    await inviter.look('members-invited');
    // A body that is not read yet is lost with its page.
    await inviter.allAnswers();
    await page.reload();
    await page.getByRole('table', { name: 'Open invitations' }).getByText(email).waitFor();
    // A new link replaces the first one.
    await page.getByRole('button', { name: `New link: ${email}` }).click();
    const newLink = dialog.getByLabel('Invitation link', { exact: true });
    const link = await newLink.innerText();
    assert.notEqual(link, firstLink);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await newLink.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('row').filter({ hasText: email }).count(), 1);

    const invited = await visit();
    await isClosed(invited, firstLink);
    await invited.page.goto('about:blank');
    await invited.page.goto(link);
    await invited.page.getByRole('heading', { level: 1, name: 'Join an organization' }).waitFor();
    await invited.page.getByLabel('Your name').fill('Maria');
    await invited.page.getByLabel('Password', { exact: true }).fill('short');
    await invited.look('invitation');
    invited.expectRefusals();
    await invited.page.getByRole('button', { name: 'Accept invitation' }).click();
    await invited.page.getByText('must have at least 10 characters').waitFor();
    await invited.page.getByLabel('Password', { exact: true }).fill('long enough now');
    await invited.page.getByRole('button', { name: 'Accept invitation' }).click();
    await invited.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Members of this organization' }).getByText(email).waitFor();
    assert.equal(await page.getByRole('table', { name: 'Open invitations' }).count(), 0);

    const secret = new URL(link).hash.slice(1);
    assert.ok(secret.length >= 32);
    const answers = [...(await inviter.allAnswers()), ...(await invited.allAnswers())];
    const holding = answers.filter(({ text, url }) => text.includes(secret) || url.includes(secret));
    assert.deepEqual(
      holding.map(({ method, status, url }) => [method, status, new URL(url).pathname]),
      [['POST', 201, '/console/api/invitations']],
    );
    await isClosed(invited, link);
    await invited.look('invitation-closed');
    await inviter.open('/audit');
    await page.getByRole('row').filter({ hasText: 'Accepted an invitation' }).first().waitFor();
  });

  it('lets somebody with an account join by their password, and switch between their organizations', async () => {
    const { signedIn, stranger, person, personOf, visit, db, organizationId, origin } = shared();
    const other = await stranger();
    const rename = (id: string, name: string) => db.knex('organizations').where({ id }).update({ name });
    await Promise.all([rename(organizationId, 'First house'), rename(other.organizationId, 'Second house')]);
    const theirs = await person();
    const { link } = await invite(await signedIn({ as: await personOf(other.organizationId) }), theirs.email);

    const visitor = await visit();
    const { page } = visitor;
    visitor.expectRefusals();
    await page.goto(link);
    await page.getByLabel('Password', { exact: true }).fill('not their password');
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByText('is wrong').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(theirs.password);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    assert.equal(await organizationIn(page, origin), 'Second house');

    const menu = page.getByRole('button', { name: new RegExp(theirs.email) });
    await menu.getByText('Second house').waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'First house' }).waitFor();
    await visitor.look('organizations');
    await page.getByRole('menuitem', { name: 'First house' }).click();
    await menu.getByText('First house').waitFor();
    assert.equal(await organizationIn(page, origin), 'First house');
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'API tokens' }).waitFor();
    const tokens = await (await visitor.context.request.get(`${origin}/console/api/tokens`)).text();
    assert.ok(tokens.includes(shared().tokenId) && !tokens.includes(other.tokenId));
    const third = await stranger();
    const foreign = await visitor.context.request.post(`${origin}/console/api/organization`, {
      data: { organization_id: third.organizationId },
    });
    assert.equal(foreign.status(), 404);
    assert.equal(await organizationIn(page, origin), 'First house');
  });

  it('lets whoever is signed in with the invited email join without a password', async () => {
    const { signedIn, stranger, person, personOf, origin } = shared();
    const other = await stranger();
    const theirs = await person();
    const inviter = await signedIn({ as: await personOf(other.organizationId) });
    const { link } = await invite(inviter, theirs.email);
    const visitor = await signedIn({ as: theirs });
    await visitor.page.goto(link);
    await visitor.page.getByText('You are signed in with this email').waitFor();
    await visitor.page.getByRole('button', { name: 'Accept invitation' }).click();
    await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const answer = await visitor.context.request.get(`${origin}/console/api/session`);
    const { session } = (await answer.json()) as { session: { organizations: unknown[] } };
    assert.equal(session.organizations.length, 2);
  });

  it('ends a link by revoking, by a newer one for the same email, by its role’s end, and after its time', async () => {
    const { signedIn, visit, db, origin } = shared();
    const inviter = await signedIn();
    const { page } = inviter;
    const visitor = await visit();
    const [revoked, renewed, late, orphan] = [anyone(), anyone(), anyone(), anyone()];
    const first = await invite(inviter, revoked);
    const [older, newer] = [await invite(inviter, renewed), await invite(inviter, renewed)];
    const expired = await invite(inviter, late);
    // A month later the cleanup would delete it.
    await db
      .knex('console_invitations')
      .where({ id: expired.id })
      .update({ expires_at: new Date(Date.now() - 1000) });
    const api = `${origin}/console/api`;
    const role = (await (
      await inviter.context.request.post(`${api}/roles`, { data: { name: 'Short-lived', capabilities: [] } })
    ).json()) as { id: string };
    const withoutRole = await invite(inviter, orphan, role.id);
    assert.equal((await inviter.context.request.delete(`${api}/roles/${role.id}`)).status(), 204);

    await inviter.open('/members');
    const row = page.getByRole('row').filter({ hasText: revoked });
    await chooseAction(row, 'Revoke invitation');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: late }).getByText('Expired').waitFor();

    for (const { link } of [first, older, expired, withoutRole]) await isClosed(visitor, link);
    await isClosed(visitor, `${origin}/invitation#made-up`);
    await isClosed(visitor, `${origin}/invitation`);
    await visitor.page.goto('about:blank');
    await visitor.page.goto(newer.link);
    await visitor.page.getByRole('heading', { level: 1, name: /Join/ }).waitFor();
  });

  it('is for those who manage members, of their own organization, and gives no more than they have', async () => {
    const { signedIn, stranger, person, personOf, origin } = shared();
    const url = `${origin}/console/api/invitations`;
    const reader = (await signedIn({ as: await person(['tokens.view']) })).context.request;
    const manager = await signedIn({ as: await person(['members.manage']) });
    const data = { email: anyone(), role_id: 'admin' };
    assert.equal((await reader.get(url)).status(), 403);
    assert.equal((await reader.post(url, { data })).status(), 403);
    assert.equal((await manager.context.request.post(url, { data })).status(), 403);
    const { data: roles } = (await (
      await manager.context.request.get(`${origin}/console/api/roles`)
    ).json()) as {
      data: { id: string; capabilities: string[] }[];
    };
    const own = roles.find(({ capabilities }) => capabilities.join() === 'members.manage')!;
    const { id } = await invite(manager, anyone(), own.id);
    const other = await signedIn({ as: await personOf((await stranger()).organizationId) });
    assert.equal((await other.context.request.delete(`${url}/${id}`)).status(), 404);
    assert.equal((await reader.delete(`${url}/${id}`)).status(), 403);
    assert.equal((await manager.context.request.delete(`${url}/${id}`)).status(), 204);
    const members = (await (await manager.context.request.get(`${origin}/console/api/members`)).json()) as {
      data: { email: string }[];
    };
    const again = { email: members.data[0]!.email, role_id: own.id };
    assert.equal((await manager.context.request.post(url, { data: again })).status(), 409);
  });
});
