import assert from 'node:assert/strict';
import type { Agent } from '../../../src/contract/conversations/agents.ts';
import { useConsole } from '../../support/browser/console.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import { focused, press, tabTo, type } from '../../support/browser/keyboard.ts';
import { until } from '../../support/until.ts';

const grouped = [{ when: '(?i)invoice (\\d+)', reply: 'Invoice $1 is paid.' }, { reply: 'Hello.' }];

describe('/agents', () => {
  const shared = useConsole();

  it('shows below the settings, or beside them on a wide screen, the agent’s week, channel, tools, senders and identifier', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'Plants', script: [{ reply: 'Water it less.' }] });
    await api.createAgent({ name: 'Front desk', transfers_to: [agent.id] });
    await api.ask(agent.id, { message: 'yellow leaves' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    const summary = page.getByRole('complementary', { name: 'Summary' });
    await page.getByLabel('Instructions', { exact: true }).waitFor();
    const save = page.getByRole('button', { name: 'Save changes' });
    const places = async () => {
      const [bar, panel] = [await save.boundingBox(), await summary.boundingBox()];
      assert.ok(bar !== null && panel !== null);
      return { bar, panel };
    };
    await page.setViewportSize({ width: 390, height: 844 });
    const narrow = await places();
    assert.ok(narrow.bar.y + narrow.bar.height <= narrow.panel.y);
    await page.setViewportSize({ width: 1440, height: 900 });
    const week = summary.getByRole('link', { name: '1 message' });
    assert.equal(await week.getAttribute('href'), `/conversations?status=all&agent_id=${agent.id}`);
    const channel = summary.getByRole('link', { name: 'Not connected' });
    assert.equal(await channel.getAttribute('href'), `/agents/${agent.id}/channel`);
    await summary.getByText('It calls no tool').waitFor();
    await summary.getByText(agent.id, { exact: true }).waitFor();
    await visitor.look('agent-summary');
    const { bar, panel } = await places();
    assert.ok(bar.x + bar.width <= panel.x);
    // For the keyboard, it follows the whole form.
    await save.focus();
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'A 1 message');
    await summary.getByRole('link', { name: 'Front desk' }).click();
    await page.getByRole('heading', { level: 1, name: 'Front desk' }).waitFor();
    await summary.getByText('No messages').waitFor();
  });

  it('creates an agent, edits it, and keeps every field', async () => {
    const { signedIn, api } = shared();
    await api.createAgent({ name: 'Billing' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/agents');
    const row = page.getByRole('row').filter({ hasText: 'Billing' });
    await row.waitFor();
    await visitor.look('agents');
    const search = page.getByRole('searchbox', { name: 'Search agents' });
    await search.fill('nobody');
    await page.getByText('No agent has this name').waitFor();
    await visitor.look('agents-not-found');
    await search.fill(' bill');
    await row.getByText('Active', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Support');
    const first = await page.getByRole('dialog').getByLabel('Instructions').inputValue();
    assert.match(first, /^You answer customers of an organization\./);
    await page.getByRole('button', { name: 'Create agent' }).click();
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;

    const { instructions, version } = (await api.call('GET', `/agents/${id}`)).body as Agent;
    assert.deepEqual([instructions, version], [first, 1], 'the first version is not empty');
    await page.getByLabel('Instructions', { exact: true }).fill('Answer in one sentence.');
    await page.getByRole('tab', { name: 'Timing' }).click();
    await page.getByLabel('Wait for more messages (seconds)').fill('0.5');
    await page.getByRole('switch', { name: 'Start over when another message arrives' }).check();
    await page.getByRole('button', { name: 'Add follow-up' }).click();
    await page.getByRole('combobox', { name: 'Follow-up 1: unit' }).click();
    await page.getByRole('option', { name: 'minutes' }).click();
    await page.getByLabel('Follow-up 1: follow up after').fill('10');
    await page.getByLabel('Follow-up 1: instructions').fill('Ask whether it helped.');
    await page.getByRole('tab', { name: 'Tools and transfers' }).click();
    await page.getByRole('combobox', { name: 'May transfer to' }).click();
    await page.getByRole('option', { name: 'Billing' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Answers' }).click();
    await page.getByRole('button', { name: 'Insert an example' }).click();
    await page.getByLabel('Script of the agent').getByText('Invoice $1').waitFor();
    await visitor.look('agent');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();

    const saved = (await api.call('GET', `/agents/${id}`)).body as Record<string, unknown>;
    assert.equal(saved['instructions'], 'Answer in one sentence.');
    assert.equal(saved['grouping_window_seconds'], 0.5);
    assert.equal(saved['input_during_run'], 'cancel_and_merge');
    assert.deepEqual(saved['follow_ups'], [{ after_seconds: 600, instructions: 'Ask whether it helped.' }]);
    assert.equal((saved['transfers_to'] as string[]).length, 1);
    assert.equal((saved['script'] as unknown[]).length, 3);

    visitor.expectRefusals();
    await page.getByRole('combobox', { name: 'Model', exact: true }).click();
    await page.getByRole('option', { name: 'Another model …' }).click();
    await page.getByLabel('Name of the model').fill('nobody/nothing');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('is of a provider that is not set up').waitFor();

    await page.getByRole('tab', { name: 'Advanced' }).click();
    await page.getByRole('button', { name: 'Delete agent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).click();
    await page.getByRole('row').filter({ hasText: 'Billing' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Support' }).waitFor({ state: 'detached' });

    await chooseAction(page.getByRole('main'), 'Deleted agents');
    const deleted = page.getByRole('dialog', { name: 'Deleted agents' });
    await deleted.getByRole('row').filter({ hasText: 'Support' }).waitFor();
    await visitor.look('deleted-agents');
    await deleted.getByRole('button', { name: 'Restore: Support' }).click();
    await deleted.getByText('No deleted agents').waitFor();
    await deleted.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').filter({ hasText: 'Support' }).waitFor();
    const restored = (await api.call('GET', `/agents/${id}`)).body as Record<string, unknown>;
    assert.equal(restored['instructions'], 'Answer in one sentence.');
  });

  it('keeps what is typed, and asks before the page is left by a tab, the menu, Back, a reload and signing out', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: 'Before.' });
    const visitor = await signedIn();
    const { page } = visitor;
    const instructions = page.getByLabel('Instructions', { exact: true });
    const dialog = page.getByRole('dialog', { name: 'You have unsaved changes' });
    const isTyped = (text: string) =>
      until('the text to be there', async () => (await instructions.inputValue()) === text);
    await visitor.open('/agents');
    await page.getByRole('link', { name: agent.name }).click();
    await page.getByText('No unsaved changes').waitFor();
    await instructions.fill('A draft.');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();

    const ways: [string, () => Promise<unknown>][] = [
      ['tab', () => page.getByRole('link', { name: 'Playground' }).click()],
      ['menu', () => page.getByRole('link', { name: 'Conversations' }).click()],
      ['Back', () => page.evaluate('history.back()')],
    ];
    for (const [way, leave] of ways) {
      await leave();
      await dialog.getByRole('button', { name: 'Stay' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).pathname, `/agents/${agent.id}`, way);
      await isTyped('A draft.');
    }
    await page.getByRole('link', { name: 'Playground' }).click();
    await visitor.look('agent-leave');
    await dialog.getByRole('button', { name: 'Leave, keep the draft' }).click();
    await page.getByText('Send a message to start').waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('Draft restored').waitFor();
    await isTyped('A draft.');
    await visitor.look('agent-draft');

    const asked: string[] = [];
    page.once('dialog', (question) => {
      asked.push(question.type());
      void question.accept();
    });
    await page.reload();
    assert.deepEqual(asked, ['beforeunload']);
    await page.getByText('Draft restored').waitFor();
    await isTyped('A draft.');
    assert.equal(
      ((await api.call('GET', `/agents/${agent.id}`)).body as { instructions: string }).instructions,
      'Before.',
    );

    await page.evaluate('history.back()');
    await dialog.getByRole('button', { name: 'Save and leave' }).click();
    await page.waitForURL(({ pathname }) => pathname === `/agents/${agent.id}/playground`);
    assert.equal(
      ((await api.call('GET', `/agents/${agent.id}`)).body as { instructions: string }).instructions,
      'A draft.',
    );

    await visitor.open(`/agents/${agent.id}`);
    await page.getByText('No unsaved changes').waitFor();
    await instructions.fill('Never mind.');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No unsaved changes').waitFor();
    await isTyped('A draft.');

    await instructions.fill('A secret.');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await page.getByRole('button', { name: /an organization/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    visitor.expectRefusals();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.ok(!(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).includes('A secret.'));
  });

  it('keeps a message that is not sent yet', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('Half a sente');
    await page.reload();
    await until('the text to be there', async () => (await field.inputValue()) === 'Half a sente');
    await field.fill('A sentence.');
    await page.keyboard.press('Enter');
    await page.getByText('A sentence.').first().waitFor();
    await page.reload();
    await page.getByText('A sentence.').first().waitFor();
    assert.equal(await field.inputValue(), '');
  });

  it('of two editors neither loses what the other saved', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: 'Before.', description: 'Before.' });
    const saved = async () =>
      (await api.call('GET', `/agents/${agent.id}`)).body as { instructions: string; description: string };
    const [first, second] = [await signedIn(), await signedIn()];
    const fields = ({ page }: typeof first) => ({
      instructions: page.getByLabel('Instructions', { exact: true }),
      description: page.getByLabel('Description', { exact: true }),
      save: page.getByRole('button', { name: 'Save changes' }),
      saved: page.getByText('No unsaved changes'),
    });
    const [mine, theirs] = [fields(first), fields(second)];
    for (const one of [first, second]) {
      await one.open(`/agents/${agent.id}`);
      await fields(one).saved.waitFor();
    }
    second.expectRefusals();
    const dialog = second.page.getByRole('dialog', { name: 'Someone else changed this agent' });

    // Other fields: both are kept.
    await theirs.instructions.fill('Theirs.');
    await mine.description.fill('Mine.');
    await mine.save.click();
    await mine.saved.waitFor();
    await theirs.save.click();
    await dialog.getByText(/^Saved .*: Description\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Keep both and save' }).click();
    await theirs.saved.waitFor();
    assert.equal(await theirs.description.inputValue(), 'Mine.');
    const both = await saved();
    assert.deepEqual([both.instructions, both.description], ['Theirs.', 'Mine.']);

    // The same field: one decides, and sees the other's text.
    await first.page.reload();
    await mine.saved.waitFor();
    await theirs.instructions.fill('Theirs again.');
    await mine.instructions.fill('Mine again.');
    await mine.save.click();
    await mine.saved.waitFor();
    await theirs.save.click();
    await dialog
      .getByRole('region', { name: 'Instructions, as they saved it' })
      .getByText('Mine again.')
      .waitFor();
    await second.look('agent-conflict');
    await second.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await saved()).instructions, 'Mine again.');
    await second.page.getByText('Someone else changed this agent.').waitFor();
    await second.look('agent-conflict-notice');
    await second.page.getByRole('button', { name: 'Compare' }).click();
    await dialog.getByRole('button', { name: 'Discard mine' }).click();
    await theirs.saved.waitFor();
    assert.equal(await theirs.instructions.inputValue(), 'Mine again.');
    await theirs.instructions.fill('The last word.');
    await mine.description.fill('And this.');
    await theirs.save.click();
    await theirs.saved.waitFor();
    await mine.instructions.fill('No, this is.');
    first.expectRefusals();
    await mine.save.click();
    await first.page.getByRole('dialog').getByRole('button', { name: 'Keep mine and save' }).click();
    await mine.saved.waitFor();
    const last = await saved();
    assert.deepEqual([last.instructions, last.description], ['No, this is.', 'And this.']);
  });

  it('switches an agent off at once, after a question, and on again, and keeps what is typed', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: 'Before.' });
    const visitor = await signedIn();
    const { page } = visitor;
    const isActive = async () => ((await api.call('GET', `/agents/${agent.id}`)).body as Agent).active;
    await visitor.open(`/agents/${agent.id}`);
    await page.getByLabel('Instructions', { exact: true }).fill('After.');
    await page.getByRole('switch', { name: 'Active' }).click();
    const question = page.getByRole('dialog', { name: `Switch off ${agent.name}?` });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await isActive(), true);

    await page.getByRole('switch', { name: 'Active' }).click();
    await visitor.look('agent-switch-off');
    await question.getByRole('button', { name: 'Switch off' }).click();
    const off = page.getByRole('switch', { name: 'Switched off' });
    await off.waitFor();
    assert.equal(await isActive(), false);
    assert.equal(
      (await api.refused(409, 'POST', `/chat/${agent.id}`, { body: { message: 'Hello' } })).code,
      'agent_inactive',
    );

    // The change of another setting is no conflict with what is typed here.
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const saved = (await api.call('GET', `/agents/${agent.id}`)).body as Agent;
    assert.deepEqual([saved.instructions, saved.active], ['After.', false]);
    await off.click();
    await page.getByRole('switch', { name: 'Active' }).waitFor();
    assert.equal(await isActive(), true);
  });

  it('leads to the first field that is not right, and names all of them', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent();
    for (const width of [1280, 390]) {
      const visitor = await signedIn({ width });
      const { page } = visitor;
      visitor.expectRefusals();
      await visitor.open(`/agents/${agent.id}`);
      // Before another model is named: then the script is hidden.
      await page.getByLabel('Script of the agent').fill('- answer: this is no rule');
      await page.getByRole('combobox', { name: 'Model', exact: true }).click();
      await page.getByRole('option', { name: 'Another model' }).click();
      await page.getByLabel('Name of the model').fill('nobody/nothing');
      await page.getByLabel('Script of the agent').waitFor({ state: 'detached' });
      await page.getByRole('tab', { name: 'Timing' }).click();
      await page.getByLabel('Answer after (messages)').fill('5000');
      await page.getByRole('button', { name: 'Add follow-up' }).click();
      await page.getByRole('tab', { name: 'Tools and transfers' }).click();
      await page.getByRole('button', { name: 'Save changes' }).click();
      // The schema comes first; what the agent may use is looked at after it.
      await page.getByText('Please check: Script of the agent, Answer after (messages).').waitFor();
      // No field of the open tab has an error: the first of all is in the tab that opens, which comes first.
      const chosen = page.getByRole('tab', { selected: true });
      await page.getByRole('tab', { name: 'Answers', selected: true }).waitFor();
      await until('the focus to be there', async () => (await focused(page)).endsWith('Script of the agent'));
      assert.equal(new URL(page.url()).search, '');
      if (width === 1280) await visitor.look('agent-errors');
      await page.getByLabel('Script of the agent').fill('- reply: yes');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('Please check: Answer after (messages).').waitFor();
      await until(
        'the focus to be there',
        async () => (await focused(page)) === 'INPUT Answer after (messages)',
      );
      assert.equal(await chosen.innerText(), 'Timing');
      if (width === 1280) await visitor.look('agent-errors-of-another-tab');
      await page.getByLabel('Answer after (messages)').fill('50');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('Please check: Name of the model.').waitFor();
      assert.equal(await chosen.innerText(), 'Answers');
      await until('the focus to be there', async () => (await focused(page)) === 'INPUT Name of the model');
      const box = await page.getByLabel('Name of the model').boundingBox();
      assert.ok(box !== null && box.y > 60 && box.y < 700, JSON.stringify(box));
    }
  });

  it('shows notifications beside the bar that saves, on a wide screen and a phone', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: 'Before.' });
    for (const width of [1280, 390]) {
      const visitor = await signedIn({ width });
      const { page } = visitor;
      await visitor.open(`/agents/${agent.id}`);
      await page.getByLabel('Instructions', { exact: true }).fill(`After ${width}.`);
      await page.getByRole('button', { name: 'Save changes' }).click();
      const notification = page.getByRole('alert').filter({ hasText: 'Saved' });
      await notification.waitFor();
      const [shown, bar] = await Promise.all([
        notification.boundingBox(),
        page.locator('.save-bar').boundingBox(),
      ]);
      assert.ok(
        shown !== null && bar !== null && shown.y > 0 && shown.y + shown.height <= bar.y,
        JSON.stringify([shown, bar]),
      );
    }
  });

  it('keeps what is typed and the tab: by keys, Back, a stay and a reload, on a wide screen and a phone', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: 'Before.' });
    const tabs = ['Answers', 'Tools and transfers', 'Timing', 'Advanced'];
    for (const width of [1280, 390]) {
      const visitor = await signedIn({ width });
      const { page } = visitor;
      const isOpen = async (name: string, search: string) => {
        await page.getByRole('tab', { name, selected: true }).waitFor();
        await until('the address', () => new URL(page.url()).search === search);
        assert.equal(await page.getByRole('tabpanel').count(), 1);
        await page.getByRole('tabpanel', { name }).waitFor();
      };
      await visitor.open('/agents');
      await page.getByRole('link', { name: agent.name }).click();
      await isOpen('Answers', '');
      assert.deepEqual(await page.getByRole('tab').allInnerTexts(), tabs);
      for (const tab of await page.getByRole('tab').all()) {
        const { x, width: wide } = (await tab.boundingBox()) ?? assert.fail();
        assert.ok(x >= 0 && x + wide <= width, 'a tab is cut off');
      }
      await page.getByLabel('Description', { exact: true }).fill('Typed.');
      await page.getByRole('tab', { name: 'Answers' }).focus();
      for (const [key, name, search] of [
        ['ArrowRight', 'Tools and transfers', '?tab=tools'],
        ['ArrowRight', 'Timing', '?tab=timing'],
        ['ArrowRight', 'Advanced', '?tab=advanced'],
        ['ArrowRight', 'Answers', ''],
        ['ArrowLeft', 'Advanced', '?tab=advanced'],
        // These move the focus, and Enter opens the tab.
        ['Home', 'Answers', ''],
        ['End', 'Advanced', '?tab=advanced'],
      ] as const) {
        await page.keyboard.press(key);
        if (!key.startsWith('Arrow')) await page.keyboard.press('Enter');
        await isOpen(name, search);
        assert.ok((await focused(page)).endsWith(name));
      }
      // One tab stop for all tabs: the next is in the panel.
      await page.keyboard.press('Tab');
      assert.match(await focused(page), /^INPUT Time limit of a model call/);
      await page.getByLabel('Cap per day', { exact: true }).fill('3');
      await page.getByRole('tab', { name: 'Timing' }).click();
      await page.getByRole('button', { name: 'Add follow-up' }).click();
      const written = page.getByLabel('Follow-up 1: instructions');
      await written.fill('Ask whether it helped.');
      await visitor.look('agent-timing');

      const dialog = page.getByRole('dialog', { name: 'You have unsaved changes' });
      await page.evaluate('history.back()');
      await dialog.getByRole('button', { name: 'Stay' }).click();
      await dialog.waitFor({ state: 'detached' });
      await isOpen('Timing', '?tab=timing');
      assert.equal(await written.inputValue(), 'Ask whether it helped.');
      page.once('dialog', (question) => void question.accept());
      await page.reload();
      await page.getByText('Draft restored').waitFor();
      await isOpen('Timing', '?tab=timing');
      assert.equal(await written.inputValue(), 'Ask whether it helped.');
      await page.getByRole('tab', { name: 'Advanced' }).click();
      assert.equal(await page.getByLabel('Cap per day', { exact: true }).inputValue(), '3');
      await visitor.look('agent-advanced');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('No unsaved changes').waitFor();
      const { body } = await api.call('GET', `/agents/${agent.id}`);
      const { description, follow_ups, credit_caps } = body as Agent;
      assert.deepEqual(
        [description, follow_ups.map(({ instructions }) => instructions), credit_caps],
        ['Typed.', ['Ask whether it helped.'], { day: 3 }],
      );
      await page.getByRole('link', { name: 'Playground' }).click();
      await page.getByText('Send a message to start').waitFor();
      await page.goBack();
      await isOpen('Advanced', '?tab=advanced');
      await visitor.open(`/agents/${agent.id}?tab=none`);
      await page.getByRole('tab', { name: 'Answers', selected: true }).waitFor();
      await api.changeAgent(agent.id, { description: '', follow_ups: [], credit_caps: null });
    }
  });

  it('saves the time limit of a model call, and resets it', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}?tab=advanced`);
    const saved = async (value: string, limit: number | undefined) => {
      await page.getByLabel('Time limit of a model call (seconds)').fill(value);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await until('the limit to be saved', async () => {
        const { body } = await api.call('GET', `/agents/${agent.id}`);
        return (body as { model_timeout_seconds?: number }).model_timeout_seconds === limit;
      });
    };
    await saved('30', 30);
    await saved('', undefined);
  });

  it('sets the parameters of the model by keyboard alone, and the folded line names them', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    const summary = page.locator('summary').filter({ hasText: 'Model settings' });
    await press(page, 'The defaults of the provider');
    await type(page, 'Temperature', '0.2');
    await type(page, 'Output cap (tokens)', '300');
    await tabTo(page, 'Reasoning effort');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Low' }).waitFor();
    const chosen = page.locator('[data-combobox-selected]').getByText('Low', { exact: true });
    await until('the effort to be chosen', async () => {
      if ((await chosen.count()) > 0) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    });
    await page.keyboard.press('Enter');
    await type(page, 'Output schema', '{"type":"object"}');
    const set = 'temperature 0.2, at most 300 tokens, reasoning effort: Low, answers by a schema';
    await summary.getByText(set, { exact: true }).waitFor();
    await visitor.look('agent-model-settings');
    await press(page, 'Save changes');
    await page.getByText('Saved', { exact: true }).waitFor();
    const { temperature, max_output_tokens, reasoning_effort, output_schema } = (
      await api.call('GET', `/agents/${agent.id}`)
    ).body as Agent;
    assert.deepEqual([temperature, max_output_tokens, reasoning_effort], [0.2, 300, 'low']);
    assert.deepEqual(output_schema, { type: 'object' });
    await page.reload();
    await summary.getByText(set, { exact: true }).waitFor();
    await page.getByLabel('Temperature').waitFor({ state: 'detached' });
    await visitor.open(`/agents/${agent.id}/versions?version=2`);
    const changes = page.getByRole('region', { name: 'Changes of Reasoning effort' });
    await changes.waitFor();
    assert.deepEqual(await changes.locator('ins').allInnerTexts(), ['Low']);
    assert.deepEqual(await changes.locator('del').allInnerTexts(), ['The default of the provider']);
  });

  it('offers the newest short messages of the test set first in an empty playground', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'yes' }] });
    for (const message of ['Where is order 4711?', 'long '.repeat(20)]) {
      const { conversation_id } = await api.ask(agent.id, { message });
      await api.call('POST', `/agents/${agent.id}/test-turns`, { body: { conversation_id } });
    }
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    const starters = page.getByRole('region', { name: 'Conversation' }).getByRole('button');
    await starters.first().waitFor();
    assert.deepEqual(await starters.allInnerTexts(), ['Where is order 4711?', 'Hello!', 'What can you do?']);
    await starters.first().click();
    const field = page.getByLabel('Message', { exact: true });
    assert.equal(await field.inputValue(), 'Where is order 4711?');
  });

  it('shows grouping and the answer live in the playground', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({
      script: grouped,
      grouping_window_seconds: 60,
      grouping_max_messages: 2,
    });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    await page.getByRole('link', { name: 'Playground' }).click();
    const field = page.getByLabel('Message', { exact: true });
    await page.getByRole('button', { name: 'What can you do?' }).click();
    assert.equal(await field.inputValue(), 'What can you do?');
    await field.and(page.locator(':focus')).waitFor();
    await field.fill('Where is my money?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Waiting for more messages').waitFor();
    await field.fill('It is invoice 7');
    await page.keyboard.press('Enter');
    await page.getByText('Grouped: 2 messages').waitFor();
    await page.getByText('Invoice 7 is paid.').waitFor();
    await page.getByText('Answered', { exact: true }).waitFor();
    await visitor.look('playground');
  });

  it('never has an answer of the playground under the field for the next message', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({
      script: [{ reply: 'An answer of some length. '.repeat(8).trim() }],
    });
    for (const width of [1280, 390]) {
      const visitor = await signedIn({ width });
      const { page } = visitor;
      await visitor.open(`/agents/${agent.id}/playground`);
      const field = page.getByLabel('Message', { exact: true });
      for (let n = 1; n <= 5; n++) {
        await field.fill(`Message ${n}`);
        await page.keyboard.press('Enter');
        const run = page.getByRole('region', { name: `Run ${n}`, exact: true });
        await run.getByText('Answered', { exact: true }).waitFor();
        await until(`answer ${n} to be above the field`, async () => {
          const [answer, composer] = [await run.boundingBox(), await page.locator('.composer').boundingBox()];
          return answer !== null && composer !== null && answer.y + answer.height <= composer.y + 1;
        });
      }
      await visitor.look(`playground-five-${width}`);
    }
  });

  it('shows the conversation of the playground again after a reload, Back and another tab, until one starts again', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({
      script: [{ when: 'again', reply: 'Second talk.' }, { reply: 'Kept.' }],
    });
    const visitor = await signedIn({ width: 1150 });
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    const field = page.getByLabel('Message', { exact: true });
    const answers = () => page.getByText('Kept.', { exact: true });
    await field.fill('Hello?');
    await page.keyboard.press('Enter');
    await answers().waitFor();
    // On a narrow screen, the instructions are not beside it.
    assert.equal(await page.getByLabel(`Instructions of ${agent.name}`).isVisible(), false);
    await page.reload();
    await answers().waitFor();
    await page.getByRole('link', { name: 'Versions' }).click();
    await answers().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Playground' }).click();
    await answers().waitFor();
    await page.getByRole('link', { name: 'Conversations', exact: true }).click();
    await answers().waitFor({ state: 'detached' });
    await page.evaluate('history.back()');
    await answers().waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByText('Send a message to start').waitFor();
    await page.reload();
    await page.getByText('Send a message to start').waitFor();
    await field.fill('once again');
    await page.keyboard.press('Enter');
    await page.getByText('Second talk.', { exact: true }).waitFor();
    assert.equal(await answers().count(), 0);
    const path = await page.getByRole('link', { name: 'Open in Conversations' }).getAttribute('href');
    visitor.expectRefusals();
    assert.equal((await api.call('DELETE', path ?? '')).status, 204);
    await page.getByText('Send a message to start').waitFor();
  });

  it('saves instructions beside the playground as a draft, which the next conversation tries', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: 'Before.', script: [{ reply: 'An answer.' }] });
    const visitor = await signedIn({ width: 1280 });
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    const instructions = page.getByLabel(`Instructions of ${agent.name}`);
    const field = page.getByLabel('Message', { exact: true });
    const [left, right] = [await instructions.boundingBox(), await field.boundingBox()];
    assert.ok(
      left !== null && right !== null && left.x + left.width < right.x,
      JSON.stringify([left, right]),
    );
    await field.fill('Hello?');
    await page.keyboard.press('Enter');
    await page.getByText('An answer.', { exact: true }).waitFor();
    await instructions.fill('After.');
    await visitor.look('playground-instructions');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Send a message to start').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Draft' }).isChecked());
    await field.fill('And now?');
    await page.keyboard.press('Enter');
    await page.getByText('scripted/default · draft').waitFor();
    const read = async (path: string) => (await api.call('GET', `/agents/${agent.id}${path}`)).body;
    assert.equal(((await read('')) as Agent).instructions, 'Before.');
    assert.equal(
      ((await read('/draft')) as { content: { instructions: string } }).content.instructions,
      'After.',
    );
    await page.reload();
    await page.getByText('scripted/default · draft').waitFor();
    assert.equal(await instructions.inputValue(), 'After.');
  });

  it('shows an answer in the playground while it is written', async () => {
    const { signedIn, api } = shared();
    const reply = 'A crow stole a piece of cheese and sat with it in a high tree where a fox saw it.';
    // Long enough for a part to be seen on a busy machine too.
    const agent = await api.createAgent({ script: [{ reply, word_ms: 800 }] });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('Tell me a fable');
    await page.keyboard.press('Enter');
    const writing = page.getByRole('region', { name: 'Answer in progress' });
    // Not in one piece.
    await writing.getByText(/A crow(?!.*fox saw it)/s).waitFor();
    await page.getByText('Tell me a fable').waitFor();
    await page.getByText('Answered', { exact: true }).waitFor();
    await writing.waitFor({ state: 'detached' });
    await page.getByText(reply).waitFor();

    await api.changeAgent(agent.id, { script: [{ reply, word_ms: 2000 }] });
    await field.fill('And another');
    await page.keyboard.press('Enter');
    await writing.getByText('A crow').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await writing.waitFor({ state: 'detached' });
  });

  it('exports all agents as YAML, and applies a changed file', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: 'Before.' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/agents');
    await chooseAction(page.getByRole('main'), 'Import or export');
    const editor = page.getByRole('dialog').getByLabel('Agents file');
    await editor.getByText('agents:').first().waitFor();
    await visitor.look('agents-file');
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(
      `agents:\n  - name: ${agent.name}\n    instructions: After.\n  - name: From a file\n`,
    );
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 created, 1 changed').waitFor();
    const changed = (await api.call('GET', `/agents/${agent.id}`)).body as { instructions: string };
    assert.equal(changed.instructions, 'After.');
  });
});
