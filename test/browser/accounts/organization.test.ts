import assert from 'node:assert/strict';
import { useConsole } from '../../support/browser/console.ts';
import { choosePeriod, dayBefore } from '../../support/browser/period.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import type { Visitor } from '../../support/browser/visitor.ts';
import { signInAs } from '../../support/console-person.ts';
import { until } from '../../support/until.ts';

describe('/members, /roles, /audit and /account', () => {
  const shared = useConsole();

  it('makes a role, adds a member with it, who then sees what the role gives and nothing else', async () => {
    const { signedIn, visit, origin, api } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/roles');
    await page.getByRole('button', { name: 'New role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role name').fill('Token reader');
    await dialog.getByLabel('View API tokens').check();
    await visitor.look('role');
    await dialog.getByRole('button', { name: 'Create role' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Token reader' });
    const cells = async () =>
      (await row.getByRole('cell').allInnerTexts())
        .slice(1, 3)
        .map((text) => text.replaceAll(/\s*\n\s*/g, ', '));
    await until('its capabilities to be nouns', async () => (await cells()).join() === '–,API tokens');
    assert.equal(await row.getByRole('link').count(), 0, 'nobody has the role yet');
    // The name opens the form.
    await row.getByRole('button', { name: 'Token reader', exact: true }).click();
    for (const one of ['View deliveries', 'Manage agents', 'Manage channels'])
      await dialog.getByLabel(one).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until('the tags', async () => {
      const [does, sees] = await cells();
      return does === 'Manage agents, Manage channels' && sees === 'API tokens, Deliveries';
    });
    await visitor.look('roles');
    await chooseAction(row, 'Edit role');
    for (const one of ['View deliveries', 'Manage agents', 'Manage channels'])
      await dialog.getByLabel(one).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until('the first capability alone', async () => (await cells()).join() === '–,API tokens');

    await page.getByRole('link', { name: /with the role Administrator$/ }).click();
    await page.getByRole('button', { name: 'Invite member' }).click();
    const email = `${crypto.randomUUID()}@example.com`;
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Token reader' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByLabel('Invitation link', { exact: true }).innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();

    const theirs = await visit();
    await theirs.page.goto(link);
    await theirs.page.getByLabel('Password', { exact: true }).fill('a password of theirs');
    await theirs.page.getByRole('button', { name: 'Accept invitation' }).click();
    await theirs.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('row').filter({ hasText: email }).waitFor();
    await page.getByText(/^\d members have no second factor\.$/).waitFor();
    await visitor.look('members');
    // On a phone, a member is a card of a few lines, with the menu in its corner.
    await page.setViewportSize({ width: 390, height: 844 });
    const member = page.getByRole('row').filter({ hasText: email });
    const menu = member.getByRole('button', { name: `More actions for ${email}` });
    const [card, corner] = [(await member.boundingBox())!, (await menu.boundingBox())!];
    assert.ok(card.height < 150, `the card is ${card.height} px high`);
    const below = corner.y - card.y;
    const beside = card.x + card.width - corner.x - corner.width;
    assert.ok(
      below < 32 && beside < 16,
      `the menu is ${below} px below the corner and ${beside} px beside it`,
    );
    // What the role may do, in the words of the roles' page, to which it links.
    const rights = member.getByRole('link', { name: 'Can see: API tokens', exact: true });
    assert.equal(await rights.getAttribute('href'), '/roles');
    assert.ok(await rights.isVisible());
    await page.setViewportSize({ width: 1280, height: 860 });
    assert.ok(await rights.isVisible());

    const links = theirs.page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.first().waitFor();
    assert.deepEqual(await links.allInnerTexts(), [
      ...[
        'Overview',
        'Agents',
        'Tools',
        'Quick start',
        'API',
        'Request log',
        'Documentation',
        'API reference',
      ],
    ]);
    theirs.expectRefusals();
    const refused = await theirs.context.request.post(`${origin}/console/api/invitations`, {
      data: { email: 'x@example.com', role_id: 'admin' },
    });
    assert.equal(refused.status(), 403);

    await chooseAction(page.getByRole('row').filter({ hasText: email }), 'Remove');
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByRole('row').filter({ hasText: email }).waitFor({ state: 'detached' });
    const gone = await theirs.context.request.get(`${origin}/console/api/tokens`);
    assert.equal(gone.status(), 401);

    const agent = await api.createAgent();
    const { conversation_id } = await api.ask(agent.id, {
      ...{ message: 'a', contact: { id: 'c-1', name: 'Clara Dias' } },
    });
    const again = await api.call('POST', `/conversations/${conversation_id}/regenerate`, {
      body: { sync: true },
    });
    assert.equal(again.status, 200, JSON.stringify(again.body));
    const doomed = await api.createAgent();
    await api.call('PATCH', `/inboxes/${doomed.inbox_id}`, { body: { agent_id: agent.id } });
    await api.call('DELETE', `/agents/${doomed.id}`);
    await page.getByRole('link', { name: 'Audit log' }).click();
    const regenerated = page.getByRole('row').filter({ hasText: 'Regenerated an answer' });
    const toConversation = regenerated.getByRole('link', { name: 'Clara Dias' });
    assert.match(
      (await toConversation.getAttribute('href')) ?? '',
      new RegExp(`/conversations/${conversation_id}$`),
    );
    await regenerated.getByTitle(/^API token a token \(pk_/).waitFor();
    await regenerated.getByText('a token API token', { exact: true }).waitFor();
    const deleted = page.getByRole('row').filter({ hasText: 'Deleted an agent' });
    await deleted.getByText(doomed.name, { exact: true }).waitFor();
    assert.equal(await deleted.getByText(doomed.id).or(deleted.getByRole('link')).count(), 0);
    const bound = page.getByRole('row').filter({ hasText: 'Assigned an inbox to an agent' });
    const toAgent = bound.getByRole('link', { name: agent.name });
    assert.match((await toAgent.getAttribute('href')) ?? '', new RegExp(`/agents/${agent.id}$`));
    await page.getByRole('rowheader', { name: 'today', exact: true }).waitFor();
    for (const done of ['Created a role', 'Accepted an invitation', 'Removed a member']) {
      await page.getByRole('row').filter({ hasText: done }).first().waitFor();
    }
    await visitor.look('audit');
    // On a phone, where an entry has no labels, a word before the actor distinguishes it from the target.
    await page.setViewportSize({ width: 390, height: 844 });
    const before = "getComputedStyle(document.querySelector('.audit td:nth-child(3)'), '::before').content";
    assert.equal(await page.evaluate<string>(before), '"by "');
  });

  it('names people in the audit log, by their emails for a reader who may not read the list of members', async () => {
    const { signedIn, person, origin, api } = shared();
    const admin = await person();
    const visitor = await signedIn({ as: admin });
    const { page } = visitor;
    const url = `${origin}/console/api`;
    const { user } = (
      (await (await visitor.context.request.get(`${url}/session`)).json()) as {
        session: { user: { id: string; name: string } };
      }
    ).session;
    const agent = await api.createAgent();
    const { conversation_id } = await api.ask(agent.id, {
      ...{ message: 'a', contact: { id: 'c-1', name: 'Clara Dias' } },
    });
    const assigned = await visitor.context.request.put(`${url}/conversations/${conversation_id}/assignee`, {
      data: { user_id: user.id },
    });
    assert.equal(assigned.status(), 204);
    await visitor.context.request.put(`${url}/limit`, {
      data: { monthly_credit_limit: 500, credit_caps: { day: 50, contact_day: 5 } },
    });
    const row = (of: Visitor, text: string) => of.page.getByRole('row').filter({ hasText: text });
    const people = (of: Visitor) => row(of, 'Assigned a conversation').getByTitle(admin.email);
    await visitor.open('/audit');
    await people(visitor).first().getByText(user.name, { exact: true }).waitFor();
    // The assignee and the actor.
    assert.equal(await people(visitor).getByText(user.name, { exact: true }).count(), 2);
    await row(visitor, 'Changed limits or retention')
      .getByText('Credits per month: no limit → 500. Caps on credits: none → day 50, contact per day 5')
      .waitFor();
    const signIn = row(visitor, 'Signed in').first();
    assert.equal(await signIn.getByRole('cell').nth(1).innerText(), '');
    const created = row(visitor, agent.name).filter({ hasText: 'Created an agent' });
    assert.equal(
      await created.getByRole('link', { name: agent.name }).getAttribute('href'),
      `/agents/${agent.id}`,
    );
    await visitor.look('audit-people');
    await page.getByRole('combobox', { name: 'Actor' }).click();
    await page.getByRole('option', { name: user.name, exact: true }).click();
    await created.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('actor'), user.id);
    await people(visitor).first().waitFor();

    const reader = await signedIn({ as: await person(['audit.view', 'conversations.view']) });
    await reader.open('/audit');
    await people(reader).first().getByText(admin.email, { exact: true }).waitFor();
    assert.equal(await people(reader).getByText(admin.email, { exact: true }).count(), 2);
    await choosePeriod(page, 'Today');
    await until(
      'the period to be in the URL',
      () => new URL(page.url()).searchParams.get('from') === dayBefore(0),
    );
    await people(visitor).first().waitFor();
    const csv = page.getByRole('menuitem', { name: 'As CSV' });
    await page.getByRole('button', { name: 'Export' }).click();
    assert.match((await csv.getAttribute('href')) ?? '', new RegExp(`[?]actor=${user.id}&from=\\d{4}-`));
  });

  it('never lets anybody give capabilities that they do not have, nor remove the last administrator', async () => {
    const { signedIn, person, origin, db, organizationId } = shared();
    const manager = await signedIn({ as: await person(['members.manage']) });
    const url = `${origin}/console/api`;
    const role = { name: 'More', capabilities: ['tokens.delete'] };
    assert.equal((await manager.context.request.post(`${url}/roles`, { data: role })).status(), 403);
    const member = { email: 'y@example.com', role_id: 'admin' };
    assert.equal((await manager.context.request.post(`${url}/invitations`, { data: member })).status(), 403);

    await db.knex('console_members').where({ organization_id: organizationId, role: 'admin' }).delete();
    const last = await signedIn();
    const { data } = (await (await last.context.request.get(`${url}/members`)).json()) as {
      data: { id: string; is_you: boolean }[];
    };
    const you = data.find(({ is_you }) => is_you)!;
    assert.equal((await last.context.request.delete(`${url}/members/${you.id}`)).status(), 409);
  });

  it('shows the API tokens of a member who is removed, and revokes them unless the box is cleared', async () => {
    const { signedIn, person, apiUrl, origin } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    for (const revokes of [true, false]) {
      const member = await person(['tokens.create']);
      const { call } = await signInAs({ apiUrl }, member);
      const secrets: string[] = [];
      for (const name of ['Website', 'Nightly job']) {
        const { body } = await call('POST', '/tokens', { name: `${name} ${revokes}` });
        secrets.push((body as { token: string }).token);
      }
      const statuses = async () =>
        await Promise.all(
          secrets.map(async (secret) => {
            const headers = { authorization: `Bearer ${secret}` };
            return (await fetch(`${origin}/v1/agents`, { headers })).status;
          }),
        );
      assert.deepEqual(await statuses(), [200, 200]);
      await visitor.open('/members');
      const row = page.getByRole('row').filter({ hasText: member.email });
      await chooseAction(row, 'Remove');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('2 API tokens that they created or rotated still work:').waitFor();
      // Their names are read apart from their number.
      await dialog.getByRole('listitem').nth(1).waitFor();
      const listed = await dialog.getByRole('listitem').allInnerTexts();
      assert.deepEqual(listed.toSorted(), [
        `Nightly job ${revokes} (${secrets[1]?.slice(0, 11)}…)`,
        `Website ${revokes} (${secrets[0]?.slice(0, 11)}…)`,
      ]);
      const box = dialog.getByLabel('Revoke these tokens');
      assert.equal(await box.isChecked(), true);
      if (revokes) await visitor.look('remove-member-tokens');
      else await box.uncheck();
      await dialog.getByRole('button', { name: 'Remove member' }).click();
      await row.waitFor({ state: 'detached' });
      if (revokes)
        await until('the tokens to end', async () => (await statuses()).every((status) => status === 401));
      else assert.deepEqual(await statuses(), [200, 200]);
    }
  });

  it('resets a member’s password by a link that they open, and signs them out everywhere', async () => {
    const { signedIn, person, visit, origin } = shared();
    const member = await person(['tokens.view']);
    const before = await signedIn({ as: member });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/members');
    const row = page.getByRole('row').filter({ hasText: member.email });
    await row.getByText('Can see: API tokens', { exact: true }).waitFor();
    await chooseAction(row, 'Reset password');
    const dialog = page.getByRole('dialog');
    await visitor.look('reset-question');
    await dialog.getByRole('button', { name: 'Create reset link' }).click();
    const link = await dialog.getByLabel('Reset link', { exact: true }).innerText();
    await visitor.look('reset-link');
    await dialog.getByRole('button', { name: 'Done' }).click();
    assert.equal((await before.context.request.get(`${origin}/console/api/tokens`)).status(), 401);

    const theirs = await visit();
    await theirs.page.goto(link);
    await theirs.page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor();
    await theirs.page.getByLabel('New password').fill('short');
    theirs.expectRefusals();
    await theirs.page.getByRole('button', { name: 'Change password' }).click();
    await theirs.page.getByText('must have at least 10 characters').waitFor();
    await theirs.look('reset');
    await theirs.page.getByLabel('New password').fill('a password of theirs');
    await theirs.page.getByRole('button', { name: 'Change password' }).click();
    await theirs.page.getByRole('heading', { level: 1, name: 'Password changed' }).waitFor();
    await theirs.page.getByRole('link', { name: 'Sign in' }).click();
    await theirs.page.getByLabel('Email').fill(member.email);
    await theirs.page.getByLabel('Password', { exact: true }).fill('a password of theirs');
    await theirs.page.getByRole('button', { name: 'Sign in' }).click();
    await theirs.page.getByRole('navigation', { name: 'Main' }).waitFor();
    await theirs.page.goto('about:blank');
    await theirs.page.goto(link);
    await theirs.page.getByRole('heading', { level: 1, name: 'This link cannot be used' }).waitFor();

    await chooseAction(row, 'Sign out everywhere');
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await theirs.context.request.get(`${origin}/console/api/tokens`)).status(), 401);
  });

  it('changes the password, ending every other session', async () => {
    const { signedIn, person, origin } = shared();
    const one = await person();
    const [here, there] = [await signedIn({ as: one }), await signedIn({ as: one })];
    const { page } = here;
    await here.open('/account');
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    await dialog.getByLabel('Current password').fill('not the password');
    await dialog.getByLabel('New password').fill('a new password');
    here.expectRefusals();
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('is wrong').waitFor();
    await here.look('account-password');
    await dialog.getByLabel('Current password').fill(one.password);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    const url = `${origin}/console/api/tokens`;
    assert.equal((await here.context.request.get(url)).status(), 200);
    assert.equal((await there.context.request.get(url)).status(), 401);
  });
});
