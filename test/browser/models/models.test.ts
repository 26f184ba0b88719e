/** Models in the console: answers that were cut off, and calls that failed. */
import assert from 'node:assert/strict';
import { useConsole } from '../../support/browser/console.ts';
import { useModelStack, type ModelStack } from '../../support/model-stack.ts';
import { until } from '../../support/until.ts';

describe('Models in the console', () => {
  let stack: () => ModelStack;
  const shared = useConsole(() => (stack = useModelStack()));

  it('a conversation shows a cut answer, a call that was tried again, and the provider’s own message about a failed run', async () => {
    const { signedIn, api } = shared();
    const { model } = stack();
    const words =
      'request (5021 tokens) exceeds the available context size (4096 tokens), <b>try</b> increasing it';
    const failure = (status: number, error: object) =>
      ({ kind: 'status', status, body: JSON.stringify({ error }) }) as const;
    model.answer(
      'tell me all',
      failure(529, { type: 'overloaded_error', message: 'Overloaded for a moment' }),
      { kind: 'stream', text: 'The first step is to', finish: 'length' },
    );
    model.answer('and now', failure(400, { type: 'exceed_context_size_error', message: words }));
    const agent = await api.createAgent();
    const { conversation_id: id } = await api.ask(agent.id, { message: 'tell me all' });
    await api.send(agent.id, { message: 'and now', conversation_id: id });
    await until('the run to fail', async () =>
      (await api.messages(id)).some((one) => one.role === 'user' && one.status === 'failed'),
    );
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/conversations/${id}`);
    const first = page.getByRole('region', { name: 'Run 1', exact: true });
    await first.getByText('Cut off', { exact: true }).waitFor();
    await first.getByText('The model provider failed (529).').click();
    await first.getByText('Overloaded for a moment').waitFor();
    await first.getByText('one model call failed').waitFor();
    const second = page.getByRole('region', { name: 'Run 2', exact: true });
    await second.getByText("The request is larger than the model's context window (400).").waitFor();
    await second.getByText('Message from the provider').waitFor();
    await second.getByText(words, { exact: true }).waitFor();
    assert.equal(await second.getByText('model call failed').count(), 0);
    await visitor.look('conversation-model-failures');
  });

  it('a provider of the installation is shown with its model as the default and its last call, and offers no change of itself', async () => {
    const { signedIn, api } = shared();
    const { model } = stack();
    const agent = await api.createAgent();
    const { conversation_id: id } = await api.ask(agent.id, { message: 'hello' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/models');
    const card = page.getByRole('article', { name: 'custom' });
    await card.getByText('Set by the installation').waitFor();
    await card.getByRole('row', { name: /^custom\/tested-1/ }).waitFor();
    const usual = page.getByRole('combobox', { name: 'Default model' });
    assert.equal(await usual.inputValue(), 'custom/tested-1 (installation default)');
    await card.getByText('Last answer').waitFor();
    assert.deepEqual(await card.getByRole('button').allInnerTexts(), ['Set prices', 'No price set']);
    await visitor.look('models-of-installation');

    model.answer('and now', { kind: 'status', status: 401, body: '{}' });
    await api.send(agent.id, { message: 'and now', conversation_id: id });
    await until('the run to fail', async () =>
      (await api.messages(id)).some((one) => one.role === 'user' && one.status === 'failed'),
    );
    await page.reload();
    const failure = card.getByRole('alert');
    await failure.getByText('The last call failed').waitFor();
    await failure.getByText('The model provider refused the key (401).').waitFor();
    await failure.getByText('Whoever runs your server can correct it.').waitFor();
    assert.equal(await failure.getByRole('button').count(), 0);
    await visitor.look('models-of-installation-failed');
  });

  it('the form of an agent keeps the default as a default, until a model is chosen', async () => {
    const { signedIn, api, db } = shared();
    const { id } = await api.createAgent({ name: 'Support' });
    await api.createAgent({ name: 'Other', model: 'custom/in-use' });
    const stored = async () => (await db.knex('agents').where({ id }).first('model')) as unknown;
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${id}`);
    const field = page.getByRole('combobox', { name: 'Model', exact: true });
    await until(
      'the default to be shown',
      async () => (await field.inputValue()) === 'Default (custom/tested-1)',
    );
    const choose = async (name: string) => {
      await field.click();
      await page.getByRole('option', { name, exact: true }).click();
    };
    const save = async (description: string, model: string | null) => {
      await page.getByLabel('Description').fill(description);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await until(`${description} to be saved`, async () => {
        const { body } = await api.call('GET', `/agents/${id}`);
        return (body as { description: string }).description === description;
      });
      assert.deepEqual(await stored(), { model });
    };
    await save('only this has changed', null);
    await visitor.look('agent-model-default');

    await choose('custom/in-use');
    await save('one that another agent has', 'custom/in-use');
    await choose('custom/tested-1');
    await save('the default of today, chosen', 'custom/tested-1');
    await choose('Another model …');
    await page.getByLabel('Name of the model').fill('custom/typed');
    await visitor.look('agent-model-typed');
    await save('typed', 'custom/typed');
    await page.reload();
    await until('the choice to be shown', async () => (await field.inputValue()) === 'custom/typed');
    await choose('Default (custom/tested-1)');
    await save('the default again', null);
  });
});
