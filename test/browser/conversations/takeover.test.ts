/** A support lead takes over a conversation of the API on a phone, without a mouse, and hands it back. */
import assert from 'node:assert/strict';
import { useConsole } from '../../support/browser/console.ts';
import { press, type } from '../../support/browser/keyboard.ts';
import { until } from '../../support/until.ts';

describe('A takeover of a conversation of the API on a phone', () => {
  const shared = useConsole();

  it('by keyboard alone: the reply is posted to the webhook, and the agent answers again when it is handed back', async () => {
    const { api, receiver, signedIn } = shared();
    const agent = await api.createAgent({
      name: 'Front desk',
      script: [{ reply: 'We are looking into it.' }],
    });
    const path = `/takeover/${agent.id}`;
    const message = { webhook_url: receiver.url(path), contact: { id: 'maria', name: 'Maria' } };
    const send = async (text: string) => (await api.send(agent.id, { ...message, message: text })).status;
    assert.equal(await send('Where is my order?'), 'processing');
    await receiver.waitFor(path, 1);
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open('/conversations');
    await page.getByRole('link', { name: 'Maria' }).waitFor();
    await press(page, 'Maria');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('We are looking into it.').waitFor();
    await press(page, 'Pause agent');
    await page.getByText('Taken over in the console by Administrator.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Regenerate answer' }).count(), 0);
    assert.equal(await send('Is anybody there?'), 'paused');
    await timeline.getByText('Stored, not answered').waitFor();
    await page.getByText('Posted to the webhook of this conversation.').waitFor();
    await type(page, 'Write as a person', 'It arrives tomorrow, Maria.');
    await press(page, 'Send');
    await timeline.getByText('It arrives tomorrow, Maria.').waitFor();
    const [, reply] = await receiver.callbacks(path, 2);
    assert.ok(reply?.event === 'message.completed');
    assert.deepEqual(
      [reply.response, reply.by_person, reply.responding_agent_name],
      ['It arrives tomorrow, Maria.', true, 'Administrator'],
    );
    await visitor.look('conversation-taken-over-api');
    await press(page, 'Resume agent');
    await page.getByRole('button', { name: 'Pause agent' }).waitFor();
    assert.equal(await send('Thank you.'), 'processing');
    const [, , answer] = await receiver.callbacks(path, 3);
    assert.ok(answer?.event === 'message.completed' && answer.by_person === undefined);
  });

  it('says that a reply is only stored, if the conversation has no webhook', async () => {
    const { api, signedIn } = shared();
    const agent = await api.createAgent({ script: [{ reply: 'hello' }] });
    const { conversation_id: id } = await api.ask(agent.id, { message: 'hi' });
    const visitor = await signedIn({ width: 390 });
    await visitor.open(`/conversations/${id}`);
    const { page } = visitor;
    await page.getByText('This conversation has no webhook, so nothing is sent').waitFor();
    await page.getByLabel('Write as a person').fill('Only stored.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('region', { name: 'Timeline' }).getByText('Only stored.').waitFor();
    const last = (await api.messages(id)).at(-1);
    assert.ok(last?.role === 'agent' && last.by_person === true && last.delivery === undefined);
  });

  it('shows a conversation that the agent handed over among those that wait, with the reason; the form has the switch', async () => {
    const { api, signedIn } = shared();
    const agent = await api.createAgent({
      name: 'Front desk',
      script: [
        {
          reply: 'One moment.',
          tool: { action: 'hand_over_to_person', input: { reason: 'Wants a refund of 900 EUR' } },
        },
      ],
    });
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}?tab=tools`);
    await page.getByRole('switch', { name: 'May hand over to a person' }).check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await until('it to be saved', async () => {
      const { body } = await api.call('GET', `/agents/${agent.id}`);
      return (body as { may_hand_over: boolean }).may_hand_over;
    });
    await api.ask(agent.id, { message: 'My money!', contact: { id: 'maria', name: 'Maria' } });
    await visitor.open('/conversations?only=waiting');
    await page.getByRole('link', { name: 'Maria' }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Front desk handed over: Wants a refund of 900 EUR').waitFor();
    await timeline.getByText('One moment.').waitFor();
    await page.getByText('Front desk handed over to a person.').waitFor();
    await visitor.look('conversation-handed-over');
  });

  it('resumes an agent in the playground that has handed its conversation over there', async () => {
    const { api, signedIn } = shared();
    const tool = { action: 'hand_over_to_person', input: { reason: 'Wants a person' } };
    const agent = await api.createAgent({
      name: 'Front desk',
      script: [{ when: 'a person', reply: 'One moment.', tool }, { reply: 'It arrives tomorrow.' }],
      may_hand_over: true,
    });
    const visitor = await signedIn({ width: 390 });
    const { page } = visitor;
    await visitor.open(`/agents/${agent.id}/playground`);
    const ask = async (text: string) => {
      await page.getByLabel('Message', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
    };
    await ask('a person, please');
    await page.getByText('Front desk handed over to a person.').waitFor();
    await visitor.look('playground-handed-over');
    await page.getByRole('button', { name: 'Resume agent' }).click();
    await page.getByRole('button', { name: 'Resume agent' }).waitFor({ state: 'detached' });
    await page.getByText('Front desk handed over to a person.').waitFor({ state: 'detached' });
    await ask('Where is my order?');
    await page.getByText('It arrives tomorrow.').waitFor();
  });
});
