/** The page Models: a support lead adds a key and gets a real answer, without anybody's help. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { useConsole } from '../../support/browser/console.ts';
import { chooseAction } from '../../support/browser/row-actions.ts';
import { signIn } from '../../support/console-person.ts';
import { startModelServer, userText, type ModelServer } from '../../support/model-server.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('Models of an organization in the console', () => {
  let model: ModelServer;
  const shared = useConsole(() =>
    useStack(async () => {
      model = await startModelServer();
      return {
        env: { ENCRYPTION_KEY: randomBytes(32).toString('base64'), MODEL_ALLOW: '127.0.0.1' },
      };
    }),
  );
  after(async () => {
    await model.close();
  });

  it('leads from the banner to a real answer in the playground within twelve clicks; a wrong address is marked', async () => {
    const { signedIn, api } = shared();
    const agent = await api.createAgent({ name: 'Support' });
    const visitor = await signedIn();
    visitor.expectRefusals();
    const { page } = visitor;
    await visitor.open('/');
    const banner = page.getByRole('region', { name: 'Health' }).getByText('No AI model yet');
    await banner.waitFor();
    await visitor.look('models-banner-overview');
    let clicks = 0;
    const click = async (role: 'link' | 'button' | 'option' | 'combobox', name: string) => {
      await page.getByRole(role, { name, exact: true }).first().click();
      clicks += 1;
    };
    await click('link', 'Add a model');
    await page.getByText('No AI provider yet').waitFor();
    await visitor.look('models-empty');
    await click('button', 'Add provider');
    await click('combobox', 'Provider');
    await click('option', 'OpenAI-compatible server');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Base URL').fill('http://localhost:11434/v1');
    await dialog.getByLabel('API key').fill('key-of-the-shop');
    const models = dialog.getByRole('combobox', { name: 'Models' });
    await models.fill('tested-1');
    await models.press('Enter');
    await click('button', 'Test and save');
    await dialog.getByText(/localhost:11434 is private\..*MODEL_ALLOW=localhost:11434/).waitFor();
    await visitor.look('models-wrong-address');
    await dialog.getByLabel('Base URL').fill(model.baseUrl);
    await click('button', 'Test and save');
    await dialog.getByText('It works').waitFor();
    await dialog.getByText(/tested-1 answered in .* with 18 tokens\./).waitFor();
    await dialog.getByText('echo: Greet a customer of our shop').waitFor();
    const abilities = dialog.getByRole('list', { name: 'What the model can do' });
    assert.deepEqual(await abilities.getByRole('listitem').allInnerTexts(), [
      'No tools',
      'No images',
      'No PDF documents',
    ]);
    await visitor.look('models-tested');
    await click('button', 'Done');
    const server = page.getByRole('article', { name: 'my-server' });
    await server.getByRole('heading', { name: 'OpenAI-compatible server' }).waitFor();
    await server.getByText(model.baseUrl).waitFor();
    await server.getByText('Key stored').waitFor();
    await server.getByText('Works, tested').waitFor();
    await server.getByRole('row', { name: /^my-server\/tested-1/ }).waitFor();
    const usual = page.getByRole('combobox', { name: 'Default model' });
    assert.equal(await usual.inputValue(), 'my-server/tested-1');
    await visitor.look('models');

    await click('link', 'Agents');
    await click('link', 'Support');
    await until(
      'the form to show the default',
      async () =>
        (await page.getByRole('combobox', { name: 'Model', exact: true }).inputValue()) ===
        'Default (my-server/tested-1)',
    );
    await click('link', 'Playground');
    await page.getByLabel('Message', { exact: true }).fill('Where is my order?');
    await click('button', 'Send');
    await page.getByText('echo: Where is my order?').first().waitFor();
    assert.equal(await banner.count(), 0);
    assert.equal(model.callsFor('Where is my order?')[0]?.authorization, 'Bearer key-of-the-shop');
    assert.ok(clicks <= 12, `${clicks} clicks`);
    const answers = await visitor.allAnswers();
    assert.deepEqual(
      answers.filter(({ text }) => text.includes('key-of-the-shop')),
      [],
    );
    assert.equal((await api.call('GET', `/agents/${agent.id}`)).status, 200);
  });

  it('fills in the base URL of a service that offers OpenAI’s API, and asks for what it must be completed with', async () => {
    const { signedIn } = shared();
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/models');
    await page.getByRole('button', { name: 'Add provider' }).first().click();
    const dialog = page.getByRole('dialog');
    const choose = async (service: string) => {
      await dialog.getByRole('combobox', { name: 'Provider' }).click();
      await page.getByRole('option', { name: service, exact: true }).click();
    };
    await choose('Azure OpenAI');
    const baseUrl = dialog.getByLabel('Base URL');
    assert.equal(await baseUrl.inputValue(), 'https://RESOURCE.openai.azure.com/openai/v1');
    await choose('Amazon Bedrock');
    assert.equal(await baseUrl.inputValue(), 'https://bedrock-mantle.REGION.api.aws/v1');
    const models = dialog.getByRole('combobox', { name: 'Models' });
    await models.fill('openai.gpt-oss-120b');
    await models.press('Enter');
    await dialog.getByRole('button', { name: 'Test and save' }).click();
    await dialog.getByText('Replace REGION.').waitFor();
    await visitor.look('models-service');
    await baseUrl.fill(model.baseUrl);
    await dialog.getByLabel('API key').fill('a key of the service');
    await dialog.getByRole('button', { name: 'Test and save' }).click();
    await dialog.getByText('It works').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('article', { name: 'bedrock' })
      .getByText(`OpenAI-compatible server · ${model.baseUrl}`)
      .waitFor();
    await page.getByRole('heading', { name: 'Amazon Bedrock' }).waitFor();
  });

  it('fills in the list price of a model that has none, and shows the cost of its usage at the price that is saved', async () => {
    const { signedIn, api, organizationId, db } = shared();
    await db.knex('model_providers').insert({
      ...{ organization_id: organizationId, id: crypto.randomUUID(), kind: 'openai', name: 'openai' },
      models: ['gpt-5-mini', 'unlisted'],
    });
    const agent = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'ok' }] });
    await api.ask(agent.id, { message: 'a' });
    await db.knex('run_steps').where({ agent_id: agent.id }).update({
      model: 'gpt-5-mini',
      model_id: 'openai/gpt-5-mini',
      input_tokens: 2_000_000,
      output_tokens: 1_000_000,
    });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/models');
    const openai = page.getByRole('table', { name: 'Models of openai' });
    const row = openai.getByRole('row', { name: /^openai\/gpt-5-mini/ });
    const unlisted = openai.getByRole('row', { name: /^openai\/unlisted/ });
    await row.getByText('1 call', { exact: true }).waitFor();
    await unlisted.getByText('Not used').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Prices of openai' });
    const field = (model: string, name: string) =>
      dialog.getByRole('group', { name: model }).getByLabel(name, { exact: true });
    const setPrices = async () => {
      await chooseAction(page.getByRole('article', { name: 'openai' }), 'Set prices');
      await dialog.getByText('Leave all fields of a model empty for no price').waitFor();
    };
    await row.getByRole('button', { name: 'No price set' }).click();
    await dialog.getByText(/^Filled in from the list prices of /).waitFor();
    const input = field('openai/gpt-5-mini', 'Input');
    const output = field('openai/gpt-5-mini', 'Output');
    assert.deepEqual([await input.inputValue(), await output.inputValue()], ['$0.25', '$2']);
    assert.equal(await field('openai/gpt-5-mini', 'Cached input').inputValue(), '$0.025');
    assert.equal(await field('openai/unlisted', 'Input').inputValue(), '');
    await output.fill('');
    await field('openai/unlisted', 'Cached input').fill('1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until('three marks', async () => (await dialog.getByText('This field is required').count()) === 3);
    await visitor.look('models-price');
    await output.fill('3');
    await field('openai/unlisted', 'Cached input').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('$0.25 in / $3.00 out').waitFor();
    await row.getByText('$0.025 cached in').waitFor();
    await row.getByText('1 call', { exact: true }).waitFor();
    await row.getByText(/ credits · \$3\.50$/).waitFor();
    assert.equal(await unlisted.getByText('$').count(), 0);
    await visitor.look('models-prices');
    await setPrices();
    assert.equal(await dialog.getByText(/^Filled in/).count(), 0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await visitor.open('/data');
    const used = page.getByRole('table', { name: 'By model' });
    await used
      .getByRole('row', { name: /^openai\/gpt-5-mini/ })
      .getByText('$3.50')
      .waitFor();
  });

  it('edits, tests, chooses a default for all agents and another for one, and removes', async () => {
    const { signedIn, api, organizationId, db } = shared();
    const stored = { organization_id: organizationId, kind: 'compatible', base_url: model.baseUrl };
    for (const name of ['first', 'second'])
      await db
        .knex('model_providers')
        .insert({ ...stored, id: crypto.randomUUID(), name, models: ['one', 'two'] });
    const agent = await api.createAgent({ name: 'Support' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/models');
    const second = page.getByRole('article', { name: 'second' });
    await second.getByRole('button', { name: 'Test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Test now' }).click();
    await dialog.getByText(/^one answered in/).waitFor();
    await visitor.look('models-test');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await second.getByText('Works, tested').waitFor();
    model.answerWhere((body) =>
      body.model === 'two' && userText(body).startsWith('Greet')
        ? { kind: 'status', status: 401 }
        : undefined,
    );
    visitor.expectRefusals();
    await second.getByRole('button', { name: 'Test' }).click();
    await dialog.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: 'two' }).click();
    await dialog.getByRole('button', { name: 'Test now' }).click();
    await dialog.getByText('refused the key (401)').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const failure = second.getByRole('alert');
    await failure.getByText('two did not answer the last test').waitFor();
    await failure.getByText('No agent uses this provider.').waitFor();
    await visitor.look('models-failed-test');
    await failure.getByRole('button', { name: 'Edit key or address' }).click();
    await dialog.getByLabel('API key').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await failure.getByRole('button', { name: 'Test again' }).click();
    await dialog.getByRole('button', { name: 'Test now' }).click();
    await dialog.getByText(/^one answered in/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await failure.waitFor({ state: 'detached' });

    await second.getByText('Needs no key').waitFor();
    const usual = page.getByRole('combobox', { name: 'Default model' });
    assert.equal(await usual.inputValue(), 'None');
    await usual.click();
    await page.getByRole('option', { name: 'second/one' }).click();
    const uses = (name: string, agents: string) =>
      second
        .getByRole('row', { name: `second/${name}` })
        .getByText(agents, { exact: true })
        .waitFor();
    await uses('one', '1 agent');
    await usual.click();
    await page.getByRole('option', { name: 'second/two' }).click();
    await uses('two', '1 agent');
    await uses('one', 'No agent');
    // The page counts the agents before it knows which one it is.
    const user = second.getByRole('row', { name: 'second/two' }).locator(`a[href="/agents/${agent.id}"]`);
    await user.getByText('1 agent', { exact: true }).waitFor();
    const names = page.getByRole('article');
    assert.equal(await names.first().getAttribute('aria-label'), 'second', 'the used provider is first');
    assert.equal(await usual.inputValue(), 'second/two');
    await api.ask(agent.id, { message: 'by default' });
    assert.equal(model.callsFor('by default')[0]?.body.model, 'two');
    await page.reload();
    await second.getByText('Last answer').waitFor();

    await visitor.open('/data');
    const used = page.getByRole('table', { name: 'By model' });
    assert.match(
      await used.getByRole('row', { name: /^\w+\/two/ }).innerText(),
      /^\w+\/two\s+1\s+11\s+7\s+0\.018$/,
    );
    await visitor.look('data-by-model');
    await page.goto(`${visitor.origin}/agents/${agent.id}`);
    await page.getByRole('combobox', { name: 'Model', exact: true }).click();
    await page.getByRole('option', { name: 'first/one' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await until('it to be saved', async () => {
      const { body } = await api.call('GET', `/agents/${agent.id}`);
      return (body as { model: string }).model === 'first/one';
    });

    await visitor.open('/models');
    const first = page.getByRole('article', { name: 'first' });
    await chooseAction(first, 'Remove');
    await dialog.getByRole('button', { name: 'Remove provider' }).click();
    await dialog.getByText('Agents use a model of first: Support.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await chooseAction(second, 'Edit');
    await dialog.getByLabel('API key').fill('another key');
    await dialog.getByRole('button', { name: 'Test and save' }).click();
    await dialog.getByText('It works').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await second.getByText('Key stored').waitFor();
    await chooseAction(second, 'Remove');
    await dialog.getByRole('button', { name: 'Remove provider' }).click();
    await second.waitFor({ state: 'detached' });
    assert.equal(await usual.inputValue(), 'None');
  });

  it('a fallback model is chosen below the model, and “Why this answer?” says why it answered', async () => {
    const { signedIn, api } = shared();
    const { call } = await signIn(shared());
    const agent = await api.createAgent({ name: 'Spared' });
    const visitor = await signedIn();
    for (const name of ['main', 'spare']) {
      const { status } = await call('POST', '/model-providers', {
        ...{ kind: 'compatible', name, base_url: model.baseUrl, api_key: 'a key', models: [name] },
      });
      assert.equal(status, 201);
    }
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}`);
    const choose = async (field: string, name: string) => {
      await page.getByRole('combobox', { name: field, exact: true }).click();
      await page.getByRole('option', { name, exact: true }).click();
    };
    const field = page.getByRole('combobox', { name: 'If that model fails' });
    assert.equal(await field.inputValue(), 'No fallback');
    await choose('Model', 'main/main');
    await choose('If that model fails', 'spare/spare');
    await visitor.look('agent-fallback');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await until('it to be saved', async () => {
      const { body } = await api.call('GET', `/agents/${agent.id}`);
      return (body as { fallback_model?: string }).fallback_model === 'spare/spare';
    });
    model.answerWhere((body) => (body.model === 'main' ? { kind: 'status', status: 401 } : undefined));
    const { conversation_id } = await api.ask(agent.id, { message: 'spare me' });
    await visitor.open(`/conversations/${conversation_id}`);
    await page.getByRole('link', { name: 'Why this answer?' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Why this answer?' });
    await dialog
      .getByText(
        'main/main did not answer: The model provider refused the key (401). The fallback spare/spare answered.',
        { exact: true },
      )
      .waitFor();
    await visitor.look('inspector-fallback');
  });

  it('without a model, a member who may not add one sees whom to ask, and an answer of no rule is a note', async () => {
    const { signedIn, person, api } = shared();
    const agent = await api.createAgent({ name: 'Empty' });
    const { conversation_id } = await api.ask(agent.id, { message: 'hello' });
    const visitor = await signedIn({ as: await person(['conversations.view']) });
    const { page } = visitor;
    await visitor.open('/agents');
    await page.getByRole('note').getByText('Ask an administrator to add one under Models.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Models' }).count(), 0);
    await visitor.open(`/conversations/${conversation_id}`);
    await page.getByText('No test reply fits this message.').waitFor();
    assert.equal(await page.getByText('no rule matched').count(), 0);
    await visitor.look('conversation-no-rule');
  });
});
