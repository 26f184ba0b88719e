/**
 * Returns the webhook settings that the gateway must have, and the instructions for entering them. Compares the
 * expected settings with the gateway's current ones.
 */
import type { ChannelSetup, WebhookDifference, WebhookSettings } from '../../contract/whatsapp/channel.ts';

/** Returns the settings that the gateway's webhook must have to post messages to `url`. */
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

/** Returns the instructions that the console shows after "Validate and continue". */
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

const noWebhook = 'no webhook yet: let Parley set it up, or add one with this URL at the gateway';

/** One webhook as the gateway reports it. Fields that the gateway omits are absent. */
export type ReportedWebhook = {
  readonly [Setting in keyof WebhookSettings]?: string | boolean | readonly string[] | undefined;
};

/**
 * Compares the expected settings with those of the webhook that has the expected URL, or of the first webhook if none
 * has it. Skips `method` if the gateway does not report it, because the gateway's documented API has no such field.
 * @returns the settings that differ, in the order of the instructions of `channelSetup`; only `url` if the gateway has
 * no webhook; an empty list if none differs
 */
export function webhookDifferences(
  expected: WebhookSettings,
  reported: readonly ReportedWebhook[],
): WebhookDifference[] {
  const ours = reported.find((one) => one.url === expected.url) ?? reported[0];
  if (ours === undefined) {
    return [{ setting: 'url', expected: expected.url, actual: noWebhook }];
  }
  return settingsInOrder.flatMap((setting) => {
    const actual = ours[setting];
    if (actual === undefined && setting === 'method') return [];
    return same(expected[setting], actual)
      ? []
      : [{ setting, expected: shown(expected[setting]), actual: shown(actual) }];
  });
}

/**
 * Result of checking the gateway's webhooks. `leadsTo` is set if no webhook has the expected path: the id of the other
 * agent in the URL of the first webhook; undefined if that is not another agent's webhook URL of Parley.
 */
export type WebhookFinding =
  | { readonly state: 'right' }
  /** The webhooks could not be read, or were not requested because no connected session was found. */
  | { readonly state: 'unread' }
  | {
      readonly state: 'wrong';
      readonly code: 'webhook_wrong' | 'webhook_suffix';
      readonly why: string;
      readonly leadsTo?: string | undefined;
    };

/**
 * Determines whether messages arrive at the expected URL with these webhooks. Accepts settings that merely cause more
 * events, which Parley ignores.
 */
export function findWebhook(
  expectedUrl: string,
  reported: readonly ReportedWebhook[],
): Exclude<WebhookFinding, { state: 'unread' }> {
  const ours = reported.filter(({ url }) => samePath(url, expectedUrl));
  const faults = ours.map(faultOf);
  if (faults.includes(undefined)) return { state: 'right' };
  const [fault] = faults;
  if (fault !== undefined) return { state: 'wrong', ...fault };
  const [other] = reported;
  if (other === undefined) return wrong('no webhook is set at the gateway');
  const leadsTo = agentOf(other.url);
  if (leadsTo !== undefined && leadsTo === agentOf(expectedUrl))
    return wrong("the secret in the URL of the gateway's webhook is outdated");
  return { ...wrong("the gateway's webhook leads to another address"), leadsTo };
}

const wrong = (why: string) => ({ state: 'wrong', code: 'webhook_wrong', why }) as const;

function faultOf({ enabled, events, excludeMessages: excluded, ...urlSwitches }: ReportedWebhook) {
  if (urlSwitches.addUrlEvents === true || urlSwitches.addUrlTypesMessages === true) {
    const why = 'the gateway adds to the webhook URL: turn addUrlEvents and addUrlTypesMessages off';
    return { code: 'webhook_suffix', why } as const;
  }
  const fault = (why: string) => ({ code: 'webhook_wrong', why }) as const;
  if (enabled === false) return fault("the gateway's webhook is disabled");
  if (Array.isArray(events) && !events.includes('messages'))
    return fault("the gateway's webhook does not listen to the event messages");
  const dropped = ['isGroupNo', 'fromMeNo'].find(
    (filter) => Array.isArray(excluded) && excluded.includes(filter),
  );
  return dropped === undefined
    ? undefined
    : fault(`the gateway's webhook excludes what customers write (${dropped})`);
}

/** Compares only the paths, which contain the agent and the secret, because a proxy may use another host. */
function samePath(url: ReportedWebhook['url'], expected: string): boolean {
  const path = pathOf(url);
  return path !== undefined && path === pathOf(expected);
}

function agentOf(url: ReportedWebhook['url']): string | undefined {
  return /\/webhooks\/gateway\/([0-9a-f-]{36})\//.exec(pathOf(url) ?? '')?.[1];
}

function pathOf(url: ReportedWebhook['url']): string | undefined {
  return typeof url === 'string' && URL.canParse(url)
    ? /\/v1\/webhooks\/gateway\/.*$/.exec(new URL(url).pathname)?.[0].replace(/\/$/, '')
    : undefined;
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
  // A switch that is missing in the gateway's response counts as off.
  if (typeof expected === 'boolean') return (actual ?? false) === expected;
  return shown(expected) === shown(actual);
}

function shown(value: Value): string {
  if (value === undefined) return 'not set';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value.length === 0 ? 'none' : [...value].sort().join(', ');
}
