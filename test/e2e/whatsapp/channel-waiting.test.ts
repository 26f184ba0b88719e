import assert from 'node:assert/strict';
import { signatureHeaders } from '../../../src/adapters/secrets/webhook-signature.ts';
import { conversationWaiting } from '../../../src/contract/whatsapp/channel-alert.ts';
import { useChannelStand } from '../../support/channel-stand.ts';
import { channelTalk, echoScript } from '../../support/channel-talk.ts';
import { until } from '../../support/until.ts';

describe('A conversation that waits for a person', () => {
  const stand = useChannelStand();

  it('is posted to the alert_url, signed, once for each wait, with the reason', async () => {
    const { emulator, call, stack } = stand();
    const talk = channelTalk(stand());
    const tool = { action: 'hand_over_to_person', input: { reason: 'Wants a human' } };
    const script = [{ when: 'human', reply: 'One moment.', tool }, ...echoScript];
    const { id } = await stand().connected(script, { may_hand_over: true });
    const path = `/waits-${id}`;
    const url = stack.receiver.url(path);
    const endpoint = await call<{ secret: string }>('POST', '/webhook-endpoints', { url });
    assert.equal(endpoint.status, 201);
    assert.equal((await call('PATCH', `/agents/${id}/channel`, { alert_url: url })).status, 200);
    const from = talk.newNumber();
    await emulator.deliverInbound({ from, text: 'a human, please' });
    await stack.receiver.waitFor(path, 1);
    const conversation = (await talk.conversationOf(id)).id;
    // In the same wait.
    await emulator.deliverInbound({ from, text: 'hello?' });
    await call('POST', `/conversations/${conversation}/messages`, { text: 'Ana here' });
    await until('the person', () => talk.sentTo(from).includes('Ana here'));
    await emulator.deliverInbound({ from, text: 'thanks' });
    const requests = await stack.receiver.waitFor(path, 2);
    const alerts = requests.map(({ body }) => conversationWaiting.strict().parse(JSON.parse(body)));
    const shared = {
      event: 'conversation.waiting',
      agent_id: id,
      conversation_id: conversation,
      channel: 'whatsapp',
    };
    assert.deepEqual(
      alerts.map(({ waiting_since: _since, timestamp: _at, ...rest }) => rest),
      [
        { ...shared, reason: 'hand_over' },
        { ...shared, reason: 'message' },
      ],
    );
    const { body, rawHeaders } = requests[0] ?? assert.fail();
    const header = new Headers(rawHeaders);
    const at = new Date(Number(header.get('webhook-timestamp')) * 1000);
    const message = { id: header.get('webhook-id') ?? '', at, body };
    const signed = signatureHeaders(message, [endpoint.body.secret]);
    assert.equal(header.get('webhook-signature'), signed['webhook-signature']);
  });
});
