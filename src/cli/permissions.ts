/** Builds docs/permissions.md, whose tables show who may call which operation. */
import type { Command } from 'commander';
import { alsoForConsent, consentCapability } from '../api/accounts/mcp-authentication.ts';
import type { AgentBinding, Endpoint } from '../api/endpoint.ts';
import { consoleEndpoints } from '../api/endpoints/console.ts';
import { namedEndpoints } from '../api/endpoints/index.ts';
import { mcpScope } from '../api/workspace/mcp.ts';
import { capabilityOfScope } from '../contract/accounts/token-scopes.ts';
import { toolDefinitions } from '../workspace/registry.ts';

const bindings: Record<AgentBinding, string> = {
  agent: 'its own agents',
  target: 'its own agents and their inboxes',
  body: 'its own agents and their inboxes',
  conversation: 'conversations of its own agents',
  message: 'messages to its own agents',
  approval: 'approvals in conversations of its own agents',
  list: 'returns the rows of its own agents',
  organization: 'refused',
};

const intro = `# Permissions

\`npm run generate:permissions\` writes this page from the definitions of the operations; do not edit it. A token needs the scope of the
operation. A token with full access has every scope, including those of later versions. A person in the console needs the capability;
"any role" means every member. A person can give a token only scopes whose capability they have. A token that is bound to agents cannot
call an operation that concerns the whole organization. The column "also" names what the operation requires in addition: of a token a
second scope, of a person the capability of the same name; either in every call, or in the calls that the column describes. The command
line needs no token, except for the commands that name one: whoever can connect with \`DATABASE_URL\` is the operator.

\`npm run test:one -- test/api/accounts/permissions.test.ts\` calls every operation with every single scope and capability: what these tables
do not allow is answered with 403 and changes nothing.

Other paths need no scope and no capability: a gateway's webhook is authenticated by the secret in its URL, a file's link by its signature,
an OAuth redirect of a workspace or of an MCP server by its \`state\`. Anyone may call \`/v1/openapi.json\`, \`/healthz\`, \`/readyz\`, and the addresses at which
MCP clients find and use the authorization server (\`/.well-known/…\`, \`/oauth/…\`).
`;

/** @returns docs/permissions.md as text: an introduction, and tables of the scopes, API, MCP, console and commands */
export function permissionTables(program: Command): string {
  const scopes = Object.entries(capabilityOfScope).map(([scope, needed]) => [code(scope), person(needed)]);
  const api = Object.entries(namedEndpoints).map(([name, endpoint]) => [
    code(`${endpoint.method.toUpperCase()} /v1${endpoint.path}`),
    code(name),
    code(endpoint.scope),
    also(endpoint),
    person(capabilityOfScope[endpoint.scope]),
    bindings[endpoint.agents],
  ]);
  const tools = ['initialize, tools/list', ...toolDefinitions().map(({ action }) => `tools/call ${action}`)];
  const mcp = tools.map((one) => [
    code(one),
    code(mcpScope),
    `${code(consentCapability)} and ${code(alsoForConsent)}`,
    bindings.organization,
  ]);
  const console_ = consoleEndpoints.map((endpoint) => [
    code(`${endpoint.method.toUpperCase()} /console/api${endpoint.path}`),
    endpoint.auth === 'session' ? person(endpoint.capability) : 'nobody is signed in yet',
    also(endpoint),
  ]);
  const commands = commandsOf(program).map((name) => [
    code(`npm run parley -- ${name}`),
    withoutDatabase[name] ?? code('DATABASE_URL'),
  ]);
  return [
    intro,
    section('Scopes', ['scope', 'a person who gives it needs'], scopes),
    section(
      'API',
      [
        'operation',
        'name',
        'scope',
        'also',
        'a person who gives it needs',
        'a token that is bound to agents',
      ],
      api,
    ),
    section(
      'MCP: POST /v1/mcp',
      ['message', 'scope', 'by consent, its member needs', 'a token that is bound to agents'],
      mcp,
    ),
    section('Console', ['operation', 'capability', 'also'], console_),
    section('Command line', ['command', 'connects by'], commands),
  ].join('\n');
}

/** Commands that do not use DATABASE_URL, and how they connect instead. */
const withoutDatabase: Record<string, string> = {
  namespace: '`TEMPORAL_ADDRESS` and the other Temporal settings',
  permissions: 'nothing',
  rehearse: 'the API, with the token in `PARLEY_TOKEN`',
};

function also({ also: always, sometimes }: Endpoint): string {
  return always === undefined ? (sometimes ?? '') : code(always);
}

const code = (text: string): string => `\`${text}\``;

function person(needed: string): string {
  return needed === 'member' ? 'any role' : code(needed);
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

function commandsOf(command: Command, above: readonly string[] = []): string[] {
  return command.commands.flatMap((one) => {
    const name = [...above, one.name()];
    return one.commands.length > 0 ? commandsOf(one, name) : [name.join(' ')];
  });
}
