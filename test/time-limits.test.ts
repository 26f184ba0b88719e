import assert from 'node:assert/strict';
import { readConfig } from '../src/config.ts';
import { maxModelTimeoutSeconds } from '../src/contract/conversations/limits.ts';
import { activitySeconds, settingSeconds } from '../src/domain/time-limits.ts';
import { useSharedStack } from './support/stack.ts';
import { until } from './support/until.ts';

const base = { DATABASE_URL: 'postgres://a@b/c' };

describe('Settings in seconds', () => {
  it('are all bounded, and refused at the start with the bound and the reason', () => {
    const named = Object.keys(readConfig(base)).filter((name) => name.endsWith('_SECONDS'));
    assert.deepEqual(named.sort(), Object.keys(settingSeconds).sort());
    for (const [name, [least, most, why]] of Object.entries(settingSeconds)) {
      for (const fits of [least, most]) readConfig({ ...base, [name]: String(fits) });
      for (const [value, said] of [
        [String(most + 1), `${name}: must be at most ${most} seconds: ${why}`],
        [String(least / 10), `${name}: must be at least ${least} seconds`],
        ['Infinity', name],
        ['soon', `${name}: must be a number of seconds, from ${least} to ${most}`],
      ] as const) {
        assert.throws(
          () => readConfig({ ...base, [name]: value }),
          ({ message }: Error) => message.includes(said),
          `${name}=${value}`,
        );
      }
    }
  });

  it('end before the activity that waits for them', () => {
    const most = (name: keyof typeof settingSeconds) => settingSeconds[name][1];
    // With a minute for a slot, and one for the rest.
    assert.ok(most('MODEL_TIMEOUT_SECONDS') + 120 <= activitySeconds.model);
    assert.ok(most('MODEL_TIMEOUT_SECONDS') + 120 < activitySeconds.tool);
    assert.equal(maxModelTimeoutSeconds, most('MODEL_TIMEOUT_SECONDS'));
    assert.ok(most('DOCS_TIMEOUT_SECONDS') + 120 < activitySeconds.tool);
    // With the pauses of post-callback.ts, after which it sends nothing.
    assert.ok(most('CALLBACK_TIMEOUT_SECONDS') + 10 < activitySeconds.callback);
    assert.ok(3 * most('GATEWAY_TIMEOUT_SECONDS') + 120 < activitySeconds.reply);
    assert.ok(most('GATEWAY_ASK_SECONDS') + 120 < activitySeconds.reply);
  });
});

describe('Activities', () => {
  const stack = useSharedStack();

  it('have in Temporal the limits against which the settings are checked', async () => {
    const { api, receiver, temporal } = stack();
    // Much longer than an answer waits for its callback, so that a stall of this machine does not hide the wait.
    receiver.behave('/limits', { delayMs: 4000, status: 200 });
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const { conversation_id } = await api.send(agent.id, {
      message: 'a',
      webhook_url: receiver.url('/limits'),
    });
    await until('the callback to be delivered', async () =>
      (await api.deliveries({ conversation_id })).some(({ status }) => status === 'delivered'),
    );
    const { events } = await temporal.client.workflow
      .getHandle(`conversation/${conversation_id}`)
      .fetchHistory();
    const limits = new Map(
      (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
        scheduled ? [[scheduled.activityType?.name, Number(scheduled.startToCloseTimeout?.seconds)]] : [],
      ),
    );
    assert.deepEqual(
      [limits.get('startRun'), limits.get('deliverCallback')],
      [activitySeconds.model, activitySeconds.callback],
    );
  });
});
