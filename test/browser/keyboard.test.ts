import { useConsole } from '../support/browser/console.ts';
import { focused, opened, press, tabTo, type } from '../support/browser/keyboard.ts';
import { until } from '../support/until.ts';

describe('The console without a mouse', () => {
  const shared = useConsole();

  it('signs in, skips the menu, and uses every kind of page by keyboard alone', async () => {
    const { person, visit, receiver, api } = shared();
    const agent = await api.createAgent({ name: 'Echo', script: [{ reply: 'Here I am.' }] });
    const { conversation_id } = await api.send(agent.id, {
      ...{ message: 'a callback, please', webhook_url: receiver.url('/by-keyboard') },
    });
    await api.settled(conversation_id);
    const { email, password } = await person();
    const visitor = await visit();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    const go = async (name: string) => {
      await press(page, name);
      await heading(name);
    };
    const closed = () => dialog.waitFor({ state: 'detached' });

    await visitor.open('/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await type(page, 'Email', email);
    await type(page, 'Password', password);
    await page.keyboard.press('Enter');
    await heading('Overview');
    await page.reload();
    await heading('Overview');
    await press(page, 'Skip to content');
    await until('the focus to be at the content', async () => (await focused(page)).startsWith('MAIN'));

    await go('Roles');
    await press(page, 'New role');
    await opened(page);
    await type(page, 'Role name', 'Reader');
    await tabTo(page, 'View API tokens');
    await page.keyboard.press('Space');
    await press(page, 'Create role');
    await closed();
    await page
      .getByRole('row')
      .filter({ hasText: 'Reader' })
      .getByText('API tokens', { exact: true })
      .waitFor();

    await go('Members');
    await press(page, 'Invite member');
    await opened(page);
    const invited = `${crypto.randomUUID()}@example.com`;
    await type(page, 'Email', invited);
    await tabTo(page, 'Role');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Reader' }).waitFor();
    const chosen = page.locator('[data-combobox-selected]').getByText('Reader');
    await until('the role to be chosen', async () => {
      if ((await chosen.count()) > 0) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    });
    await page.keyboard.press('Enter');
    await press(page, 'Create link');
    await page.getByRole('dialog').getByLabel('Invitation link', { exact: true }).waitFor();
    await press(page, 'Done');
    await closed();
    await page.getByRole('row').filter({ hasText: invited }).getByText('Reader').waitFor();

    await go('Agents');
    await press(page, 'New agent');
    await opened(page);
    await type(page, 'Name', 'Typed');
    await page.keyboard.press('Enter');
    await heading('Typed');
    await type(page, 'Instructions', 'Be brief.');
    await press(page, 'Save changes');
    await page.getByText('Saved', { exact: true }).waitFor();
    await press(page, 'Playground');
    await type(page, 'Message', 'Hello?');
    await page.keyboard.press('Enter');
    await page.getByText('Answered', { exact: true }).waitFor();
    await press(page, 'Open in Conversations');
    await press(page, 'Details');
    await press(page, 'More actions for Unknown contact');
    await opened(page, 'menu');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await opened(page);
    await page.keyboard.press('Escape');
    await closed();
    await until('the focus to be back', async () =>
      (await focused(page)).endsWith('More actions for Unknown contact'),
    );

    await go('Approvals');
    await page.getByText('Nothing waits').waitFor();

    await go('Deliveries');
    await page.getByRole('table').waitFor();
    await press(page, 'Echo');
    await until(
      'the focus to be at the detail',
      async () => (await focused(page)) === 'H2 Delivery: message.completed',
    );
    await page.getByRole('region', { name: 'Request body' }).waitFor();
    await press(page, 'Copy as curl');
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Request body' }).waitFor({ state: 'detached' });
    await until('the focus to be back', async () => (await focused(page)) === 'A Echo');

    await go('Tools');
    await tabTo(page, 'Available');
    await page.keyboard.press('ArrowRight');
    await page.getByText('No connections yet').waitFor();
    await page.keyboard.press('ArrowLeft');
    await press(page, 'Connect');
    await opened(page);
    await press(page, 'Cancel');
    await closed();

    await go('Audit log');
    await press(page, email);
    await opened(page, 'menu');
    // The question of the page while it is being left.
    visitor.expectRefusals();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('opens a page, an agent and a conversation by a part of its name after Ctrl+K, also from a field', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'Parcels and returns', script: [{ reply: 'On its way.' }] });
    const { conversation_id } = await api.send(agent.id, {
      message: 'where is the samovar?',
      contact: { id: 'palette', name: 'Olga' },
    });
    await api.settled(conversation_id);
    const visitor = await signedIn();
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const find = async (text: string) => {
      await page.keyboard.press('Control+k');
      await opened(page);
      await page.keyboard.type(text);
    };
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

    await visitor.open('/');
    await heading('Overview');
    await find('audit');
    await dialog.getByText('Audit log').waitFor();
    await visitor.look('the palette');
    await page.keyboard.press('Enter');
    await heading('Audit log');

    await find('parcels');
    await dialog.getByText('Parcels and returns').waitFor();
    await page.keyboard.press('Enter');
    await heading('Parcels and returns');

    await page.getByLabel('Instructions', { exact: true }).focus();
    await find('samovar');
    await dialog.getByText('Olga').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Olga/ }).waitFor();

    await find('no such thing anywhere');
    await dialog.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
