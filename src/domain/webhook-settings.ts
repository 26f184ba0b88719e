/** The webhook configuration that the gateway must have, how a person sets it, and where a given one differs. */
import type { ChannelSetup, WebhookDifference, WebhookSettings } from '../contract/channel.ts';

export function expectedWebhook(url: string): WebhookSettings {
  return {
    url,
    method: 'POST',
    enabled: true,
    addUrlEvents: false,
    addUrlTypesMessages: false,
    events: ['messages'],
    excludeMessages: ['wasSentByApi', 'isGroupYes'],
  };
}

/** The sequence shown after "Validate and continue". */
export function channelSetup(webhookUrl: string): ChannelSetup {
  return {
    webhook_url: webhookUrl,
    steps: [
      "Open the instance in the gateway's own dashboard and scan the QR code there with WhatsApp; the code is not shown here.",
      `In the instance's webhook settings, set URL to the generated webhook URL: ${webhookUrl}`,
      'Set method to POST.',
      'Turn addUrlEvents off.',
      'Turn addUrlTypesMessages off: with both add-URL switches off the URL stays static.',
      'Listened events: only messages.',
      'Excluded events: wasSentByApi and isGroupYes. wasSentByApi stops the agent from answering its own replies in a loop; isGroupYes removes group traffic.',
      'Enable the webhook and save.',
      "Come back and choose I've configured the webhook.",
    ],
    settings: expectedWebhook(webhookUrl),
  };
}

/** What one webhook at the gateway looks like; a field the gateway does not tell is absent. */
export type ReportedWebhook = {
  readonly [Setting in keyof WebhookSettings]?: string | boolean | readonly string[] | undefined;
};

/**
 * @returns each setting that differs, in the order of the seed; empty when the webhook is right.
 *   `method` is compared only where the gateway reports one, since its API has no such field.
 */
export function webhookDifferences(
  expected: WebhookSettings,
  reported: readonly ReportedWebhook[],
): WebhookDifference[] {
  const ours = reported.find((one) => one.url === expected.url) ?? reported[0];
  if (ours === undefined) {
    return [{ setting: 'url', expected: expected.url, actual: 'no webhook is configured' }];
  }
  return settingsInOrder.flatMap((setting) => {
    const actual = ours[setting];
    if (actual === undefined && setting === 'method') return [];
    return same(expected[setting], actual)
      ? []
      : [{ setting, expected: shown(expected[setting]), actual: shown(actual) }];
  });
}

const settingsInOrder = [
  'url',
  'method',
  'addUrlEvents',
  'addUrlTypesMessages',
  'events',
  'excludeMessages',
  'enabled',
] as const satisfies readonly (keyof WebhookSettings)[];

type Value = string | boolean | readonly string[] | undefined;

function same(expected: Value, actual: Value): boolean {
  // A switch that the gateway leaves out of its answer is off.
  if (typeof expected === 'boolean') return (actual ?? false) === expected;
  return shown(expected) === shown(actual);
}

function shown(value: Value): string {
  if (value === undefined) return 'not set';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value.length === 0 ? 'none' : [...value].sort().join(', ');
}
