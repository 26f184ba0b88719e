/**
 * The console's texts. English is in this file and in messages/; a folder below messages/ holds each translation, in
 * files of the same names.
 */
import { agentTexts } from './messages/agents.ts';
import { approvalTexts } from './messages/approvals.ts';
import { channelTexts } from './messages/channel.ts';
import { conversationTexts } from './messages/conversations.ts';
import { developerTexts } from './messages/developers.ts';
import { dataTexts } from './messages/data.ts';
import { healthTexts } from './messages/health.ts';
import { httpToolTexts } from './messages/http-tools.ts';
import { inspectorTexts } from './messages/inspector.ts';
import { mcpServerTexts } from './messages/mcp-servers.ts';
import { modelTexts } from './messages/models.ts';
import { organizationTexts } from './messages/organization.ts';
import { overviewTexts } from './messages/overview.ts';
import { problemTexts } from './messages/problems.ts';
import { rehearsalTexts } from './messages/rehearsals.ts';
import { toolTexts } from './messages/tools.ts';
import type { Translation } from './messages/translation.ts';
import { versionTexts } from './messages/versions.ts';
import { webhookTexts } from './messages/webhooks.ts';
import { workspaceActionTexts } from './messages/workspace-actions.ts';

const english = {
  product: 'Parley',
  common: {
    cancel: 'Cancel',
    save: 'Save',
    saved: 'Saved',
    done: 'Done',
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    textToCopy: 'Text to copy',
    copyByHand: 'The text is selected: press Ctrl+C (⌘C on a Mac) to copy it.',
    loading: 'Loading',
    retry: 'Try again',
    more: 'Show more',
    previousRow: 'Previous in the list',
    nextRow: 'Next in the list',
    showAll: 'Show all',
    showLess: 'Show less',
    none: 'None',
    never: 'Never',
    period: {
      label: 'Period',
      any: 'Any time',
      today: 'Today',
      lastDays: (days: number) => `Last ${String(days)} days`,
      custom: 'Custom…',
      from: 'From',
      to: 'To',
    },
    wholeId: (length: number, typed: number) =>
      `A whole id has ${String(length)} characters; this has ${String(typed)}.`,
    notFound: 'Page not found',
    notFoundText: 'Check the address, or choose a page from the menu.',
    toOverview: 'Go to the overview',
    couldNotLoad: 'This could not be loaded',
    notAllowedTitle: 'No access',
    notAllowed: 'You don’t have access to this page. Ask an administrator.',
    somethingWrong: 'This page ran into a problem. Reload it; what you saved is kept.',
    reload: 'Reload',
    showTyped: 'Show or hide the text',
    required: 'This field is required',
    checkFields: (names: readonly string[]) =>
      names.length === 0 ? 'Please check the marked fields.' : `Please check: ${names.join(', ')}.`,
    actions: 'Actions',
    moreActions: (name: string) => `More actions for ${name}`,
  },
  unsaved: {
    some: 'Unsaved changes',
    none: 'No unsaved changes',
    restored: 'Draft restored',
    discard: {
      label: 'Discard',
      title: 'Discard your changes?',
      text: 'The form returns to the saved version. This cannot be undone.',
      done: 'Changes discarded',
    },
    title: 'You have unsaved changes',
    text: 'If you leave, this browser tab keeps them as a draft until you come back.',
    textLost: 'If you leave now without saving, they are lost.',
    stay: 'Stay',
    leave: 'Leave, keep the draft',
    leaveLost: 'Leave without saving',
    saveAndLeave: 'Save and leave',
  },
  signIn: {
    title: 'Sign in',
    lead: 'Agents, channels and conversations in one place.',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'Forgot your password?',
    forgottenHelp:
      'Ask an administrator: Members, then Reset password, makes a link for you. If you are the only one, whoever runs this installation makes it with',
    failed: 'Sign-in failed',
    codeTitle: 'Enter your code',
    codeLead: 'This account has a second factor.',
    code: 'Code',
    codeHelp: 'The 6 digits that your authenticator app shows, or a recovery code.',
    confirm: 'Confirm',
    back: 'Use another account',
  },
  forgotten: {
    title: 'Reset your password',
    lead: 'Parley mails you a link with which you choose a new one.',
    email: 'Email',
    submit: 'Send link',
    sentTitle: 'Check your email',
    sent: 'If an account has this email, a link is on its way. It works for one hour.',
    sentHelp: (email: string) =>
      `Nothing at ${email} after a few minutes? Look in the spam folder, or ask an administrator of your organization.`,
    back: 'Back to sign in',
  },
  nav: {
    reconnecting: 'Reconnecting …',
    skip: 'Skip to content',
    main: 'Main',
    menu: 'Menu',
    menuWaiting: (count: string) => `Menu, ${count} waiting`,
    side: 'Side menu',
    top: 'Top bar',
    overview: 'Overview',
    agents: 'Agents',
    conversations: 'Conversations',
    approvals: 'Approvals',
    deliveries: 'Deliveries',
    tools: 'Tools',
    models: 'Models',
    developers: 'Developers',
    api: 'API',
    webhooks: 'Webhooks',
    quickStart: 'Quick start',
    requests: 'Request log',
    documentation: 'Documentation',
    reference: 'API reference',
    organization: 'Organization',
    members: 'Members',
    roles: 'Roles',
    audit: 'Audit log',
    data: 'Usage and data',
    account: 'Account',
    signOut: 'Sign out',
    organizations: 'Organizations',
    theme: 'Appearance',
    light: 'Light',
    dark: 'Dark',
    auto: 'Match system',
    language: 'Language',
  },
  palette: {
    button: 'Search',
    title: 'Search pages, agents and conversations',
    placeholder: 'Page, agent, contact or message',
    pages: 'Pages',
    agents: 'Agents',
    conversations: 'Conversations',
    nothing: 'Nothing found',
  },
  tokens: {
    title: 'API tokens',
    lead: 'A token lets a program call the public API of this organization, as far as its scopes allow.',
    generate: 'Generate API Token',
    name: 'Token Name',
    nameHelp: 'Name the program that uses it, so that you know later which token to revoke.',
    create: 'Generate',
    access: 'Access',
    presets: {
      full: { label: 'Full access', text: 'Every operation, including those of later versions.' },
      allowed: { label: 'All that your role allows', text: 'Every scope that you can give.' },
      send: { label: 'Send messages', text: 'Send messages to agents and get their answers.' },
      read: { label: 'Read', text: 'Read what your role can view. Change nothing.' },
      choose: { label: 'Choose scopes', text: 'Select what the program needs.' },
    },
    scopesTitle: 'Scopes',
    scopes: {
      'messages.send': 'Send messages and get the answers',
      'agents.view': 'View agents',
      'agents.manage': 'Manage agents',
      'conversations.view': 'View conversations',
      'conversations.take_over': 'Take over conversations',
      'approvals.decide': 'Approve tool calls',
      'deliveries.view': 'View deliveries',
      'webhooks.manage': 'Manage webhook signatures, send callbacks again',
      'requests.view': 'View the request log, with the names of tokens',
      'channels.manage': 'Manage channels',
      'tools.view': 'View tools and connections',
      'tools.run': 'Run tool actions, also over MCP',
      'tools.manage': 'Connect and disconnect tools',
      'data.view': 'View usage and retention',
      'data.manage': 'Export and erase data, change retention',
    },
    agents: 'Agents',
    agentsHelp: 'The token reaches only these agents and their conversations.',
    everyAgent: 'Every agent',
    onlyAgents: (names: readonly string[]) => `Only ${names.join(', ')}`,
    noAgentLeft: 'Its agents were deleted',
    beforeScopes: 'Older than scopes',
    expiry: 'Expiration',
    expiries: { never: 'Does not expire', 30: 'In 30 days', 90: 'In 90 days', 365: 'In 1 year' },
    expires: 'Expires',
    createdBy: (name: string) => `by ${name}`,
    rotate: {
      label: 'Rotate token',
      title: (name: string) => `Rotate ${name}?`,
      lead: 'The token gets a new secret. Its scopes, limits and statistics stay.',
      overlap: 'Previous secret',
      overlapHelp: 'Time to give the new secret to the program.',
      overlaps: {
        0: 'Stops at once',
        3600: 'Works for 1 hour',
        86400: 'Works for 1 day',
        604800: 'Works for 7 days',
      },
    },
    previousUntil: 'Previous secret works until',
    made: {
      title: 'Copy the token now',
      lead: 'You will not see it again. If you lose it, revoke it and generate another.',
      label: 'Token',
      copyLabel: 'Copy token',
    },
    columns: {
      name: 'Name',
      prefix: 'Prefix',
      status: 'Status',
      created: 'Created',
      lastUsed: 'Last used',
      calls: 'Calls',
    },
    sinceCreation: 'since creation',
    messages: (used: string, limit: string | null) =>
      limit === null
        ? `${used} ${used === '1' ? 'message' : 'messages'} this month`
        : `${used} of ${limit} messages this month`,
    credits: (used: string, limit: string) => `${used} of ${limit} credits this month`,
    limit: 'Set limit',
    limitTitle: (name: string) => `Monthly limit of ${name}`,
    limitHelp:
      'At the limit, new messages sent with this token are rejected until the 1st of next month (UTC). Leave empty for no limit.',
    limited: 'Limit saved',
    limitReached: 'Limit reached',
    statuses: { Active: 'Active', Expired: 'Expired', Revoked: 'Revoked' },
    table: 'API tokens of this organization',
    revokeHelp: 'Revoking stops a token at once; it stays in the list.',
    deleteHelp: 'Deleting stops it too, and removes it from the list.',
    revoke: (name: string, lastUsed: string | undefined) => ({
      label: 'Revoke token',
      title: `Revoke ${name}?`,
      text: `${lastUsed === undefined ? 'It was never used.' : `It was last used ${lastUsed}.`} API calls with it are rejected within a second. This cannot be undone.`,
      done: 'Token revoked',
    }),
    delete: (name: string, lastUsed: string | undefined) => ({
      label: 'Delete token',
      title: `Delete ${name}?`,
      text: `${lastUsed === undefined ? 'It was never used.' : `It was last used ${lastUsed}.`} The token stops working and disappears from this list. This cannot be undone.`,
      done: 'Token deleted',
    }),
    emptyTitle: 'No tokens yet',
    emptyText: 'Generate one to call the API.',
    notViewable: 'Your role cannot view API tokens.',
    usage: 'Send it with each call as',
    requestsOf: (name: string) => `Requests of ${name}`,
  },
  ...overviewTexts,
  ...agentTexts,
  ...approvalTexts,
  ...channelTexts,
  ...conversationTexts,
  ...dataTexts,
  ...developerTexts,
  ...healthTexts,
  ...httpToolTexts,
  ...mcpServerTexts,
  ...inspectorTexts,
  ...modelTexts,
  ...organizationTexts,
  ...problemTexts,
  ...rehearsalTexts,
  ...toolTexts,
  ...workspaceActionTexts,
  ...versionTexts,
  webhooks: webhookTexts,
} as const;

export type Texts = Translation<typeof english>;

/** The texts in the user's language. Modules of the application may read them while they load. */
export let texts: Texts = english;

/** Replaces the texts. Only `start.ts` calls it, before it loads the application. */
export function setTexts(translated: Texts): void {
  texts = translated;
}
