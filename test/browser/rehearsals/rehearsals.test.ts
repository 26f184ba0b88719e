/** Rehearsals in the console: start, follow, cancel, resume and read one, and keep a test set. */
import assert from 'node:assert/strict';
import { pageOf } from '../../../src/contract/page.ts';
import { rehearsal, testTurn } from '../../../src/contract/rehearsals/rehearsals.ts';
import { useConsole } from '../../support/browser/console.ts';
import { opened, press, tabTo } from '../../support/browser/keyboard.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import { until } from '../../support/until.ts';

describe('Rehearsals in the console', () => {
  const shared = useConsole();

  const scriptOf = (hello: object, boss: object) => [
    { when: 'hello', ...hello },
    { when: 'boss', ...boss },
    { reply: 'Goodbye, and thank you.' },
  ];

  /** An agent with three recorded turns, and a draft that answers two of them differently. */
  async function recorded() {
    const { api } = shared();
    const boss = await api.createAgent({ name: 'Boss', script: [{ reply: 'I take over.' }] });
    const agent = await api.createAgent({
      name: 'Reception',
      transfers_to: [boss.id],
      script: scriptOf(
        { reply: 'Good morning, how can I help you today?' },
        { transfer_to: 'Boss', reply: 'One moment.' },
      ),
    });
    const conversations: string[] = [];
    for (const message of ['hello', 'the boss, please', 'bye']) {
      const { conversation_id } = await api.ask(agent.id, { message });
      conversations.push(conversation_id);
    }
    const draft = async (hello: object) => {
      const script = scriptOf(hello, { reply: 'One moment.' });
      const answer = await api.call('PUT', `/agents/${agent.id}/draft`, { body: { script } });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    await draft({ reply: 'Good morning, what can I do today?' });
    return { agent, conversations, draft };
  }

  it('starts one of the draft with a rule, and reports each difference, also to the keyboard alone', async () => {
    const { agent } = await recorded();
    const visitor = await shared().signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    await press(page, 'Rehearsals');
    await page.getByText('No rehearsals yet').waitFor();
    await page.getByText('The test set is empty').waitFor();
    const toConversations = page.getByRole('link', { name: 'Choose from its conversations' });
    assert.equal(
      await toConversations.getAttribute('href'),
      `/conversations?status=all&agent_id=${agent.id}`,
    );
    await visitor.look('rehearsals-empty');
    await press(page, 'Start a rehearsal');
    await opened(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Rehearse' }).click();
    await page.getByRole('option', { name: 'The draft' }).click();
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await press(page, 'Start rehearsal');
    await dialog.getByText('This field is required').waitFor();
    await dialog.getByLabel('Rule 1: text').fill('goodbye');
    await dialog.getByLabel('Another model').fill('nobody');
    await visitor.look('rehearsal-start');
    visitor.expectRefusals();
    await dialog.getByRole('button', { name: 'Start rehearsal' }).click();
    await dialog.getByText('must be provider/name').waitFor();
    await dialog.getByLabel('Another model').fill('');
    await tabTo(page, 'Start rehearsal');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Rehearsal: Draft' }).waitFor();
    await page.getByText('Not passed: 2 of 3 turns fail.').waitFor();
    const filters = page.getByRole('navigation', { name: 'Turns by outcome' });
    for (const name of ['All 3', 'Does not pass 2', 'Unchanged 1', 'Reworded 1', 'Other transfer 1'])
      await filters.getByRole('link', { name, exact: true }).waitFor();
    assert.equal(await filters.getByRole('link').count(), 5);
    await page.getByRole('table', { name: 'Cost and time, recorded and now' }).waitFor();
    await page.getByText('The 3 newest turns. No tool ran: each call got its recorded result.').waitFor();
    assert.deepEqual(await page.locator('.rehearsal-facts li').allInnerTexts(), [
      'The same tools with the same arguments, and the same transfer. Nothing is refused or fails. Other wording passes.',
      'The answer must contain “goodbye”.',
    ]);
    await page.getByRole('article').nth(1).waitFor();
    await visitor.look('rehearsal-report');
    assert.equal(await page.getByRole('article').count(), 2);
    await press(page, '1 turn is unchanged');
    await page.getByRole('article', { name: 'Turn 3' }).waitFor();
    await press(page, 'Show the turns that fail');
    await until('two turns', async () => (await page.getByRole('article').count()) === 2);
    assert.equal(await page.getByText('1 turn is unchanged').count(), 0);

    await press(page, 'Reworded 1');
    await until('one turn', async () => (await page.getByRole('article').count()) === 1);
    const turn = page.getByRole('article', { name: 'Turn 1' });
    await turn.getByText('hello', { exact: true }).waitFor();
    const marked = async (side: string) =>
      await turn.getByRole('group', { name: side }).locator('mark').allInnerTexts();
    assert.deepEqual(await marked('Recorded · Version 1'), ['how can I help you']);
    assert.deepEqual(await marked('Now · Draft'), ['what can I do']);
    await turn.getByText('Breaks rule 1: must contain “goodbye”').waitFor();

    await page.reload();
    await until('one turn', async () => (await page.getByRole('article').count()) === 1);
    await filters.getByRole('link', { name: 'Other transfer 1' }).click();
    const transfer = page.getByRole('article', { name: 'Turn 2' });
    await transfer.getByText('Transfers to Boss').waitFor();
    await page.getByRole('link', { name: 'All rehearsals' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Draft' });
    const failing = row.getByRole('link', { name: '2 of 3 turns fail' });
    assert.match((await failing.getAttribute('href')) ?? '', /\?outcome=failing$/);
    await row.getByText('The answer must contain “goodbye”').waitFor();
    await row.getByText('1 other transfer: not accepted').waitFor();
    await row.getByText('1 unchanged · 1 reworded · 1 other transfer').waitFor();
    await row.getByText(/^(Same time|\d+% (faster|slower))$/).waitFor();
    await visitor.look('rehearsals');
  });

  it('shows the rehearsal of the draft wherever the draft is published, until the draft changes', async () => {
    const { agent, draft } = await recorded();
    const { api, signedIn } = shared();
    const path = `/agents/${agent.id}/rehearsals`;
    const rehearse = async (body: object) => {
      const { id } = rehearsal.parse((await api.call('POST', path, { body })).body);
      return await until('the rehearsal to be completed', async () => {
        const now = rehearsal.parse((await api.call('GET', `${path}/${id}`)).body);
        return now.status === 'completed' && now;
      });
    };
    const visitor = await signedIn();
    const { page } = visitor;
    const notice = page.getByRole('note').filter({ hasText: 'saved' });
    const dialog = page.getByRole('dialog', { name: 'Publish a version' });
    const row = page.getByRole('row').filter({ hasText: 'Not published' });
    const publish = (inside: typeof row) => inside.getByRole('button', { name: 'Publish', exact: true });
    const variant = async (inside: typeof row) => await publish(inside).getAttribute('data-variant');

    await visitor.open(`/agents/${agent.id}`);
    await notice.waitFor();
    assert.equal(await notice.getByRole('link', { name: /ehears/ }).count(), 0);
    assert.equal(await variant(notice), 'filled');

    const failed = await rehearse({ version: 'draft', rules: [{ kind: 'contains', text: 'thank you' }] });
    await rehearse({ version: 1 });
    await page.reload();
    const failing = { name: 'Rehearsal: 2 of 3 turns fail' };
    const report = await notice.getByRole('link', failing).getAttribute('href');
    assert.equal(report, `${path}/${failed.id}?outcome=failing`);
    assert.equal(await variant(notice), 'default');
    await visitor.look('draft-not-passed');
    await publish(notice).click();
    await dialog.getByRole('note').getByRole('link', failing).waitFor();
    await visitor.look('publish-not-passed');
    await page.keyboard.press('Escape');
    await visitor.open(`/agents/${agent.id}/versions`);
    await row.getByRole('link', failing).waitFor();
    assert.equal(await variant(row), 'default');
    const version = page.getByRole('row').filter({ hasText: 'Version 1' });
    await version.getByRole('link', { name: 'Rehearsal passed' }).waitFor();
    await visitor.look('versions-not-passed');
    await publish(row).click();
    await dialog.getByRole('note').getByRole('link', failing).waitFor();
    await page.keyboard.press('Escape');

    await draft({ reply: 'Good morning. How may I help?' });
    const none = { name: 'Not rehearsed as it is now' };
    await page.reload();
    await row.getByRole('link', none).waitFor();
    assert.equal(await row.getByRole('link', failing).count(), 0);
    assert.equal(await variant(row), 'filled');
    await visitor.open(`/agents/${agent.id}`);
    await notice.getByRole('link', none).waitFor();
    assert.equal(await notice.getByRole('link', failing).count(), 0);

    await rehearse({ version: 'draft', accepts: ['same', 'other_text', 'other_transfer'] });
    await page.reload();
    await notice.getByRole('link', { name: 'Rehearsal passed' }).click();
    await page.getByText('Next: publish it in the settings.').waitFor();
    await page.getByText('Passing outcomes: Unchanged, Reworded, Other transfer.').waitFor();
    await visitor.look('rehearsal-passed');
    await page.getByRole('link', { name: 'Open the draft' }).click();
    // No rehearsal contains changes that are typed after it.
    await page.getByLabel('Instructions', { exact: true }).fill('Be rude.');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByRole('link', none).waitFor();
    assert.equal(await dialog.getByRole('note').count(), 0);
  });

  it('shows progress while it runs, and cancels and resumes it', async () => {
    const { agent, draft } = await recorded();
    await draft({ reply: 'Good morning, how can I help you today?', delay_ms: 60_000 });
    const visitor = await shared().signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/rehearsals`);
    await page.getByRole('button', { name: 'Start a rehearsal' }).click();
    const dialog = page.getByRole('dialog');
    const choose = async (version: string) => {
      await dialog.getByRole('combobox', { name: 'Rehearse' }).click();
      await page.getByRole('option', { name: version }).click();
    };
    const same = dialog.getByText('this only shows how much its answers vary');
    await choose('The published version');
    await same.waitFor();
    await choose('The draft');
    await same.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Start rehearsal' }).click();
    await page.getByText('2 of 3 turns asked').waitFor();
    await page.getByRole('progressbar', { name: 'Progress of the rehearsal' }).waitFor();
    await page.getByText('Not asked yet').waitFor();
    await visitor.look('rehearsal-running');
    await page.getByRole('button', { name: 'Cancel rehearsal' }).click();
    await dialog.getByRole('button', { name: 'Cancel rehearsal' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await visitor.look('rehearsal-cancelled');

    const id = page.url().split('/').at(-1) ?? '';
    await shared().db.pool.query(
      "update rehearsals set content = jsonb_set(content, '{script,0,delay_ms}', '0') where id = $1",
      [id],
    );
    await page.getByRole('button', { name: 'Resume' }).click();
    const { api } = shared();
    const { outcomes } = await until('the rehearsal to be completed', async () => {
      const now = rehearsal.parse((await api.call('GET', `/agents/${agent.id}/rehearsals/${id}`)).body);
      return now.status === 'completed' && now;
    });
    assert.equal(outcomes.same, 2);
    await page.getByRole('link', { name: 'Unchanged 2', exact: true }).waitFor();
  });

  it('adds the turns of a conversation to the test set, rehearses them, and removes one', async () => {
    const { agent, conversations } = await recorded();
    const { api, signedIn } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/conversations/${conversations[0]}`);
    await page.getByRole('button', { name: 'Details' }).click();
    const add = async () => {
      await page.getByRole('button', { name: 'More actions for' }).click();
      await page.getByRole('menuitem', { name: 'Add to the test set' }).click();
    };
    await add();
    await page.getByText('1 turn added to the test set of Reception').waitFor();
    await visitor.look('conversation-test-set');
    await add();
    await page.getByText('Reception has these turns already').waitFor();
    const list = async () =>
      pageOf(testTurn).parse((await api.call('GET', `/agents/${agent.id}/test-turns`)).body).data;
    assert.deepEqual(
      (await list()).map(({ conversation_id }) => conversation_id),
      conversations.slice(0, 1),
    );

    await visitor.open(`/agents/${agent.id}/rehearsals`);
    const table = page.getByRole('table', { name: 'Test set of this agent' });
    await table.getByRole('link', { name: 'hello' }).waitFor();
    // Who added it, by name: the email shows on hover.
    await table.getByTitle('@').filter({ hasNotText: '@' }).waitFor();
    await visitor.look('test-set');
    await page.getByRole('button', { name: 'Start a rehearsal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Turns' }).click();
    await page.getByRole('option', { name: 'The test set' }).click();
    await dialog.getByRole('button', { name: 'Start rehearsal' }).click();
    await page.getByText('Passed: every turn meets its checks.').waitFor();
    await page.getByRole('link', { name: 'Reworded 1', exact: true }).waitFor();

    await page.getByRole('link', { name: 'All rehearsals' }).click();
    await chooseAction(table, 'Remove');
    await dialog.getByText('Remove this turn from the test set?').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The test set is empty').waitFor();
    assert.deepEqual(await list(), []);
  });

  it('requires a passed rehearsal once the setting is on, and says what to do', async () => {
    const { agent } = await recorded();
    const { api, signedIn } = shared();
    // Without a draft, a change is published as it is saved.
    assert.equal((await api.call('DELETE', `/agents/${agent.id}/draft`)).status, 204);
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}?tab=advanced`);
    await page.getByRole('switch', { name: 'Publish only after a passed rehearsal' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const saved = (await api.call('GET', `/agents/${agent.id}`)).body as { requires_rehearsal: boolean };
    assert.equal(saved.requires_rehearsal, true);
    visitor.expectRefusals();
    await page.getByRole('tab', { name: 'Answers' }).click();
    await page.getByLabel('Instructions', { exact: true }).fill('Be rude.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('This agent requires a passed rehearsal of exactly what is published').waitFor();
    await visitor.look('requires-rehearsal');
  });

  it('shows reports to those who view conversations, and buttons to those who manage agents as well', async () => {
    const { agent, conversations } = await recorded();
    const { api, signedIn, person } = shared();
    const conversation_id = conversations[0];
    await api.call('POST', `/agents/${agent.id}/test-turns`, { body: { conversation_id } });
    const reader = await signedIn({ as: await person(['conversations.view']) });
    await reader.open(`/agents/${agent.id}/rehearsals`);
    await reader.page.getByText('No rehearsals yet').waitFor();
    await reader.page.getByRole('link', { name: 'hello' }).waitFor();
    for (const name of ['Start a rehearsal', 'More actions for hello'])
      assert.equal(await reader.page.getByRole('button', { name }).count(), 0, name);
    await reader.open(`/conversations/${conversation_id}`);
    await reader.page.getByRole('button', { name: 'Details' }).click();
    await reader.page.getByRole('button', { name: 'Copy identifier' }).waitFor();
    assert.equal(await reader.page.getByRole('button', { name: 'More actions for' }).count(), 0);

    const outsider = await signedIn({ as: await person(['agents.manage']) });
    await outsider.open(`/agents/${agent.id}`);
    await outsider.page.getByRole('link', { name: 'Playground' }).waitFor();
    assert.equal(await outsider.page.getByRole('link', { name: 'Rehearsals' }).count(), 0);
    await outsider.open(`/agents/${agent.id}/rehearsals`);
    await outsider.page.getByText('You don’t have access to this page').waitFor();
  });
});
