import { countText } from '../components/format.ts';

const inDays = (days: number) => `${countText(days)} ${days === 1 ? 'day' : 'days'}`;
const counted = (count: number, one: string, many: string) =>
  `${count >= 10_000 ? 'at least ' : ''}${countText(count)} ${count === 1 ? one : many}`;
const countOf = (count: number) => `${countText(count)} ${count === 1 ? 'conversation' : 'conversations'}`;

export const dataTexts = {
  data: {
    title: 'Usage and data',
    lead: 'Usage, limits, retention, export and erasure.',
    period: 'Period',
    periods: { month: 'This month', last_month: 'Last month', days: 'Last 30 days' },
    compared: (share: string, days: string) => `${share} vs ${days}`,
    nothingBefore: (days: string) => `No usage ${days}`,
    credits: 'Credits',
    messages: 'Messages',
    ofLimit: (limit: string) => `of ${limit}`,
    limits: 'Limits',
    saveLimits: 'Save limits',
    usage: 'Usage',
    messagesByDay: 'Messages by day',
    costByDay: 'Cost by day (USD)',
    keeping: 'Retention, export and erasure',
    by: 'Usage by',
    scripted: 'Test replies of agents, without a model',
    byAgent: 'By agent',
    byModel: 'By model',
    byToken: 'By API token',
    withoutToken: 'Without a token, such as WhatsApp',
    rehearsals: 'Rehearsals',
    withoutRehearsals: 'Conversations and tests',
    total: 'Total',
    erasedData: 'Erased data, repeated rehearsals',
    modelColumns: {
      agent: 'Agent',
      token: 'API token',
      model: 'Model',
      calls: 'Calls',
      input: 'Input tokens',
      output: 'Output tokens',
      credits: 'Credits',
      cost: 'Cost (USD)',
    },
    creditMeaning:
      'What model calls cost. Whoever runs your server sets how many credits 1,000 tokens of a model cost; credits are not dollars.',
    costHelp: 'At the saved prices, without failed calls',
    withoutPrice: (count: number) =>
      `without ${countText(count)} ${count === 1 ? 'model that has' : 'models that have'} no price`,
    limitLabel: 'Credits per month',
    messageLimitLabel: 'Messages per month',
    limitHelp: 'The cost of all model calls, at the rates that whoever runs your server has set.',
    messageLimitHelp: 'Received messages, on every channel.',
    limitsTitle: 'Limits on the API',
    limitsLead:
      'A limit that is reached stops new messages over the API. WhatsApp, follow-ups and the playground still work.',
    limitHeads: {
      name: 'Limit',
      used: 'Used',
      resets: 'This month. Resets on the 1st (UTC)',
      stays: 'Never resets',
      limit: 'Maximum',
    },
    capsTitle: 'Hard caps on credits',
    capsHelp:
      'Per day, month, contact or conversation. Unlike the limits above, a cap also stops answers on WhatsApp and follow-ups: a call that could cost more than what is left is not made. Leave empty for no cap.',
    capsLead:
      'A cap stops WhatsApp and follow-ups too: a model call that could cost more than what is left is not made.',
    capVerdict: (day?: string, month?: string, api?: string) =>
      (day === undefined && month === undefined
        ? 'The organization has no cap: nothing limits the total cost of WhatsApp, follow-ups and the playground.'
        : `The organization spends at most ${[day && `${day} credits a day`, month && `${month} credits a month`].filter(Boolean).join(' and ')}.${month === undefined ? ' It has no cap per month.' : ''}`) +
      (api === undefined ? '' : ` The API also stops at ${api} credits a month.`),
    noCap: 'No cap',
    caps: {
      day: 'Cap per day',
      month: 'Cap per month',
      contact_day: 'Cap per contact and day',
      contact_month: 'Cap per contact and month',
      conversation_day: 'Cap per conversation and day',
      conversation_month: 'Cap per conversation and month',
    },
    capHeads: {
      name: 'Applies to',
      day: 'Per day',
      dayEnds: 'Resets at midnight (UTC)',
      month: 'Per month',
      monthEnds: 'Resets on the 1st (UTC)',
    },
    capRows: {
      organization: {
        name: 'Whole organization',
        stops: 'Stops all model calls: API, WhatsApp, follow-ups and playground.',
      },
      contact: { name: 'Each contact', stops: 'Stops answers and follow-ups to that contact.' },
      conversation: {
        name: 'Each conversation',
        stops: 'Stops answers and follow-ups in that conversation.',
      },
    },
    capNear: (share: string) => `${share} used. Raise the cap before answers stop.`,
    capFull: 'Used up. Agents no longer answer.',
    limitNear: (share: string) => `${share} used`,
    limitFull: 'Reached. New messages over the API are rejected.',
    storageFull: 'Full. Messages with files are rejected.',
    capUsed: {
      day: (used: string) => `${used} used today`,
      month: (used: string) => `${used} used this month`,
    },
    storage: 'Storage',
    storageNow: 'Storage now',
    units: { credits: 'credits', messages: 'messages', storage: 'GB' },
    storageLabel: 'Storage limit',
    storageHelp:
      'All stored files. Stops messages that carry files; those given by URL or sent on WhatsApp are not fetched.',
    storageNone: (limit: string | null) => (limit === null ? 'No limit' : `Default: ${limit}`),
    creditsThisMonth: 'Credits this month',
    messagesThisMonth: 'Messages this month',
    calls: 'A call is one request to a model. A message can need several.',
    tokenMessages: 'Messages and their credits, by the token that sent them.',
    none: 'No limit',
    retentionUnit: (days: number) => (days === 1 ? 'day' : 'days'),
    keepAll: 'Keep everything',
    limitQuestion: {
      title: 'Reject new messages from now on?',
      used: {
        credits: (used: string) => `${used} ${used === '1' ? 'credit was' : 'credits were'} used this month.`,
        messages: (used: string) =>
          `${used} ${used === '1' ? 'message was' : 'messages were'} received this month.`,
      },
      text: {
        organization: (used: string, limit: string) =>
          `${used} With a limit of ${limit}, new messages over the API are rejected (HTTP 402) until the 1st of next month (UTC) or until somebody raises the limit. WhatsApp messages are still answered.`,
        token: (used: string, limit: string) =>
          `${used} With a limit of ${limit}, new messages sent with this token are rejected (HTTP 402) until the 1st of next month (UTC) or until somebody raises the limit.`,
      },
      action: 'Save the limit',
    },
    reached: {
      credits: 'This month’s credits are used up. New messages over the API are rejected (HTTP 402).',
      messages: 'This month’s messages are used up. New messages over the API are rejected (HTTP 402).',
      until: (day: string) => `This ends on ${day} (UTC).`,
      raise: 'Raise the limit',
      ask: 'Ask an administrator to raise the limit.',
    },
    retentionQuestion: {
      title: (days: number) => `Keep conversations for ${inDays(days)} only?`,
      size: (days: number, { whole, part, complete }: { whole: number; part: number; complete: boolean }) =>
        [
          `${complete ? '' : 'At least '}${countOf(whole + part)} ${whole + part === 1 ? 'holds' : 'hold'} something older than ${inDays(days)}.`,
          whole > 0 ? `${countOf(whole)} will be erased completely.` : '',
          part > 0 ? `${countOf(part)} will lose ${part === 1 ? 'its' : 'their'} older messages.` : '',
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
      end: 'Erasing starts at once and cannot be undone.',
      nothing: (days: number) =>
        `Nothing is older than ${inDays(days)} yet. From now on, older data is erased permanently.`,
      action: 'Erase and save',
      actionNothing: 'Save',
    },
    erasureSize: (conversations: number, messages: number, files: number, deliveries: number) =>
      conversations === 0
        ? 'There is no conversation to erase. Only what a channel knows of the contact is deleted.'
        : `This erases ${[
            countOf(conversations),
            counted(messages, 'message', 'messages'),
            counted(files, 'file', 'files'),
            counted(deliveries, 'delivery', 'deliveries'),
          ]
            .filter((part) => !part.startsWith('0 '))
            .join(', ')}.`,
    storageQuestion: {
      title: 'Reject messages with files from now on?',
      text: (used: string, limit: string) =>
        `Files take ${used}. With a limit of ${limit}, messages that carry files are rejected, and files given by URL are not fetched, until files are erased or somebody raises the limit. Stored files stay.`,
    },
    capsQuestion: {
      title: 'Stop model calls from now on?',
      text: {
        day: (used: string, cap: string) =>
          `${used} credits were used today; the cap is ${cap}. Agents make no further model call until midnight (UTC).`,
        month: (used: string, cap: string) =>
          `${used} credits were used this month; the cap is ${cap}. Agents make no further model call until the 1st of next month (UTC).`,
        end: 'This includes WhatsApp and follow-ups.',
      },
    },
    saveOf: (what: string) => `Save ${what}`,
    retention: 'Retention and export',
    keptNow: (days: number | null) =>
      days === null ? 'Kept now: everything' : `Kept now: the last ${days === 1 ? 'day' : inDays(days)}`,
    keptHelp:
      'Conversations, with their messages, files, tool calls, notes and deliveries. Age counts from the end of an answer; for a note or a message without an answer, from its creation.',
    retentionLabel: 'Days to keep',
    retentionHelp:
      'Anything older is erased permanently, starting at once; before you save, you see how much that is. Leave empty to keep everything.',
    ownTerms: {
      title: 'With their own retention',
      requests: 'Request log',
      audit: 'Audit log',
      rehearsals: 'Rehearsals',
      agents: 'Deleted agents',
      days: inDays,
      auditDays: (days: number | null) =>
        `${days === null ? 'Forever' : inDays(days)}. Whoever runs your server changes this with`,
      restorable: (days: number) => `Can be restored for ${inDays(days)}`,
    },
    export: 'Export',
    exportText: 'Agents, contacts and conversations with everything in them, as one JSON object per line.',
    exportAction: 'Download everything',
    erasure: 'Erasure',
    erasureLead: 'An erasure cannot be undone.',
    erase: 'Erase a contact',
    contact: 'Contact',
    contactHelp: 'Name or id',
    findContact: 'Find contact',
    contactUnknown: 'No conversation has this contact. You can still erase exactly this id.',
    contactErases: 'All of their conversations are erased, with messages, files and deliveries.',
    eraseContact: (id: string) => ({
      label: 'Erase contact',
      title: `Erase ${id}?`,
      text: 'This deletes all of their conversations with every agent, including messages, files and deliveries. It cannot be undone.',
      done: 'Contact erased',
    }),
    exportContact: 'Download this contact',
    eraseOrganization: 'Erase the whole organization',
    eraseOrganizationHelp:
      'All access ends at once, and nothing can be restored. Ask whoever runs your server to do it.',
    eraseOrganizationCommand: 'Show command',
  },
} as const;
