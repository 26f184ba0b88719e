/** Something of every kind for made-up calls to hit upon, and the words that tell Schemathesis of it. */
import type { DocsStack } from '../support/docs-stack.ts';
import { connect } from '../support/docs-stack.ts';
import type { GatewayEmulator } from '../support/gateway/start-gateway-emulator.ts';

/** How often a known identifier is used instead of a made-up one. */
const probability = 0.6;

type Known = Record<
  | 'agents'
  | 'doomedAgents'
  | 'talkers'
  | 'inboxes'
  | 'conversations'
  | 'doomedConversations'
  | 'connections'
  | 'actions',
  string[]
>;

export async function makeKnownData(
  { stack, emulator }: DocsStack,
  gateway: GatewayEmulator,
): Promise<Known> {
  const { api, receiver } = stack;
  const newAgents = async (count: number) =>
    await Promise.all(
      Array.from({ length: count }, () =>
        api.createAgent({ script: [{ when: '(?s)(.*)', reply: 'Heard: $1' }] }),
      ),
    );
  const [agents, doomed, talkers] = [await newAgents(6), await newAgents(20), await newAgents(2)];
  const conversations = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const agent = talkers[n % 2]?.id ?? '';
      const sent = await api.send(agent, { message: `number ${n}`, webhook_url: receiver.url('/fuzz') });
      await api.settled(sent.conversation_id);
      return sent.conversation_id;
    }),
  );
  // One channel that is connected: its calls come further than to "there is none".
  const form = { base_url: gateway.url, instance_token: gateway.instanceToken };
  const channel = await api.call('PUT', `/agents/${agents[0]?.id}/channel`, { body: form });
  if (channel.status !== 200) throw new Error(JSON.stringify(channel.body));
  const connection = await connect(api, emulator.tokens.main);
  const listed = await api.call('GET', '/tools/docs/actions');
  const { data } = listed.body as { data: { action: string }[] };
  return {
    agents: agents.map(({ id }) => id),
    doomedAgents: doomed.map(({ id }) => id),
    talkers: talkers.flatMap(({ id, inbox_id }) => [id, inbox_id]),
    inboxes: agents.map(({ inbox_id }) => inbox_id),
    conversations: conversations.slice(0, 10),
    doomedConversations: conversations.slice(10),
    connections: [connection.id],
    actions: data.map(({ action }) => action),
  };
}

/** @returns a schemathesis.toml */
export function fuzzSettings(known: Known): string {
  const dictionaries = Object.entries(known).map(
    ([name, values]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`,
  );
  const operation = (method: string, path: string, parameters: Record<string, keyof Known>, more = '') => {
    const bound = Object.entries(parameters).map(
      ([key, dictionary]) => `"${key}" = { dictionary = "${dictionary}", probability = ${probability} }`,
    );
    return `[[operations]]\ninclude-name = "${method} ${path}"\nparameters = { ${bound.join(', ')} }\n${more}`;
  };
  // By the contract: the gateway or MCP server that a call names may not be there.
  const serverMayBeAway = 'checks.not_a_server_error.expected-statuses = ["2xx", "4xx", "502"]\n';
  const channel = '/agents/{id}/channel';
  return [
    ...dictionaries,
    operation('GET', '/agents/{id}', { 'path.id': 'agents' }),
    operation('PATCH', '/agents/{id}', { 'path.id': 'agents' }),
    operation('DELETE', '/agents/{id}', { 'path.id': 'doomedAgents' }),
    operation('PATCH', '/inboxes/{id}', { 'path.id': 'inboxes', 'body.agent_id': 'agents' }),
    operation('POST', '/chat/{id}', { 'path.id': 'talkers', 'body.conversation_id': 'conversations' }),
    ...['GET', 'PUT', 'PATCH'].map((method) =>
      operation(method, channel, { 'path.id': 'agents' }, serverMayBeAway),
    ),
    ...[
      'POST /verify',
      'POST /disconnect',
      'POST /hello',
      'GET /webhook',
      'POST /webhook',
      'GET /events',
    ].map((one) => {
      const [method = '', below = ''] = one.split(' ');
      return operation(method, `${channel}${below}`, { 'path.id': 'agents' }, serverMayBeAway);
    }),
    operation('GET', '/conversations/{conversationId}', { 'path.conversationId': 'conversations' }),
    operation('DELETE', '/conversations/{conversationId}', { 'path.conversationId': 'doomedConversations' }),
    operation('POST', '/conversations/{conversationId}/pause', { 'path.conversationId': 'conversations' }),
    operation('POST', '/conversations/{conversationId}/resume', { 'path.conversationId': 'conversations' }),
    ...['GET', 'POST'].map((method) =>
      operation(method, '/conversations/{conversationId}/messages', {
        'path.conversationId': 'conversations',
      }),
    ),
    operation('POST', '/tools/docs/actions/{action}', { 'path.action': 'actions' }),
    operation('GET', '/tools/docs/connections/{id}', { 'path.id': 'connections' }),
    operation('POST', '/tools/mcp/{id}/read', {}, serverMayBeAway),
    operation('PUT', '/tools/mcp/{id}/tools', {}, serverMayBeAway),
  ].join('\n');
}
