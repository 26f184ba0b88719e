import assert from 'node:assert/strict';
import type { AgentDraft, AgentVersion } from '../../../src/contract/conversations/agent-versions.ts';
import { useConsole } from '../../support/browser/console.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { until } from '../../support/until.ts';

describe('/agents/ID/versions', () => {
  const shared = useConsole();

  const first = `You answer the customers of a plant shop.
Say how long a delivery takes.
Never promise a date.`;

  /** An agent with three versions, of which the third is published. */
  async function changed(api: ApiClient) {
    const desk = await api.createAgent({ name: 'Delivery desk' });
    const agent = await api.createAgent({
      ...{ name: 'Front desk', instructions: first, script: [{ reply: 'Hello.' }] },
    });
    await api.changeAgent(agent.id, {
      instructions: first.replace('Never promise a date.', 'Promise nothing.'),
      script: [{ when: '(?i)order', reply: 'It is on its way.' }, { reply: 'Hello.' }],
    });
    await api.changeAgent(agent.id, { transfers_to: [desk.id], script: [{ reply: 'Good morning.' }] });
    return agent;
  }
  const versionsOf = async (api: ApiClient, id: string) =>
    ((await api.call('GET', `/agents/${id}/versions`)).body as { data: AgentVersion[] }).data;

  it('lists versions, compares any two line by line, and has an address for it', async () => {
    const { signedIn, api } = shared();
    const agent = await changed(api);
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    await page.getByRole('link', { name: 'Versions' }).click();
    const row = (number: number) => page.getByRole('row').filter({ hasText: `Version ${number}` });
    await row(3).getByText('Published').waitFor();
    await row(3).getByText('100%').waitFor();
    await row(1).getByText('API token').waitFor();
    await row(3).getByText('Script, May transfer to').waitFor();
    await row(2).getByText('Instructions +1 −1, Script').waitFor();
    await api.call('PUT', `/agents/${agent.id}/draft`, {
      body: { tools: ['DOCS_LIST_USERS'], instructions: first },
    });
    await page.reload();
    const draft = page.getByRole('row').filter({ hasText: 'Not published' });
    await draft.getByText('Instructions +1 −1, Tools').waitFor();
    await visitor.look('versions');
    await draft.getByRole('button', { name: 'Compare' }).click();
    const ofDraft = page.getByRole('dialog', { name: 'Changes from version 3' });
    await ofDraft.getByRole('region', { name: 'Changes of Tools' }).waitFor();
    await page.keyboard.press('Escape');
    await ofDraft.waitFor({ state: 'detached' });
    // There is no version before the first, so it is compared with the published one.
    await row(1).getByRole('link', { name: 'Compare version 1' }).click();
    await page.getByText('Changes from version 3 to version 1').waitFor();
    await page.keyboard.press('Escape');
    // The buttons of a row without a menu end where those of a row with one end.
    const lastButtons = [
      row(1).getByRole('link', { name: 'Compare version 1' }),
      draft.getByRole('button', { name: 'Compare' }),
    ];
    const ends = await Promise.all(
      lastButtons.map(async (button) => {
        const { x, width } = (await button.boundingBox()) ?? { x: 0, width: 0 };
        return Math.round(x + width);
      }),
    );
    assert.equal(ends[0], ends[1]);
    await draft.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    await draft.getByRole('link', { name: 'Draft', exact: true }).click();
    await page.getByRole('button', { name: 'changes Instructions, Tools' }).click();
    await page.getByRole('region', { name: 'Changes of Tools' }).waitFor();
    await visitor.look('draft-changes');
    await page.goBack();

    await row(2).getByRole('link', { name: 'Compare version 2' }).click();
    const drawer = page.getByRole('dialog', { name: 'Version 2' });
    await drawer.getByText('Changes from version 1 to version 2').waitFor();
    const instructions = drawer.getByRole('region', { name: 'Changes of Instructions' });
    assert.deepEqual(await instructions.locator('del').allInnerTexts(), ['Never promise a date.']);
    assert.deepEqual(await instructions.locator('ins').allInnerTexts(), ['Promise nothing.']);
    await visitor.look('version');
    await drawer.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: 'Version 3 (published)' }).click();
    await drawer.getByText('Changes from version 3 to version 2').waitFor();
    const transfers = drawer.getByRole('region', { name: 'Changes of May transfer to' });
    assert.deepEqual(await transfers.locator('del').allInnerTexts(), ['Delivery desk']);
    assert.match(page.url(), /\/versions\?version=2&with=3$/);
    await page.reload();
    await drawer.getByText('Changes from version 3 to version 2').waitFor();
    await drawer.getByText('Instructions', { exact: true }).last().click();
    await drawer.getByRole('region', { name: 'Instructions', exact: true }).getByText('plant shop').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('publishes the draft from its row, and refuses it if somebody has changed it since', async () => {
    const { signedIn, api } = shared();
    const agent = await changed(api);
    const draftOf = async (instructions: string) =>
      await api.call('PUT', `/agents/${agent.id}/draft`, { body: { instructions } });
    await draftOf('Kind.');
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/versions`);
    const draft = page.getByRole('row').filter({ hasText: 'Not published' });
    const dialog = page.getByRole('dialog', { name: 'Publish a version' });
    const open = async () => {
      await draft.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog.getByRole('region', { name: 'Changes of Instructions' }).locator('ins').waitFor();
    };
    const publish = async () => {
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    };
    await open();
    await draftOf('Kinder.');
    await publish();
    await page.getByText('Someone else changed the draft in the meantime').waitFor();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await versionsOf(api, agent.id)).length, 3);

    await page.reload();
    await open();
    await dialog.getByLabel('Note').fill('In a kind voice');
    await visitor.look('versions-publish-draft');
    await publish();
    await page.getByText('Version 4 is published').waitFor();
    await draft.waitFor({ state: 'detached' });
    const [newest] = await versionsOf(api, agent.id);
    assert.deepEqual([newest?.version, newest?.note], [4, 'In a kind voice']);
    // The API says who saved it by the email; the list has the name.
    await page.getByRole('row').filter({ hasText: 'Version 4' }).getByText('Administrator').waitFor();
    const { body } = await api.call('GET', `/agents/${agent.id}`);
    assert.equal((body as { instructions: string }).instructions, 'Kinder.');

    // A draft that was begun before the version that is published now is published on top of it.
    await draftOf('Kind and brief.');
    await api.changeAgent(agent.id, { description: 'x', script: [{ reply: 'Hi.' }] });
    await page.reload();
    await open();
    await publish();
    await page.getByText('Version 6 is published').waitFor();
  });

  it('rolls back after showing what changes, and gives, changes, ends and publishes a share', async () => {
    const { signedIn, api, person, db } = shared();
    const agent = await changed(api);
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.open(`/agents/${agent.id}/versions`);
    const row = (number: number) =>
      page
        .getByRole('row')
        .filter({ hasText: `Version ${number}` })
        .first();
    await row(1).getByRole('button', { name: 'Roll back' }).click();
    await dialog.getByRole('region', { name: 'Changes of Script' }).getByText('Good morning.').waitFor();
    await visitor.look('versions-roll-back');
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await row(4).getByText('Published').waitFor();
    await row(4).getByText('Content of version 1 again').waitFor();
    const [newest] = await versionsOf(api, agent.id);
    assert.deepEqual([newest?.version, newest?.published, newest?.restores], [4, true, 1]);
    assert.equal((await api.ask(agent.id, { message: 'hi' })).response, 'Hello.');
    const failing = await api.ask(agent.id, { message: 'hi' });
    await db.knex('runs').where({ conversation_id: failing.conversation_id }).update({ state: 'failed' });
    await page.reload();
    await row(4).getByText('1 answer').waitFor();
    assert.equal(
      await row(4).getByRole('link', { name: '1 of 2 failed (50%)' }).getAttribute('href'),
      `/conversations?status=all&agent_id=${agent.id}&only=failed`,
    );
    await row(2).getByRole('link', { name: 'Compare version 2' }).waitFor();

    await chooseAction(row(2), 'Set share');
    await dialog.getByLabel('Share of new conversations (percent)').fill('101');
    await dialog.getByRole('button', { name: 'Save share' }).click();
    await dialog.getByText('must be at most 100').waitFor();
    await dialog.getByLabel('Share of new conversations (percent)').fill('25');
    await visitor.look('versions-share');
    await dialog.getByRole('button', { name: 'Save share' }).click();
    await row(2).getByText('Candidate').waitFor();
    await row(2).getByText('25%').waitFor();
    await row(4).getByText('75%').waitFor();
    await visitor.look('versions-candidate');
    const shares = async () =>
      (await versionsOf(api, agent.id)).map((one) => [one.version, one.candidate_percent]);
    assert.deepEqual(await shares(), [
      [4, null],
      [3, null],
      [2, 25],
      [1, null],
    ]);
    await chooseAction(row(2), 'Change share');
    assert.equal(await dialog.getByLabel('Share of new conversations (percent)').inputValue(), '25');
    await dialog.getByLabel('Share of new conversations (percent)').fill('50');
    await dialog.getByRole('button', { name: 'Save share' }).click();
    await row(2).getByText('50%').waitFor();

    await chooseAction(row(3), 'Set share');
    await dialog.getByText('Version 2 has a share now, and loses it.').waitFor();
    await dialog.getByRole('button', { name: 'Save share' }).click();
    await row(3).getByText('10%').waitFor();
    await chooseAction(row(3), 'End share');
    await dialog.getByText('continue with version 4').waitFor();
    await dialog.getByRole('button', { name: 'End share' }).click();
    await row(4).getByText('100%').waitFor();
    assert.ok((await shares()).every(([, percent]) => percent === null));

    await chooseAction(row(2), 'Set share');
    await dialog.getByRole('button', { name: 'Save share' }).click();
    await row(2).getByRole('button', { name: 'Publish to everyone' }).click();
    await dialog.getByRole('button', { name: 'Publish to everyone' }).click();
    await row(2).getByText('100%').waitFor();
    assert.equal((await api.ask(agent.id, { message: 'my order' })).response, 'It is on its way.');

    const reader = await signedIn({ as: await person([]) });
    await reader.open(`/agents/${agent.id}/versions`);
    await reader.page.getByRole('row').filter({ hasText: 'Version 2' }).getByText('Published').waitFor();
    assert.equal(await reader.page.getByRole('button', { name: /Roll back|More actions/ }).count(), 0);
  });

  it('compares with the published version, however many are newer', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: 'Published.' });
    for (let n = 2; n <= 61; n++) {
      await api.call('PUT', `/agents/${agent.id}/draft`, { body: { instructions: `Number ${n}.` } });
      const made = await api.call('POST', `/agents/${agent.id}/versions`, { body: { percent: 1 } });
      assert.equal(made.status, 200, JSON.stringify(made.body));
    }
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/versions`);
    await page.getByRole('row').filter({ hasText: 'Candidate' }).getByText('1%').waitFor();
    assert.equal(await page.getByRole('row').count(), 31);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Version 61' })
      .getByRole('link', { name: 'Version 61', exact: true })
      .click();
    const drawer = page.getByRole('dialog', { name: 'Version 61' });
    await drawer.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: 'Version 1 (published)' }).click();
    await drawer.getByText('Changes from version 1 to version 61').waitFor();
  });

  it('is named at messages, deliveries and in the inspector', async () => {
    const { signedIn, api, receiver } = shared();
    const agent = await changed(api);
    const { conversation_id: id } = await api.send(agent.id, {
      ...{ message: 'hi', webhook_url: receiver.url('/versions') },
    });
    await api.settled(id, 1);
    const [delivery] = await api.deliveries({ conversation_id: id });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/conversations/${id}`);
    await page.getByText('scripted/default · version 3').waitFor();
    await page.getByRole('link', { name: 'Why this answer?' }).click();
    await page.getByRole('dialog').getByText('Instructions of Front desk').click();
    await page.getByRole('link', { name: 'Open version 3' }).click();
    await page.getByRole('dialog', { name: 'Version 3' }).getByText('Published').waitFor();
    await visitor.open(`/deliveries/${delivery?.id}`);
    const detail = page.getByRole('region', { name: 'Delivery' });
    await detail.getByText('Version 3', { exact: true }).waitFor();
  });

  const draftOf = async (api: ApiClient, id: string) =>
    (await api.call('GET', `/agents/${id}/draft`)).body as AgentDraft;

  it('saves a draft, continues with it, and publishes it with a note after showing what changes', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: first, script: [{ reply: 'Hello.' }] });
    const visitor = await signedIn();
    const { page } = visitor;
    const instructions = page.getByLabel('Instructions', { exact: true });
    const dialog = page.getByRole('dialog');
    await visitor.open(`/agents/${agent.id}`);
    await page.getByText('No unsaved changes').waitFor();
    assert.equal(await page.getByRole('button', { name: /Save draft|Publish/ }).count(), 0);
    await instructions.fill(`${first}\nBe brief.`);
    await page.getByLabel('Description', { exact: true }).fill('Answers first.');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('button', { name: 'It answers no customer until you publish it.' }).waitFor();
    await page.getByText('No unsaved changes').waitFor();
    const read = async () =>
      (await api.call('GET', `/agents/${agent.id}`)).body as {
        instructions: string;
        description: string;
        version: number;
      };
    const settings = await read();
    assert.deepEqual(
      [settings.instructions, settings.description, settings.version],
      [first, 'Answers first.', 1],
    );
    assert.equal((await draftOf(api, agent.id)).content.instructions, `${first}\nBe brief.`);

    const listed = page.getByRole('row').filter({ hasText: 'Answers first.' });
    await visitor.open('/agents');
    await listed.getByText('Draft', { exact: true }).waitFor();
    await visitor.look('agents-draft');
    await visitor.open(`/agents/${agent.id}`);
    await page.getByRole('button', { name: 'It answers no customer until you publish it.' }).waitFor();
    assert.equal(await instructions.inputValue(), `${first}\nBe brief.`);
    await visitor.look('agent-saved-draft');
    // Without unsaved changes, the draft is published above the form; with some, in the bar below it, which saves them.
    const buttons = page.getByRole('button', { name: /^(Save draft|Publish)$/ });
    assert.deepEqual(await buttons.allInnerTexts(), ['Publish', 'Save draft']);
    await instructions.fill(`${first}\nBe brief and kind.`);
    await page.getByText('Unsaved changes').waitFor();
    assert.deepEqual(await buttons.allInnerTexts(), ['Save draft', 'Publish']);
    await visitor.look('agent-changed-draft');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const changes = dialog.getByRole('region', { name: 'Changes of Instructions' });
    await changes.waitFor();
    assert.deepEqual(await changes.locator('ins').allInnerTexts(), ['Be brief and kind.']);
    await dialog.getByLabel('Note').fill('Kinder.');
    await visitor.look('agent-publish');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Version 2 is published').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('No unsaved changes').waitFor();
    assert.equal(
      await page.getByRole('button', { name: 'It answers no customer until you publish it.' }).count(),
      0,
    );
    const [version] = await versionsOf(api, agent.id);
    assert.deepEqual([version?.version, version?.published, version?.note], [2, true, 'Kinder.']);
    assert.equal((await read()).instructions, `${first}\nBe brief and kind.`);
    await api.refused(404, 'GET', `/agents/${agent.id}/draft`);
  });

  it('refuses to publish before a required rehearsal, leads to it, and publishes once it has passed', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({
      ...{ instructions: first, script: [{ reply: 'Hello.' }], requires_rehearsal: true },
    });
    await api.ask(agent.id, { message: 'hi' });
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Publish a version' });
    const publish = async () => {
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await dialog.getByText('only after a passed rehearsal of exactly this draft').waitFor();
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    };
    await visitor.open(`/agents/${agent.id}`);
    await page.getByLabel('Instructions', { exact: true }).fill(`${first}\nBe brief.`);
    await publish();
    const refusal = dialog.getByRole('alert');
    await refusal.getByText('No rehearsal of this draft has passed').waitFor();
    await refusal.getByText('Rehearse it until every turn passes').waitFor();
    await visitor.look('agent-publish-not-rehearsed');
    assert.equal((await draftOf(api, agent.id)).content.instructions, `${first}\nBe brief.`);
    assert.deepEqual(
      (await versionsOf(api, agent.id)).map(({ version }) => version),
      [1],
    );

    await refusal.getByRole('link', { name: 'Rehearse the draft' }).click();
    await page.getByRole('button', { name: 'Start a rehearsal' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start rehearsal' }).click();
    await page.getByRole('heading', { name: 'Rehearsal: Draft' }).waitFor();
    await page.getByText('Passed: every turn meets its checks.').waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await publish();
    await page.getByText('Version 2 is published').waitFor();
    const [version] = await versionsOf(api, agent.id);
    assert.deepEqual([version?.version, version?.published], [2, true]);
  });

  it('publishes to a share without a draft before, and discards a draft', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: first, script: [{ reply: 'Hello.' }] });
    const visitor = await signedIn();
    const { page } = visitor;
    const instructions = page.getByLabel('Instructions', { exact: true });
    const dialog = page.getByRole('dialog');
    await visitor.open(`/agents/${agent.id}`);
    await instructions.fill('Another.');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByLabel('Share of new conversations (percent)').fill('20');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Version 2 answers 20% of new conversations').waitFor();
    await until('the form to have the published version', async () => {
      return (await instructions.inputValue()) === first;
    });
    const [candidate] = await versionsOf(api, agent.id);
    assert.deepEqual([candidate?.version, candidate?.candidate_percent], [2, 20]);

    await instructions.fill('Never mind.');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await dialog.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByText('Draft discarded').waitFor();
    await until('the form to have the published version', async () => {
      return (await instructions.inputValue()) === first;
    });
    await api.refused(404, 'GET', `/agents/${agent.id}/draft`);
  });

  it('shows that somebody else has saved a draft, published or discarded it, and loses nobody’s text', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ instructions: 'Before.', script: [{ reply: 'Hello.' }] });
    const at = `/agents/${agent.id}`;
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    visitor.expectRefusals();
    const instructions = page.getByLabel('Instructions', { exact: true });
    await visitor.open(at);
    await instructions.fill('Mine.');
    const script = [{ reply: 'Theirs.' }];
    assert.equal((await api.call('PUT', `${at}/draft`, { body: { script } })).status, 200);
    await page.getByRole('button', { name: 'Save draft' }).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else saved a draft of this agent' });
    await dialog.getByText(/^Saved by API token .*: Script\.$/).waitFor();
    await visitor.look('agent-draft-conflict');
    await dialog.getByRole('button', { name: 'Keep both and save' }).click();
    await page.getByText('No unsaved changes').waitFor();
    const { content } = await draftOf(api, agent.id);
    assert.deepEqual([content.instructions, content.script], ['Mine.', script]);

    // Another version is published meanwhile: the differences show it.
    await api.changeAgent(agent.id, { model: 'scripted/default' });
    await page.reload();
    await page.getByText('Version 2 was published since').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const publishing = page.getByRole('dialog', { name: 'Publish a version' });
    await publishing.getByRole('region', { name: 'Changes of Model' }).waitFor();
    await publishing.getByRole('button', { name: 'Cancel' }).click();

    // Somebody discards the draft while it is read.
    await publishing.waitFor({ state: 'detached' });
    await instructions.fill('Mine, better.');
    assert.equal((await api.call('DELETE', `${at}/draft`)).status, 204);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await publishing.getByRole('button', { name: 'Publish', exact: true }).click();
    const gone = page.getByRole('dialog', { name: 'Someone else published or discarded the draft' });
    await gone.getByRole('button', { name: /^Keep .* and save$/ }).click();
    await page.getByRole('button', { name: 'It answers no customer until you publish it.' }).waitFor();
    const last = await draftOf(api, agent.id);
    assert.deepEqual([last.base_version, last.content.instructions], [2, 'Mine, better.']);
    assert.equal((await versionsOf(api, agent.id)).length, 2);
  });

  it('tries the draft in the playground, with a mark at its answers, while the published version answers others', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'Front desk', script: [{ reply: 'Published.' }] });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    await page.getByText('Send a message to start').waitFor();
    await page.getByText('Version 1 · scripted/default', { exact: true }).waitFor();
    assert.equal(await page.getByRole('radiogroup', { name: 'Who answers' }).count(), 0);
    const body = { instructions: 'Of the draft.', script: [{ reply: 'From the draft.' }] };
    assert.equal((await api.call('PUT', `/agents/${agent.id}/draft`, { body })).status, 200);
    await visitor.open(`/agents/${agent.id}`);
    await page.getByRole('link', { name: 'Try the draft' }).click();
    const isOn = page.getByRole('radio', { name: 'Draft' });
    await until('the draft to be chosen', () => isOn.isChecked());
    await page.getByText('scripted/default', { exact: true }).waitFor();
    const say = async (text: string) => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
    };
    await say('Hello?');
    await page.getByText('scripted/default · draft').waitFor();
    await page.getByText('From the draft.').waitFor();
    await visitor.look('playground-draft');
    assert.equal((await api.ask(agent.id, { message: 'Hello?' })).response, 'Published.');
    // The conversation keeps it.
    assert.equal((await api.call('DELETE', `/agents/${agent.id}/draft`)).status, 204);
    await say('And now?');
    await until(
      'a second answer',
      async () => (await page.getByText('scripted/default · draft').count()) === 2,
    );
    await page.getByRole('link', { name: 'Why this answer?' }).last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Instructions of Front desk').click();
    await dialog.getByText('Of the draft.').waitFor();
    await dialog.getByText('draft', { exact: true }).waitFor();
  });

  it('tries the candidate in the playground, and shows that conversation again after a reload', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'Front desk', script: [{ reply: 'Published.' }] });
    const change = async (body: object) => {
      assert.equal((await api.call('PUT', `/agents/${agent.id}/draft`, { body })).status, 200);
    };
    await change({ script: [{ reply: 'From the candidate.' }] });
    const share = { body: { percent: 1 } };
    assert.equal((await api.call('POST', `/agents/${agent.id}/versions`, share)).status, 200);
    await change({ script: [{ reply: 'From the draft.' }] });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    const choices = page.getByRole('radiogroup', { name: 'Who answers' });
    assert.deepEqual(await choices.innerText().then((text) => text.split(/\s*\n\s*/)), [
      ...['Version 1', 'Version 2', 'Draft'],
    ]);
    await choices.getByText('Version 2').click();
    await page.getByText('scripted/default', { exact: true }).waitFor();
    const say = async (text: string) => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
    };
    await say('Hello?');
    await page.getByText('From the candidate.').waitFor();
    await visitor.look('playground-candidate');
    await page.reload();
    await page.getByText('From the candidate.').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Version 2' }).isChecked());
    await page.getByText('scripted/default', { exact: true }).waitFor();
    // After its share ended, the published version answers.
    const end = { body: { version: 2, percent: 0 } };
    assert.equal((await api.call('PUT', `/agents/${agent.id}/candidate`, end)).status, 200);
    await say('And now?');
    await page.getByText('Published.').waitFor();
    await page.reload();
    await page.getByText('Send a message to start').waitFor();
    await choices.getByText('Draft').waitFor();
    assert.equal(await choices.getByText('Version 2').count(), 0);
  });
});
