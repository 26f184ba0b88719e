import assert from 'node:assert/strict';
import {
  channelSetup,
  expectedWebhook,
  webhookDifferences,
} from '../../../src/domain/whatsapp/webhook-settings.ts';

const url = 'https://parley.test/v1/webhooks/gateway/a/b';
const right = expectedWebhook(url);

describe('webhook settings', () => {
  it('are the seven of the seed, all named in the steps', () => {
    const setup = channelSetup(url);
    assert.deepEqual(Object.keys(setup.settings).sort(), [
      'addUrlEvents',
      'addUrlTypesMessages',
      'enabled',
      'events',
      'excludeMessages',
      'method',
      'url',
    ]);
    const words = setup.steps.join('\n');
    for (const word of [
      url,
      'POST',
      'addUrlEvents off',
      'addUrlTypesMessages off',
      'only messages',
      'wasSentByApi',
      'isGroupYes',
      'Enable',
    ]) {
      assert.ok(words.includes(word), word);
    }
  });
  it('match in any order of the lists, and without a method, which the gateway does not report', () => {
    const reported = { ...right, method: undefined };
    assert.deepEqual(
      webhookDifferences(right, [{ ...reported, excludeMessages: ['isGroupYes', 'wasSentByApi'] }]),
      [],
    );
  });
  for (const [setting, value, actual] of [
    ['method', 'PUT', 'PUT'],
    ['enabled', false, 'off'],
    ['enabled', undefined, 'not set'],
    ['addUrlEvents', true, 'on'],
    ['addUrlTypesMessages', true, 'on'],
    ['events', ['messages', 'connection'], 'connection, messages'],
    ['excludeMessages', ['isGroupYes'], 'isGroupYes'],
    ['excludeMessages', undefined, 'not set'],
    ['excludeMessages', ['wasSentByApi', 'isGroupYes', 'isGroupNo'], 'isGroupNo, isGroupYes, wasSentByApi'],
  ] as const) {
    it(`name ${setting} when it is ${JSON.stringify(value)}`, () => {
      const found = webhookDifferences(right, [{ ...right, [setting]: value }]);
      assert.deepEqual(
        found.map((one) => [one.setting, one.actual]),
        [[setting, actual]],
      );
    });
  }
  it('finds our webhook among several', () => {
    assert.deepEqual(webhookDifferences(right, [{ url: 'https://other.test' }, right]), []);
  });
  it('name the URL if the gateway has no webhook, and say how to get one', () => {
    const [found, ...others] = webhookDifferences(right, []);
    assert.deepEqual([found?.setting, found?.expected, others], ['url', right.url, []]);
    assert.match(found?.actual ?? '', /let Parley set it up, or add one with this URL at the gateway/);
  });
});
