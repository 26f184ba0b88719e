import assert from 'node:assert/strict';
import { useConsole } from '../support/browser/console.ts';

const grouped = [{ when: '(?i)invoice (\\d+)', reply: 'Invoice $1 is paid.' }, { reply: 'Hello.' }];

describe('/agents', function () {
  this.timeout(120_000);
  const shared = useConsole();

  it('creates an agent, edits it, and keeps every field', async () => {
    const { signedIn, api } = shared();
    await api.createAgent({ name: 'Billing' });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/agents');
    await page.getByRole('row').filter({ hasText: 'Billing' }).waitFor();
    await visitor.look('agents');
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Support');
    await page.getByRole('button', { name: 'Create agent' }).click();
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;

    await page.getByLabel('Instructions', { exact: true }).fill('Answer in one sentence.');
    await page.getByLabel('Window, seconds').fill('0.5');
    await page.getByRole('switch', { name: 'Start over when another message arrives' }).check();
    await page.getByRole('button', { name: 'Add follow-up' }).click();
    await page.getByLabel('Follow-up 1: after seconds of silence').fill('600');
    await page.getByLabel('Follow-up 1: instructions').fill('Ask whether it helped.');
    await page.getByRole('combobox', { name: 'May transfer to' }).click();
    await page.getByRole('option', { name: 'Billing' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Insert an example' }).click();
    await page.getByLabel('Script of the agent').getByText('Invoice $1').waitFor();
    await visitor.look('agent');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved').waitFor();

    const saved = (await api.call('GET', `/agents/${id}`)).body as Record<string, unknown>;
    assert.equal(saved['instructions'], 'Answer in one sentence.');
    assert.equal(saved['grouping_window_seconds'], 0.5);
    assert.equal(saved['input_during_run'], 'cancel_and_merge');
    assert.deepEqual(saved['follow_ups'], [{ after_seconds: 600, instructions: 'Ask whether it helped.' }]);
    assert.equal((saved['transfers_to'] as string[]).length, 1);
    assert.equal((saved['script'] as unknown[]).length, 3);

    visitor.expectRefusals();
    await page.getByLabel('Model').fill('nobody/nothing');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('is of an unknown provider').waitFor();

    await page.getByRole('button', { name: 'Delete agent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).click();
    await page.getByRole('row').filter({ hasText: 'Billing' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Support' }).waitFor({ state: 'detached' });
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

  it('shows an answer in the playground while it is written', async () => {
    const { signedIn, api } = shared();
    const reply = 'A crow stole a piece of cheese and sat with it in a high tree where a fox saw it.';
    const agent = await api.createAgent({ script: [{ reply, word_ms: 200 }] });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('Tell me a fable');
    await page.keyboard.press('Enter');
    const writing = page.getByRole('region', { name: 'The answer, as it is written' });
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
    await page.getByRole('button', { name: 'Import or export' }).click();
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
