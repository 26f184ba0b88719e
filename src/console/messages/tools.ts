import { countText } from '../components/format.ts';

const times = (count: number) => (count === 1 ? 'once' : `${countText(count)} times`);

export const toolTexts = {
  mcpClients: {
    title: 'Connect an MCP client',
    titleOf: (name: string) => `Connect ${name}?`,
    lead: 'This program wants to act for you in Parley.',
    incompleteTitle: 'This link is incomplete',
    incomplete: 'Start again in the program that sent you here.',
    client: 'Program',
    receiver: 'Answer goes to',
    organization: 'Organization',
    as: 'Signed in as',
    may: (organization: string) =>
      `It may run every action in the document workspaces of ${organization}, until you remove it under API or lose the right to create API tokens.`,
    warning: 'A program chooses its own name. Allow it only if you started this yourself just now.',
    allow: 'Allow',
    refuse: 'Refuse',
    answered: 'The program has your answer. You can close this page.',
    connected: 'Connected MCP clients',
    connectedLead: 'Programs that members allowed to run document actions for this organization.',
    columns: { name: 'Program', member: 'Allowed by', since: 'Since', lastUsed: 'Last used' },
    remove: (name: string) => ({
      label: 'Remove',
      title: `Remove ${name}?`,
      text: 'Its calls are rejected within a second. To return, it must ask for consent again.',
      done: 'MCP client removed',
    }),
  },
  toolActivity: {
    noAgent: 'No agent',
    usedBy: (_agents: number) => 'Used by',
    usedByCount: (count: number) =>
      count === 0 ? 'Used by no agent' : `Used by ${countText(count)} ${count === 1 ? 'agent' : 'agents'}`,
    calls: (count: number) => (count === 0 ? 'not called today' : `${times(count)} today`),
    callsAtLeast: (count: number) => `at least ${times(count)} today`,
    failed: (count: number) => `${countText(count)} failed`,
    moreAgents: (count: number) => `and ${String(count)} more`,
    last: {
      succeeded: 'Last call succeeded',
      failed: 'Last call failed',
      unknown: 'Last call: outcome unknown',
      pending: 'Last call in progress',
    },
  },
  schemaForm: {
    none: 'No arguments.',
    optional: (count: number) => `${String(count)} optional arguments`,
    optionalLabel: (name: string) => `${name} (optional)`,
    jsonLabel: (label: string) => `${label}, as JSON`,
    json: 'All arguments, as JSON',
    asJson: 'Edit as JSON',
    yes: 'Yes',
    no: 'No',
    notSet: 'Not set',
    choose: 'Choose',
    addText: 'Type a text and press Enter',
    problems: {
      missing: 'This field is required',
      not_a_number: 'Enter a number.',
      not_json: 'This is not JSON. Check quotes, commas and brackets.',
      no_object: 'Enter the arguments as a JSON object, such as {"name": "value"}.',
      only_json: 'The form has no fields for some of these arguments. Remove them, or run this as JSON.',
    },
  },
  tools: {
    title: 'Tools',
    lead: 'What agents can read and change: Notion, HTTP APIs and MCP servers.',
    available: 'Available',
    connected: 'Connected',
    search: 'Search tools',
    searchAll: (count: number) => `Search all ${String(count)} tools`,
    none: 'No tools match your search.',
    docs: {
      name: 'Notion',
      text: 'Search, read and edit your team’s pages, databases, comments and files.',
      counted: (count: number) =>
        count === 1 ? '1 workspace connected' : `${String(count)} workspaces connected`,
      refused: (count: number) =>
        count === 1 ? '1 workspace refuses access' : `${String(count)} workspaces refuse access`,
    },
    notSetUp: 'Not set up yet',
    seeActions: (count: number) => `See ${String(count)} actions`,
    mcpServer: 'MCP server',
    actsAs: (name: string) => `as ${name}`,
    access: {
      missing: 'Needs a sign-in',
      apiKey: 'With an API key',
      oauth: 'With a sign-in (OAuth 2.0)',
      header: 'With a secret header',
      none: 'Without sign-in',
    },
    kinds: { docs: 'Notion action', http: 'HTTP tool', mcp: (server: string) => `MCP tool of ${server}` },
    foundTools: 'Found tools',
    found: (count: number, shown: number) =>
      count > shown
        ? `The first ${String(shown)} of ${String(count)} tools`
        : count === 1
          ? '1 tool'
          : `${String(count)} tools`,
    isConnected: 'Connected',
    connect: 'Connect',
    connectAnother: 'Connect another',
    reconnect: 'Reconnect',
    signIn: 'Sign in',
    signInAt: (server: string) => `Sign in at ${server}`,
    connectTitle: 'Connect Notion',
    how: 'Sign-in method',
    oauth: 'OAuth 2.0',
    oauthHelp: 'Notion asks you which pages and databases to share, then sends you back here.',
    oauthGo: 'Continue to Notion',
    apiKey: 'API key',
    apiKeyHelp: 'Enter the token of an internal integration, and share pages with that integration.',
    apiKeySubmit: 'Connect',
    saved: 'Workspace connected',
    outcomes: {
      connected: 'Workspace connected',
      denied: 'The workspace was not connected: access was denied there.',
      not_allowed: 'The workspace was not connected: your role no longer allows you to manage tools.',
      other: 'The workspace could not be connected. Try again.',
    },
    connectionsTable: 'Connections',
    connectionsLead: 'Choose in each agent’s settings which of these it uses.',
    httpElsewhere: (count: number) =>
      count === 1
        ? 'Your HTTP tool needs no connection.'
        : `Your ${String(count)} HTTP tools need no connection.`,
    toHttp: (count: number) => (count === 1 ? 'See the HTTP tool' : 'See the HTTP tools'),
    columns: {
      name: 'Connection',
      usedBy: 'Used by',
      how: 'Access',
      status: 'Status',
      added: 'Added',
    },
    unnamed: 'Unnamed workspace',
    statuses: { pending: 'Pending', connected: 'Connected', needs_reconnect: 'Needs attention' },
    http: {
      name: 'HTTP APIs',
      text: 'Let agents call your shop, booking or order system. Describe a request, or import an OpenAPI file.',
      counted: (count: number) => (count === 1 ? '1 tool' : `${String(count)} tools`),
    },
    mcp: {
      name: 'MCP servers',
      text: 'Add a server of the Model Context Protocol, and choose which of its tools agents may call.',
      counted: (count: number, unsigned: number) => {
        const servers = count === 1 ? '1 server' : `${String(count)} servers`;
        if (unsigned === 0) return servers;
        return `${servers}, ${String(unsigned)} ${unsigned === 1 ? 'needs' : 'need'} a sign-in`;
      },
    },
    disconnectedAgents: (count: number, names: readonly string[]) => {
      if (count === 0) return 'No agent uses it.';
      const others = count - names.length;
      const list = `${names.join(', ')}${others === 0 ? '' : ` and ${String(others)} more`}`;
      return count === 1
        ? `1 agent can no longer use it: ${list}.`
        : `${String(count)} agents can no longer use it: ${list}.`;
    },
    disconnect: (name: string) => ({
      label: 'Disconnect',
      title: `Disconnect ${name}?`,
      text: 'Parley deletes its credentials. To use it again, you must connect it again.',
      done: 'Workspace disconnected',
    }),
    emptyTitle: 'No connections yet',
    emptyText: 'Connect Notion or add an MCP server, so that agents can look things up and make changes.',
    actions: 'Actions',
    searchActions: 'Search actions',
    noAction: 'No action matches your search.',
    inWorkspace: 'In workspace',
    deprecated: 'Deprecated',
    useInstead: (use: string) => `Use ${use} instead.`,
    effects: { read: 'Reads', write: 'Changes' },
    effect: 'Effect',
    allEffects: 'All',
    identifier: 'Identifier',
    schema: 'Input schema',
    input: 'Arguments',
    run: 'Run action',
    result: 'Result',
    copyResult: 'Copy result',
    succeeded: 'Succeeded',
    failed: 'Failed',
    find: {
      open: 'Find a page',
      title: (workspace: string) => `Find a page in ${workspace}`,
      help: 'Finds pages by words of their title. Agents that use this workspace see the same pages.',
      label: 'Find a page called',
      button: 'Find',
      found: (count: number, more: boolean) =>
        `${more ? 'The first ' : ''}${String(count)} ${count === 1 ? 'page' : 'pages'}${more ? '' : ' found'}`,
      untitled: 'Untitled page',
      none: (integration: string) =>
        `No page found. ${integration} sees only the pages that are shared with it, and Notion can take some minutes to find a new page.`,
      share: (integration: string) =>
        `To share a page: open it in Notion, click ••• at the top right, then Connections, and choose ${integration}.`,
      integration: 'The integration',
    },
  },
} as const;
