/** Prints who may call which operation, as Markdown: the tables of docs/permissions.md. */
import type { Command } from 'commander';
import { consentCapability } from '../api/accounts/mcp-authentication.ts';
import type { AgentBinding } from '../api/endpoint.ts';
import { consoleEndpoints } from '../api/endpoints/console.ts';
import { namedEndpoints } from '../api/endpoints/index.ts';
import { mcpScope } from '../api/workspace/mcp.ts';
import { capabilityOfScope } from '../contract/accounts/token-scopes.ts';
import { toolDefinitions } from '../workspace/registry.ts';

const bindings: Record<AgentBinding, string> = {
  agent: 'its own agents',
  target: 'its own agents and their inboxes',
  conversation: 'conversations of its own agents',
  message: 'messages to its own agents',
  list: 'returns the rows of its own agents',
  organization: 'refused',
};

const intro = `# Permissions

Written by \`npm run parley -- permissions\` from the definitions of the operations; do not edit. A token needs the one scope of an
operation. A token with full access has all of them, also those of later versions. A person in the console needs the capability; nobody
gives a token a scope without the capability that it is part of. "Any role" is every member. A token that is bound to agents is refused
what concerns the whole organization. To change the tools or connections of an agent, a token needs the scope \`tools.manage\`
too, and a person that capability. \`writeAsPerson\` and \`regenerateAnswer\` need \`conversations.view\` too. So do \`sendMessage\`, with the
identifier or the contact of a conversation, and \`followMessage\`, unless the same token or person began that conversation. The command line uses no token: it connects with \`DATABASE_URL\`, as the operator.

Other paths need neither: the gateway's webhook proves itself by the secret in its URL, a file's link by its signature, and a
workspace's OAuth redirect by its \`state\`. Anyone may call \`/v1/openapi.json\`, \`/healthz\`, \`/readyz\`, and the addresses at which
MCP clients find and use the authorization server (\`/.well-known/…\`, \`/oauth/…\`).
`;

/** @returns docs/permissions.md: an introduction, and a table each for scopes, the API, MCP, the console and the CLI */
export function permissionTables(program: Command): string {
  const scopes = Object.entries(capabilityOfScope).map(([scope, needed]) => [code(scope), person(needed)]);
  const api = Object.entries(namedEndpoints).map(([name, { method, path, scope, agents }]) => [
    ...[code(`${method.toUpperCase()} /v1${path}`), code(name)],
    ...[code(scope), person(capabilityOfScope[scope]), bindings[agents]],
  ]);
  const tools = ['initialize, tools/list', ...toolDefinitions().map(({ action }) => `tools/call ${action}`)];
  const mcp = tools.map((one) => [
    code(one),
    code(mcpScope),
    `${code(consentCapability)} and ${person(capabilityOfScope[mcpScope])}`,
    bindings.organization,
  ]);
  const console_ = consoleEndpoints.map((endpoint) => [
    code(`${endpoint.method.toUpperCase()} /console/api${endpoint.path}`),
    endpoint.auth === 'session' ? person(endpoint.capability) : 'nobody is signed in yet',
  ]);
  const commands = commandsOf(program).map((name) => [code(`npm run parley -- ${name}`)]);
  return [
    intro,
    section('Scopes', ['scope', 'a person who gives it needs'], scopes),
    section(
      'API',
      ['operation', 'name', 'scope', 'a person who gives it needs', 'a token that is bound to agents'],
      api,
    ),
    section(
      'MCP: POST /v1/mcp',
      ['message', 'scope', 'by consent, its member needs', 'a token that is bound to agents'],
      mcp,
    ),
    section('Console', ['operation', 'capability'], console_),
    section('Command line', ['command'], commands),
  ].join('\n');
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
