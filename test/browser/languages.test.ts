/** The console in other languages than English. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { texts as english } from '../../src/console/messages.ts';
import { texts as spanish } from '../../src/console/messages/es/index.ts';
import { texts as portuguese } from '../../src/console/messages/pt-BR/index.ts';
import { useConsole } from '../support/browser/console.ts';
import { focused, tabTo } from '../support/browser/keyboard.ts';
import { until } from '../support/until.ts';

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const languageOf = (page: Page) => page.evaluate<string>('document.documentElement.lang');

/** Texts of English that are not those of the translation: a page in that language must have none of them. */
function textsOf(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts];
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(textsOf) : [];
}

describe('The console in Portuguese and Spanish', () => {
  const shared = useConsole();

  it('takes the language of the browser, and another one that is chosen by keyboard stays', async () => {
    const { person, visit } = shared();
    const { email, password } = await person();
    const visitor = await visit({ locale: 'pt-PT' });
    const { page } = visitor;
    await visitor.open('/');
    await heading(page, portuguese.signIn.title);
    assert.equal(await languageOf(page), 'pt-BR');
    await visitor.look('sign-in-pt-BR');

    await tabTo(page, portuguese.nav.language);
    await page.keyboard.type('Esp');
    await heading(page, spanish.signIn.title);
    assert.equal(await languageOf(page), 'es');
    await page.reload();
    await heading(page, spanish.signIn.title);
    await visitor.look('sign-in-es');

    await page.getByLabel(spanish.signIn.email).fill(email);
    await page.getByLabel(spanish.signIn.password, { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await heading(page, spanish.overview.title);
    assert.equal(await page.title(), `${spanish.overview.title} · Parley`);
    await until('the account menu to have the focus', async () => {
      await page.keyboard.press('Shift+Tab');
      return (await focused(page)).includes(email);
    });
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Español' }).waitFor();
    await until('the focus to be on the language', async () => {
      await page.keyboard.press('ArrowDown');
      return (await focused(page)).endsWith('Português (Brasil)');
    });
    await page.keyboard.press('Enter');
    await heading(page, portuguese.overview.title);
    assert.equal(await languageOf(page), 'pt-BR');
    await page.reload();
    await heading(page, portuguese.overview.title);
  });

  it('asks before a form with changes is left for another language, and keeps them as a draft', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'Draft', script: [{ reply: 'Yes.' }] });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    await page.getByLabel('Description').fill('A changed description');
    await page.getByRole('button', { name: /@/ }).click();
    await page.getByRole('menuitem', { name: 'Español' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave, keep the draft' }).click();
    await page.getByText(spanish.unsaved.restored).first().waitFor();
    assert.equal(await page.getByLabel(spanish.agent.description).inputValue(), 'A changed description');
  });

  it('loads no translation in English, which German browsers get too', async () => {
    const { visit } = shared();
    const english = await visit({ isFirstVisit: true });
    const loaded: string[] = [];
    english.page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await english.open('/');
    await heading(english.page, 'Sign in');
    assert.equal(await languageOf(english.page), 'en');
    const all = loaded.length;
    await english.page.getByLabel('Language').selectOption('pt-BR');
    await heading(english.page, portuguese.signIn.title);
    const first = new Set(loaded.slice(0, all));
    const added = loaded.filter((path) => !first.has(path) && path.endsWith('.js'));
    assert.equal(added.length, 1, added.join(', '));

    const german = await visit({ locale: 'de-DE' });
    await german.open('/');
    await heading(german.page, 'Sign in');
    assert.equal(await languageOf(german.page), 'en');
  });

  for (const [language, texts] of Object.entries({ 'pt-BR': portuguese, es: spanish }))
    it(`shows no English on its pages in ${language}, and nothing sticks out of them`, async () => {
      const { signedIn, api, receiver } = shared();
      const translated = new Set(textsOf(texts));
      const foreign = new Set(textsOf(english).filter((text) => !translated.has(text)));
      const agent = await api.createAgent({ name: 'Zebra', script: [{ reply: 'Zebra 7' }] });
      const { conversation_id } = await api.send(agent.id, {
        ...{ message: 'Zebra 3', webhook_url: receiver.url(`/zebra-${language}`) },
        contact: { id: 'zebra', name: 'Zebra' },
      });
      await api.settled(conversation_id);
      const [delivery] = await api.deliveries({ conversation_id });
      const called = await api.call('GET', '/agents');
      const visitor = await signedIn({ locale: language });
      // The address that no page has is answered with 404.
      visitor.expectRefusals();
      const { page } = visitor;
      const own = `/agents/${agent.id}`;
      const paths = [
        '/',
        '/agents',
        own,
        `${own}?tab=tools`,
        `${own}/playground`,
        `${own}/versions`,
        `${own}/rehearsals`,
      ];
      paths.push(
        `${own}?tab=timing`,
        `${own}?tab=advanced`,
        `${own}/channel`,
        '/conversations',
        `/conversations/${conversation_id}`,
        '/approvals',
      );
      paths.push(`/deliveries/${delivery?.id}`, `/requests/${called.headers.get('parley-request-id') ?? ''}`);
      paths.push('/deliveries', '/admin/tools', '/models', '/developers', '/settings/api', '/webhooks');
      paths.push('/requests', '/members', '/roles', '/audit', '/data', '/account', '/nowhere');
      for (const path of paths) {
        await visitor.open(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByRole('status', { name: texts.common.loading }).first().waitFor({ state: 'detached' });
        const shown = await page.evaluate<string[]>(`(() => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const found = [];
          while (walker.nextNode())
            if (walker.currentNode.parentElement.closest('.cm-editor, pre, code, script, style, [translate=no]') === null)
              found.push(walker.currentNode.data.trim());
          for (const name of ['aria-label', 'placeholder', 'title'])
            for (const element of document.querySelectorAll('[' + name + ']')) found.push(element.getAttribute(name));
          return found;
        })()`);
        assert.ok(shown.length > 20, path);
        assert.deepEqual(
          shown.filter((text) => foreign.has(text)),
          [],
          path,
        );
        await visitor.look(`${language}-${path.replaceAll(/[^a-z]+/g, '-')}`);
      }
    });
});
