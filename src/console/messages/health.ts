import { amount, countText } from '../components/format.ts';
import type { HealthArea } from '../../contract/data/health.ts';

const counted = (count: number, one: string, many: string) =>
  `${count >= 1000 ? 'At least ' : ''}${countText(count)} ${count === 1 ? one : many}`;
const because = (error: string | null) =>
  error === null || error === '' ? '' : ` Last error: ${sentence(error)}`;
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
const units = { credits: 'credits', messages: 'messages' } as const;

export const healthTexts = {
  health: {
    title: 'Health',
    fine: 'All systems fine',
    checked: (areas: readonly HealthArea[], names: Readonly<Record<HealthArea, string>>) =>
      areas.length === 0 ? '' : `Checked: ${areas.map((one) => names[one]).join(', ')}.`,
    areas: {
      models: 'models',
      channels: 'WhatsApp',
      connections: 'tools',
      limits: 'limits',
      webhooks: 'webhooks',
      conversations: 'waiting messages',
      storage: 'storage',
    } satisfies Record<HealthArea, string>,
    problems: (count: number) =>
      count === 1 ? '1 thing needs attention' : `${String(count)} things need attention`,
    attention: 'Needs attention',
    severities: { problem: 'Problem', warning: 'Warning' },
    failedAnswers: {
      title: (count: number) => `${countText(count)} ${count === 1 ? 'answer' : 'answers'} failed today`,
      text: 'A customer may wait without an answer. “Why did it fail?” in the conversation says the reason.',
      action: 'See the conversations',
    },
    model: {
      title: (provider: string) => `The AI provider ${provider} does not answer`,
      text: (error: string, said: string | null) =>
        said === null ? error : `${error} The provider says: ${sentence(said)}`,
      unused: (text: string) => `${sentence(text)} No active agent uses it.`,
      action: 'Check the key',
    },
    channel: {
      title: (agent: string) => `WhatsApp of ${agent} has a problem`,
      unfinished: (agent: string) => `WhatsApp of ${agent} is not set up yet`,
      unfinishedText: 'Messages arrive only after the last step: setting the webhook.',
      lastMessage: 'Last message from WhatsApp:',
      action: 'Open the channel',
      finish: 'Finish the setup',
    },
    connection: {
      title: (name: string | null) => `The workspace ${name ?? 'connection'} refuses access`,
      text: (error: string | null) => `Agents cannot use its tools. Connect it again.${because(error)}`,
      action: 'Reconnect',
    },
    mcpSignIn: {
      title: (server: string) => `Sign in at the MCP server ${server}`,
      text: (tools: number) =>
        tools === 0
          ? 'Nobody has signed in there yet. Agents can use its tools after that.'
          : `It no longer accepts the access. Agents cannot use ${tools === 1 ? 'its tool' : `its ${String(tools)} tools`} until then.`,
      action: 'Sign in',
    },
    limit: {
      reached: (of: keyof typeof units) => `The monthly limit of ${units[of]} is reached`,
      near: (of: keyof typeof units) => `The monthly limit of ${units[of]} is nearly reached`,
      used: (used: number, limit: number, of: keyof typeof units) =>
        `${amount(used)} of ${amount(limit)} ${units[of]} are used this month.`,
      refused: 'Every new message over the API is rejected with status 402.',
      action: 'Raise the limit',
    },
    cap: {
      reached: {
        day: 'The hard cap on credits per day is used up',
        month: 'The hard cap on credits per month is used up',
      },
      near: {
        day: 'The hard cap on credits per day is nearly used up',
        month: 'The hard cap on credits per month is nearly used up',
      },
      used: {
        day: (used: number, cap: number) => `${amount(used)} of ${amount(cap)} credits are used today.`,
        month: (used: number, cap: number) =>
          `${amount(used)} of ${amount(cap)} credits are used this month.`,
      },
      nearText: 'A model call that could cost more than what is left is not made, on WhatsApp too.',
      stops: {
        day: 'No agent answers until midnight (UTC), not even on WhatsApp.',
        month: 'No agent answers until the 1st (UTC), not even on WhatsApp.',
      },
      action: 'See the caps',
    },
    failing: {
      title: (host: string) => `The webhook at ${host} fails`,
      text: (failed: number, attempts: number, error: string | null) =>
        `${countText(failed)} of ${counted(attempts, 'callback', 'callbacks')} failed within the last day.${because(error)}`,
      action: 'See the deliveries',
    },
    blocked: {
      title: (host: string) => `Parley may not call ${host}`,
      text: (blocked: number) =>
        `${counted(blocked, 'callback was', 'callbacks were')} not sent within the last day.`,
      action: 'See the deliveries',
    },
    waiting: {
      title: (count: number) =>
        counted(count, 'conversation waits for a person', 'conversations wait for a person'),
      text: 'No agent will answer them. The oldest message came',
      action: 'Answer',
    },
    backlog: {
      title: (count: number) =>
        counted(count, 'message waits for its answer', 'messages wait for their answers'),
      text: 'Agents answer more slowly than messages arrive, or no worker is running. The oldest message came',
      action: 'See the conversations',
    },
    storage: {
      full: 'The storage for files is full',
      near: 'The storage for files is nearly full',
      text: (used: number, limit: number) =>
        `${amount(Math.round(used / 1_048_576))} of ${amount(Math.round(limit / 1_048_576))} MB are used. When it is full, messages with files are rejected.`,
      action: 'See the storage',
    },
  },
  refusals: {
    private: (place: string) =>
      `${place} is a private address. Parley calls private addresses only if they are allowed.`,
    toAllow: 'To allow this one, for example for local tests, start Parley with',
    allow: (place: string) => `CALLBACK_ALLOW=${place}`,
    copyAllow: 'Copy setting',
    malformed_url:
      'The address is not a valid URL, or programs would read it differently. Check how it is written.',
    scheme_not_allowed: 'The address must begin with http:// or https://.',
    credentials_in_url: 'The address contains a user name or password. Remove them.',
    odd_host:
      'The host is written in an unusual form. Write it as plain letters, or as four decimal numbers.',
    unresolved: 'The host name does not exist. Check its spelling.',
    brief: {
      internal_name: 'Private address',
      private_address: 'Private address',
      'the name does not resolve': 'Unknown host name',
      malformed_url: 'Not a URL',
      scheme_not_allowed: 'Neither http nor https',
      credentials_in_url: 'Password in the URL',
      odd_host: 'Unusual host',
    },
  },
} as const;
