/** A support team in the inbox: who is responsible for a conversation, notes for each other, and who is there too. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useConsole } from '../../support/browser/console.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { until } from '../../support/until.ts';

describe('A team in the inbox', () => {
  const shared = useConsole();

  const rowsOf = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link') });
  const namesOf = async (page: Page) => await rowsOf(page).getByRole('link').allInnerTexts();
  const timelineOf = (page: Page) => page.getByRole('region', { name: 'Timeline' });

  /** A member with this name, signed in. */
  async function signedInAs(name: string, width = 1440) {
    const { person, signedIn, db } = shared();
    const as = await person();
    await db.knex('console_users').where({ email: as.email }).update({ name });
    return await signedIn({ as, width });
  }

  /** Conversations on a channel with these contacts, the last one the most recent. */
  async function withContacts(...names: string[]) {
    const { api, db } = shared();
    const agent = await api.createAgent({ name: 'Front desk', script: [{ reply: 'We look into it.' }] });
    const ids: string[] = [];
    for (const name of names) {
      const contact = { id: name.toLowerCase(), name };
      const { conversation_id: id } = await api.ask(agent.id, { message: `${name} asks`, contact });
      await db.knex('conversations').where({ id }).update({ channel: 'whatsapp' });
      ids.push(id);
    }
    return ids;
  }

  it('assigns conversations, shows whose they are in the list, and limits the list to the own ones', async () => {
    const ana = await signedInAs('Ana');
    await signedInAs('Ben');
    const [maria = '', joao = ''] = await withContacts('Maria', 'Joao');
    const { page } = ana;
    const assign = async (now: string, to: string) => {
      await page.getByRole('button', { name: now, exact: true }).click();
      await page.getByRole('menuitem', { name: to, exact: true }).click();
    };
    await ana.open(`/conversations/${maria}`);
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Ben' }).waitFor();
    const choices = await page.getByRole('menuitem').allInnerTexts();
    assert.deepEqual([choices[0], choices.at(-1)], ['Me', 'Nobody']);
    await ana.look('assignee');
    await page.getByRole('menuitem', { name: 'Me', exact: true }).click();
    await page.getByRole('button', { name: 'Assigned to Ana' }).waitFor();
    await rowsOf(page).filter({ hasText: 'Maria' }).getByText('Assigned to Ana').waitFor();

    const mine = page.getByRole('link', { name: 'Mine' });
    await mine.click();
    await until('the own conversation alone', async () => (await namesOf(page)).join() === 'Maria');
    assert.match(page.url(), /assignee=me/);
    const failed = page.getByRole('navigation', { name: 'Show' }).getByRole('link', { name: 'Failed' });
    await failed.click();
    await page.getByText('No conversations').waitFor();
    assert.match(page.url(), /assignee=me&only=failed/);
    await page.reload();
    await page.getByText('No conversations').waitFor();
    assert.equal(await mine.getAttribute('aria-current'), 'true');
    // The link of the set view removes it.
    await failed.click();
    await until('it again', async () => (await namesOf(page)).join() === 'Maria');

    await assign('Assigned to Ana', 'Ben');
    await page.getByText('No conversations').waitFor();
    await mine.click();
    await until('both', async () => (await namesOf(page)).join() === 'Joao,Maria');
    await assign('Assigned to Ben', 'Nobody');
    await page.getByRole('button', { name: 'Assign', exact: true }).waitFor();

    await ana.open(`/conversations/${joao}`);
    await page.getByRole('button', { name: 'Pause agent' }).click();
    await page.getByRole('button', { name: 'Assigned to Ana' }).waitFor();
  });

  it('writes notes without taking over, which another member reads in the timeline and cannot reply to by mistake', async () => {
    const { person, signedIn, api } = shared();
    const ana = await signedInAs('Ana');
    const [id = ''] = await withContacts('Maria');
    const reader = await signedIn({ as: await person(['conversations.view']) });
    await reader.open(`/conversations/${id}`);
    await timelineOf(reader.page).getByText('We look into it.').waitFor();
    assert.equal(await reader.page.getByRole('button', { name: 'Add note' }).count(), 0);

    const { page } = ana;
    await ana.open(`/conversations/${id}`);
    await page.getByLabel('Write as a person').fill('a reply that is not sent');
    await page.getByText('Note', { exact: true }).click();
    await page
      .getByRole('textbox', { name: 'Note' })
      .fill('Her order is at the carrier.\nCall back on Monday.');
    await page.getByRole('button', { name: 'Add note' }).click();
    const noteOf = (there: Page) => timelineOf(there).getByRole('region', { name: 'Note' });
    await noteOf(page).getByText('Call back on Monday.').waitFor();
    await noteOf(page).getByText('Ana', { exact: true }).waitFor();
    await until(
      'the empty field',
      async () => (await page.getByRole('textbox', { name: 'Note' }).inputValue()) === '',
    );
    await ana.look('note');
    // Below the answer, because it is newer.
    assert.match(await timelineOf(page).innerText(), /We look into it\.[^]*Her order is at the carrier\./);
    await noteOf(reader.page).getByText('Her order is at the carrier.').waitFor();
    assert.equal(await noteOf(reader.page).getByRole('button').count(), 0);

    // Nothing was taken over, and the reply is still there.
    assert.equal(await page.getByRole('button', { name: 'Resume agent' }).count(), 0);
    await page.getByText('Reply', { exact: true }).click();
    assert.equal(await page.getByLabel('Write as a person').inputValue(), 'a reply that is not sent');
    const { body } = await api.call('GET', `/conversations/${id}/messages`);
    assert.equal((body as { data: unknown[] }).data.length, 2);

    await noteOf(page).getByRole('button', { name: 'Delete note' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete note' }).click();
    await noteOf(page).waitFor({ state: 'detached' });
    assert.equal(await focused(page), 'SECTION Timeline');
    await noteOf(reader.page).waitFor({ state: 'detached' });
  });

  it('shows two people who have a conversation open that the other one is there too', async () => {
    const [id = ''] = await withContacts('Maria');
    const ana = await signedInAs('Ana');
    await ana.open(`/conversations/${id}`);
    await timelineOf(ana.page).getByText('We look into it.').waitFor();
    const ben = await signedInAs('Ben', 390);
    await ben.open(`/conversations/${id}`);
    await ben.page.getByText('Ana is here too').waitFor();
    await ana.page.getByText('Ben is here too').waitFor();
    await ana.look('presence');
  });
});
