/** A support lead answers a customer of the API on a phone, and gives the conversation back to the agent. */
import assert from 'node:assert/strict';
import { startReceiver } from '../support/receiver.ts';
import { signIn, type Walk } from './walk.ts';

/**
 * The agent answers from a script, because the way is about the person. It and the customer exist before, as an engineer
 * has set them up.
 */
export const takeoverOnPhone: Walk = {
  name: 'takeover-on-phone',
  who: 'a support lead on a phone',
  goal: 'a customer waits for a person; she answers, the callback arrives, and the agent answers again',
  width: 390,
  max: { seconds: 180, clicks: 12 },
  async play(begin) {
    const receiver = await startReceiver();
    const start = await begin({ CALLBACK_ALLOW: receiver.host });
    const { walker, api } = start;
    const { page } = walker;
    const agent = await api.createAgent({
      name: 'Front desk',
      may_hand_over: true,
      script: [
        {
          when: '(?i)a person',
          reply: 'One moment, I ask a colleague.',
          tool: { action: 'hand_over_to_person', input: { reason: 'Wants a refund of 900 EUR' } },
        },
        { reply: 'You are welcome.' },
      ],
    });
    const write = async (message: string) =>
      await api.send(agent.id, {
        ...{ message, webhook_url: receiver.url('/maria'), contact: { id: 'maria', name: 'Maria' } },
      });
    await write('I want my money back. Can I talk to a person?');
    await receiver.waitFor('/maria', 1);

    await signIn(start);
    // Its name also says how much waits.
    await walker.click(page.getByRole('button', { name: /^Menu/ }));
    await walker.see('menu', page.getByRole('link', { name: 'Conversations', exact: true }));
    await walker.link('Conversations');
    await walker.see('conversations', page.getByRole('link', { name: 'Maria' }));
    await walker.click(page.getByRole('link', { name: 'Maria' }));
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await walker.see('waiting', timeline.getByText('One moment, I ask a colleague.'));
    await walker.type(page.getByLabel('Write as a person'), 'Maria, the 900 EUR are on their way to you.');
    await walker.picture('reply');
    await walker.button('Send');
    await walker.see('answered', timeline.getByText('Maria, the 900 EUR are on their way to you.'));
    const [, reply] = await receiver.callbacks('/maria', 2);
    assert.ok(reply?.event === 'message.completed' && reply.by_person === true);
    await walker.button('Resume agent');
    await walker.see('given-back', page.getByRole('button', { name: 'Pause agent' }));
    await write('Thank you!');
    const [, , answer] = await receiver.callbacks('/maria', 3);
    assert.ok(answer?.event === 'message.completed' && answer.by_person === undefined);
    await walker.see('agent-again', timeline.getByText('You are welcome.'));
    await receiver.close();
  },
};
