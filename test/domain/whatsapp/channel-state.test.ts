import assert from 'node:assert/strict';
import type { ChannelState } from '../../../src/contract/whatsapp/channel.ts';
import { allowsTrigger, nextChannelState } from '../../../src/domain/whatsapp/channel-state.ts';
import type { ChannelTrigger, GatewayCheck } from '../../../src/domain/whatsapp/channel-state.ts';

type Case = [ChannelState, ChannelTrigger, GatewayCheck, ChannelState, boolean, string];

describe('channel state table', () => {
  const rows: Case[] = [
    [
      'not_connected',
      'connect',
      'reached',
      'awaiting_webhook',
      true,
      'a readable status is enough, live or not',
    ],
    [
      'not_connected',
      'connect',
      'live',
      'awaiting_webhook',
      true,
      'a live session does not skip the webhook step',
    ],
    ['not_connected', 'connect', 'failed', 'not_connected', false, 'refused credentials change nothing'],
    ['awaiting_webhook', 'verify', 'live', 'connected', false, 'only a live session connects'],
    [
      'awaiting_webhook',
      'verify',
      'reached',
      'awaiting_webhook',
      false,
      'not live: Check again stays possible',
    ],
    [
      'awaiting_webhook',
      'verify',
      'failed',
      'awaiting_webhook',
      false,
      'an unreachable gateway changes nothing',
    ],
    ['connected', 'edit', 'live', 'connected', true, 'a revalidated edit is saved'],
    ['connected', 'edit', 'failed', 'connected', false, 'a failed edit keeps the previous values'],
    ['connected', 'disconnect', 'failed', 'inactive', false, 'disconnect always ends inactive'],
    ['connected', 'disconnect', 'reached', 'inactive', false, 'disconnect ends inactive'],
    ['inactive', 'connect', 'reached', 'awaiting_webhook', true, 'an inactive channel connects again'],
    ['inactive', 'connect', 'failed', 'inactive', false, 'and stays inactive where that fails'],
  ];
  for (const [from, trigger, check, to, keepCredentials, title] of rows) {
    it(`${from} + ${trigger} (${check}) → ${to}: ${title}`, () => {
      assert.equal(allowsTrigger(from, trigger), true);
      assert.deepEqual(nextChannelState(from, trigger, check), { state: to, keepCredentials });
    });
  }

  const refused: [ChannelState, ChannelTrigger][] = [
    ['not_connected', 'verify'],
    ['not_connected', 'edit'],
    ['not_connected', 'disconnect'],
    ['connected', 'connect'],
    ['inactive', 'verify'],
    ['inactive', 'edit'],
  ];
  for (const [state, trigger] of refused) {
    it(`refuses ${trigger} in ${state}`, () => {
      assert.equal(allowsTrigger(state, trigger), false);
      assert.equal(nextChannelState(state, trigger, 'live'), null);
    });
  }

  it('gives a next state for every check of an allowed trigger', () => {
    const states: ChannelState[] = ['not_connected', 'awaiting_webhook', 'connected', 'inactive'];
    const triggers: ChannelTrigger[] = ['connect', 'verify', 'edit', 'disconnect'];
    for (const state of states) {
      for (const trigger of triggers) {
        for (const check of ['live', 'reached', 'failed'] as const) {
          assert.equal(nextChannelState(state, trigger, check) !== null, allowsTrigger(state, trigger));
        }
      }
    }
  });
});
