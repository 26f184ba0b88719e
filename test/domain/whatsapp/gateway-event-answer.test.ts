import assert from 'node:assert/strict';
import { gatewayEvent } from '../../../src/contract/whatsapp/gateway-event.ts';
import { classifyGatewayEvent, gatewayEventAnswer } from '../../../src/domain/whatsapp/classify-event.ts';

const receivedAtMs = Date.parse('2026-08-20T00:00:00Z');
const plain = {
  messageid: '3EB0AA',
  chatid: '553499990002@s.whatsapp.net',
  messageType: 'Conversation',
  text: 'hello',
  messageTimestamp: receivedAtMs,
};

describe('answers to the gateway', () => {
  for (const [body, context, answer] of [
    [{ EventType: 'connection' }, {}, 'OK - other event (ignored)'],
    [{ EventType: 'messages', message: plain }, { channelInactive: true }, 'OK - channel inactive (ignored)'],
    [{ EventType: 'messages' }, {}, 'OK - no message (ignored)'],
    [{ EventType: 'messages', message: { ...plain, wasSentByApi: true } }, {}, 'OK - sent by API (ignored)'],
    [{ EventType: 'messages', message: { ...plain, isGroup: true } }, {}, 'OK - group (ignored)'],
    [
      { EventType: 'messages', message: { ...plain, chatid: '1@newsletter' } },
      {},
      'OK - broadcast (ignored)',
    ],
    [
      { EventType: 'messages', message: { ...plain, messageType: 'ReactionMessage' } },
      {},
      'OK - unsupported message (ignored)',
    ],
    [{ EventType: 'messages', message: plain }, {}, 'OK'],
  ] as const) {
    it(`are ${answer}`, () => {
      assert.equal(
        gatewayEventAnswer(classifyGatewayEvent(gatewayEvent.parse(body), { receivedAtMs, ...context })),
        answer,
      );
    });
  }
});
