const inDays = (days: number) => `${days.toLocaleString()} ${days === 1 ? 'day' : 'days'}`;
const countOf = (count: number) =>
  `${count.toLocaleString()} ${count === 1 ? 'conversation' : 'conversations'}`;

export const dataWords = {
  data: {
    title: 'Usage and data',
    lead: 'Usage, limits, retention, export and deletion.',
    limit: 'Credits',
    messageLimit: 'Messages',
    used: (used: string) => `${used} credits used this month; no limit is set.`,
    usedOf: (used: string, limit: string) => `${used} of ${limit} credits used this month.`,
    messages: (count: string) =>
      `${count} ${count === '1' ? 'message' : 'messages'} this month; no limit is set.`,
    messagesOf: (count: string, limit: string) => `${count} of ${limit} messages this month.`,
    limitLabel: 'Credits a month',
    messageLimitLabel: 'Messages a month',
    limitHelp:
      'At the limit, API calls are rejected until the 1st of next month (UTC). Leave empty for no limit.',
    storage: 'Storage',
    stored: (used: string) => `Files take ${used}; no limit is set.`,
    storedOf: (used: string, limit: string) => `Files take ${used} of ${limit}.`,
    storageLabel: 'Megabytes of files',
    storageHelp:
      'When storage is full, calls with files are rejected, and files given by URL are not fetched. Leave empty for the default.',
    storageNone: (limit: string | null) => (limit === null ? 'No limit' : `Default: ${limit}`),
    none: 'No limit',
    keepAll: 'Keep everything',
    limitQuestion: {
      title: 'Refuse calls from now on?',
      used: {
        credits: (used: string) => `${used} ${used === '1' ? 'credit was' : 'credits were'} used this month.`,
        messages: (used: string) => `${used} ${used === '1' ? 'message' : 'messages'} came this month.`,
      },
      text: {
        organization: (used: string, limit: string) =>
          `${used} With a limit of ${limit}, all calls of the API are refused with 402 from now until the month is over (UTC), or until the limit is raised.`,
        token: (used: string, limit: string) =>
          `${used} With a limit of ${limit}, all calls with this token are refused with 402 from now until the month is over (UTC), or until the limit is raised.`,
      },
      action: 'Save the limit',
    },
    reached: {
      credits: 'The credits of this month are used up: all calls of the API are refused with 402.',
      messages: 'The messages of this month are used up: all calls of the API are refused with 402.',
      until: (day: string) => `This ends on ${day} (UTC).`,
      raise: 'Raise the limit',
      ask: 'Somebody who manages limits can raise it.',
    },
    retentionQuestion: {
      title: (days: number) => `Keep conversations for ${inDays(days)} only?`,
      text: (days: number, { whole, part, complete }: { whole: number; part: number; complete: boolean }) =>
        [
          `${complete ? '' : 'At least '}${countOf(whole + part)} ${whole + part === 1 ? 'holds' : 'hold'} something older than ${inDays(days)}.`,
          whole > 0 ? `${countOf(whole)} will be erased whole.` : '',
          part > 0 ? `${countOf(part)} will lose ${part === 1 ? 'its' : 'their'} older part.` : '',
          'Erasing starts at once and cannot be undone.',
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
      nothing: (days: number) =>
        `Nothing is older than ${inDays(days)} yet. From now on, older data is erased permanently.`,
      action: 'Erase and save',
      actionNothing: 'Save',
    },
    saveOf: (what: string) => `Save ${what}`,
    table: 'Usage by day',
    columns: { day: 'Day', messages: 'Messages', runs: 'Runs', credits: 'Credits' },
    retention: 'Retention',
    retentionLabel: 'Days to keep',
    retentionHelp: 'Older data is erased permanently, starting at once. Leave empty to keep everything.',
    export: 'Export',
    exportText: 'Agents, contacts and conversations with all that belongs to them, one JSON object a line.',
    exportAction: 'Download everything',
    erase: 'Erase',
    contact: 'Contact',
    contactHelp: 'The id that a conversation shows, for instance whatsapp:5511999990001.',
    eraseContact: (id: string) => ({
      label: 'Erase contact',
      title: `Erase ${id}?`,
      text: 'All of their conversations go, at every agent, with messages, files and deliveries. This cannot be undone.',
      done: 'Contact erased',
    }),
    exportContact: 'Download this contact',
    eraseOrganization: (id: string) =>
      `The whole organization is erased from the command line: npm run parley -- erase organization ${id} --name …`,
  },
} as const;
