/** Fills an organization with two weeks of a plant shop: agents, conversations, tools, failures and people. */
import { createRole } from '../../../src/adapters/postgres/accounts/change-members.ts';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { ensureAdministrator } from '../../../src/adapters/accounts/administrator.ts';
import { inTransaction } from '../../../src/adapters/postgres/database.ts';
import { actionsIn } from '../../../src/console/components/workspace-presets.ts';
import { ApiClient } from '../../support/api-client.ts';
import { makePerson, signInAs, type Person } from '../../support/console-person.ts';
import { connect } from '../../support/docs-stack.ts';
import { startGatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import { addServer, readTools } from '../../support/mcp-sign-in.ts';
import { mcpOffer } from '../../../src/contract/mcp-servers/mcp-servers.ts';
import { startMcpToolServer } from '../../support/mcp-tool-server.ts';
import { startIdentityProvider } from '../../support/identity-provider.ts';
import { startModelServer, userText } from '../../support/model-server.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { startWorkspaceEmulator } from '../../support/workspace/emulator.ts';

export type Shop = {
  stack: Stack;
  administrator: Person;
  /** Names that the pages of the console show. */
  ids: Record<
    | 'agent'
    | 'onWhatsApp'
    | 'refunds'
    | 'order'
    | 'waiting'
    | 'answered'
    | 'delivery'
    | 'request'
    | 'rehearsal',
    string
  >;
  stop: () => Promise<void>;
};

const people = [
  'Ana Souza',
  'Bruno Lima',
  'Clara Dias',
  'Diego Alves',
  'Elisa Prado',
  'Fabio Nunes',
  'Gabriela Reis',
  'Hugo Castro',
  'Iris Moura',
  'Joana Freitas',
];
const talks: readonly (readonly [question: string, answer: string])[] = [
  [
    'How long does delivery take to Recife?',
    'Deliveries to Recife take **three to four days**. You get a tracking link by e-mail as soon as the parcel leaves us.',
  ],
  [
    'My monstera has yellow leaves. What can I do?',
    'Yellow leaves usually mean too much water:\n\n1. Let the soil dry for a week.\n2. Check that the pot drains.\n3. Move it to bright, indirect light.\n\nSend me a photo if new leaves turn yellow too.',
  ],
  [
    'Do you ship to Portugal?',
    'Not yet. We deliver within Brazil only, and we plan Portugal for next spring.',
  ],
  [
    'Can I change the address of order 4711?',
    'Yes, until the parcel leaves us. Please send me the new address with the postal code.',
  ],
  [
    'The pot arrived broken, can I get a refund?',
    'I am sorry about that. A photo of the broken pot is enough, and we refund it or send a new one.',
  ],
  [
    'Which plant survives in a dark office?',
    'A **ZZ plant** or a snake plant. Both live with little light and want water every two or three weeks.',
  ],
  ['Is the fiddle leaf fig back in stock?', 'Yes, since Monday, in two sizes: 60 cm and 120 cm.'],
  [
    'How do I cancel my subscription?',
    'Under *My account → Subscription*. It ends at the end of the month, and nothing more is charged.',
  ],
];
/** Questions that are asked once, with their answers. */
const asked: readonly (readonly [question: string, answer: string])[] = [
  ['Hello? Is somebody there?', 'Yes, I am here! What can I do for you?'],
  ['I want to talk to a person, please', 'Of course. Somebody from our team answers you here in a moment.'],
  [
    'How often should I repot my orchid?',
    'Every **two years**, after it has flowered. Use bark, not soil, and a pot that is only a little larger.',
  ],
];
/** Answers that the model gives when it is rehearsed, where they are others than before. */
const rehearsed: readonly (readonly [question: string, answer: string])[] = [
  [
    'Which plant survives in a dark office?',
    'A **ZZ plant** or a snake plant. Both live with little light and want water every two or three weeks. How large is the place for it?',
  ],
  [
    'Is the fiddle leaf fig back in stock?',
    'Yes, since Monday, in two sizes: 60 cm and 120 cm. Which one do you like?',
  ],
];

/** Refunds that a person has decided on, oldest first. */
const decidedRefunds = [
  {
    ...{ order: '4602', amount: 64, reason: 'The parcel never arrived', name: 'Paulo Reis' },
    ...{ message: 'Order 4602 never arrived. I want my money back.', decision: 'approve', hoursAgo: 27 },
    note: undefined,
  },
  {
    ...{ order: '4655', amount: 420, reason: 'The customer changed her mind', name: 'Lia Prado' },
    ...{ message: 'I do not like the ficus of order 4655 after all.', decision: 'refuse', hoursAgo: 7 },
    note: 'Living plants are only taken back within 7 days.',
  },
  {
    ...{ order: '4690', amount: 89.9, reason: 'Charged twice', name: 'Bruno Lima' },
    ...{ message: 'You charged order 4690 twice.', decision: 'approve', hoursAgo: 3 },
    note: undefined,
  },
] as const;

const instructions = `You answer the customers of a plant shop in Brazil.

- Be brief and friendly. Use the customer's language.
- Say how long a delivery takes before anybody asks twice.
- Never promise a date. Never give medical advice.
- Pass questions on refunds above R$ 200 to a person.`;

export async function openShop(): Promise<Shop> {
  const [model, gateway, workspace, mcp, shop] = await Promise.all([
    startModelServer(),
    startGatewayEmulator(),
    startWorkspaceEmulator(),
    startMcpToolServer(),
    startReceiver(),
  ]);
  let isRehearsed = false;
  model.answerWhere((body) => {
    const text = userText(body);
    const until = isRehearsed
      ? new Promise((resolve) => setTimeout(resolve, 900 + text.length * 9))
      : undefined;
    const known = [...(isRehearsed ? rehearsed : []), ...asked, ...talks].find(
      ([question]) => question === text,
    );
    return (
      known && {
        kind: 'stream',
        ...(until && { until }),
        text: known[1],
        usage: { prompt_tokens: 640, completion_tokens: 85 },
      }
    );
  });
  const google = await startIdentityProvider('google');
  const mails = await startMailServer({ name: 'parley', password: 'secret' });
  const stack = await startStack({
    env: {
      MODEL_BASE_URL: model.baseUrl,
      MODEL_API_KEY: 'key-of-the-model',
      MODEL_NAME: 'gpt-5-mini',
      MODEL_PRICES: JSON.stringify({ 'custom/gpt-5-mini': { input: 0.3, output: 1.2 } }),
      MODEL_TIMEOUT_SECONDS: '5',
      OIDC_PROVIDERS: JSON.stringify([
        google.setting({ label: 'Google', email_domains: ['greencorner.example'] }),
      ]),
      SMTP_URL: mails.url,
      SMTP_FROM: 'parley@mail.example',
      CALLBACK_ALLOW: '127.0.0.1',
      TOOL_ALLOW: '127.0.0.1',
      GATEWAY_ALLOW: '127.0.0.1/32',
      GATEWAY_PACE: 'none',
      GATEWAY_SENDS_PER_MINUTE: 'off',
      GATEWAY_WATCH_SECONDS: '300',
      DOCS_API_URL: workspace.url,
      ORGANIZATION_RATE_LIMIT: 'off',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
  });
  google.register(new URL(stack.apiUrl).origin);
  const { api, db, organizationId, receiver } = stack;
  const answerOf = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await api.call(method, path, { body });
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, unknown>;
  };
  await db.knex('organizations').where({ id: organizationId }).update({ name: 'Green Corner' });
  await db
    .knex('api_tokens')
    .where({ id: stack.tokenId })
    .update({ name: 'Help desk', created_by_name: 'marina@greencorner.example' });
  const administrator = { email: 'marina@greencorner.example', password: 'a-long-passphrase-of-marina' };
  await inTransaction(db, (tx) => ensureAdministrator(tx, organizationId, administrator));
  await db.knex('console_users').where({ email: administrator.email }).update({ name: 'Marina Costa' });
  const agents = {
    iPhone:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const signedIn = await signInAs(stack, administrator, { 'user-agent': agents.windows });
  await signInAs(stack, administrator, { 'user-agent': agents.iPhone });
  await db.pool.query(
    `update console_sessions set created_at = created_at - interval '1 day', updated_at = updated_at - interval '5 hours'
       where system = 'iPhone'`,
  );
  const asMember = async (method: string, path: string, body?: unknown) => {
    const answer = await signedIn.call(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, unknown>;
  };

  // Tools.
  receiver.behave('/orders?order=4711', {
    headers: { 'content-type': 'application/json' },
    body: '{"order":"4711","state":"on its way","carrier":"Correios","arrives_in_days":2}',
  });
  const parameters = {
    type: 'object',
    properties: { order: { type: 'string', description: 'Number of the order' } },
    required: ['order'],
  };
  await answerOf('POST', '/tools/http', {
    ...{
      name: 'find_order',
      description: 'Finds an order of the shop by its number.',
      method: 'GET',
      effect: 'read',
      parameters,
    },
    url: `${receiver.url('/orders')}?order={order}`,
  });
  await answerOf('POST', '/tools/http', {
    ...{
      name: 'refund_order',
      description: 'Refunds an order or a part of it.',
      method: 'POST',
      effect: 'write',
    },
    url: receiver.url('/refunds'),
    parameters: {
      type: 'object',
      properties: {
        order: { type: 'string' },
        amount: { type: 'number', title: 'Amount in R$', multipleOf: 0.01 },
        reason: { type: 'string' },
      },
    },
  });
  const stock = await answerOf('POST', '/tools/http', {
    ...{
      name: 'check_stock',
      description: 'Reads how many of a plant are in stock.',
      method: 'GET',
      effect: 'read',
    },
    url: 'https://api.greencorner.example/stock',
  });
  await answerOf('POST', `/tools/http/${String(stock['id'])}/run`, { input: {} });
  const notion = await connect(api, workspace.tokens.main);
  await answerOf('POST', '/tools/docs/actions/DOCS_LIST_USERS', { input: {} });
  const server = await addServer(api, mcp.url, { name: 'logistics', auth: 'none' });
  const { tools: offered } = mcpOffer.parse((await readTools(api, server)).body);
  const chosen = await answerOf('PUT', `/tools/mcp/${server.id}/tools`, {
    tools: offered.map(({ remote_name, definition }) => ({
      remote_name,
      digest: definition?.digest,
      effect: remote_name === 'refund' ? 'write' : 'read',
    })),
  });
  const ofLogistics = (chosen['tools'] as { name: string }[]).map(({ name }) => name);
  await db.knex('mcp_servers').insert({
    ...{
      id: crypto.randomUUID(),
      organization_id: organizationId,
      name: 'warehouse',
      url: 'https://mcp.warehouse.example/mcp',
    },
    ...{ auth: 'oauth', status: 'needs_sign_in', timeout_seconds: 30, answer_max_chars: 8000 },
  });

  // Agents.
  const refunds = await api.createAgent({
    ...{ name: 'Refunds', description: 'Refunds and complaints', instructions, model: 'scripted/default' },
    tools: ['refund_order', 'find_order'],
    tool_policies: [
      {
        tool: 'refund_order',
        policy: 'ask',
        unless: 'amount <= 50',
        expires_after_seconds: 86400,
        on_expiry: 'refuse',
      },
    ],
    script: [
      { on: 'tool_result', when: 'this is a test', reply: 'Done: your refund is on its way.' },
      { on: 'tool_result', when: 'Not executed', reply: 'I am sorry, we cannot refund this order.' },
      { on: 'tool_result', when: '(.*)', reply: 'Done: your refund is on its way.' },
      ...decidedRefunds.map(({ order, amount, reason }) => ({
        when: order,
        tool: { action: 'refund_order', input: { order, amount, reason } },
        reply: 'Let me check that.',
      })),
      {
        tool: {
          action: 'refund_order',
          input: { order: '4711', amount: 189.9, reason: 'The pot arrived broken' },
        },
        reply: 'Let me check that.',
      },
    ],
  });
  const agent = await api.createAgent({
    ...{ name: 'Plant doctor', description: 'Answers questions on plants and orders', instructions },
    tools: ['find_order', 'check_stock', ...ofLogistics, ...actionsIn('search')],
    connections: [notion.id],
    transfers_to: [refunds.id],
    follow_ups: [{ after_seconds: 3600, instructions: 'Ask whether the advice helped.' }],
  });
  const onWhatsApp = await api.createAgent({
    ...{
      name: 'WhatsApp desk',
      description: 'First answers on WhatsApp',
      instructions,
      transfers_to: [agent.id],
    },
  });
  await api.createAgent({
    name: 'Newsletter',
    description: 'Not in use at present',
    instructions,
    active: false,
  });
  const gone = await api.createAgent({
    name: 'Black Friday',
    description: 'The campaign of November',
    instructions,
  });
  await answerOf('DELETE', `/agents/${gone.id}`);

  // Versions.
  await api.changeAgent(agent.id, { instructions: `${instructions}\n- Offer a photo check.` });
  await api.changeAgent(agent.id, { description: 'Answers questions on plants, orders and deliveries' });

  // Conversations over two weeks, oldest first.
  const age = async (conversationId: string, minutes: number) => {
    const by = `interval '${minutes} minutes'`;
    // Model calls of the emulator are much faster than real ones.
    const longer = `interval '${1100 + ((minutes * 370) % 2300)} milliseconds'`;
    const set = (...columns: string[]) => columns.map((column) => `${column} = ${column} - ${by}`).join(', ');
    const runs = 'run_id in (select id from runs where conversation_id = $1)';
    for (const sql of [
      `update conversations set ${set('created_at', 'updated_at', 'waiting_since')} where id = $1`,
      `update messages set ${set('created_at', 'written_at')} where conversation_id = $1`,
      `update deliveries set ${set('created_at', 'attempted_at', 'finished_at')} where conversation_id = $1`,
      `update run_steps set ${set('created_at')} where ${runs}`,
      `update run_steps set model_ms = model_ms + 1000 + ${minutes} % 700 where ${runs}`,
      `update deliveries set created_at = created_at + ${longer}, attempted_at = attempted_at + ${longer},
         finished_at = finished_at + ${longer} where conversation_id = $1`,
      `update runs set ${set('opened_at', 'closes_at', 'cap_at', 'claimed_at', 'finished_at')} where conversation_id = $1`,
      `update runs set finished_at = finished_at + ${longer} where conversation_id = $1`,
      `update messages set created_at = created_at + ${longer} where conversation_id = $1 and origin = 'agent'`,
    ])
      await db.pool.query(sql, [conversationId]);
  };
  const day = 1440;
  receiver.behave('/broken', { status: 500, body: '{"error":"database is read-only"}' });
  let answered = '';
  for (let at = 24; at >= 0; at -= 1) {
    const count = 2 + ((at * 7) % 4);
    for (let n = 0; n < count; n += 1) {
      const talk = talks[(at * 3 + n) % talks.length]!;
      const name = people[(at + n * 3) % people.length]!;
      const { conversation_id } = await api.send(n === 1 ? onWhatsApp.id : agent.id, {
        message: talk[0],
        contact: { id: `${name}-${at}-${n}`, name },
        webhook_url: receiver.url(n === 2 && at % 3 === 0 ? '/broken' : n === 1 ? '/desk' : '/parley'),
      });
      await api.settled(conversation_id);
      await until('the callback', async () =>
        (await api.deliveries({ conversation_id })).every(({ attempted_at }) => attempted_at !== undefined),
      );
      if (n === 0 && at % 4 === 1) {
        await asMember('POST', `/conversations/${conversation_id}/messages`, {
          text: 'I have had a look myself: everything is in order now. Is there anything else?',
        });
        await asMember('POST', `/conversations/${conversation_id}/resume`);
      }
      await age(conversation_id, at * day + (count - n) * 97 - 85);
      answered = conversation_id;
    }
  }

  // One with a tool, a failed call and a transfer.
  model.answerWhere((body) => {
    if (userText(body) !== 'Where is my order 4711?') return undefined;
    const last = body.messages.at(-1);
    if (last?.role === 'tool')
      return {
        kind: 'stream',
        text: 'Your order 4711 is **on its way** with Correios and arrives in two days.',
      };
    return {
      kind: 'stream',
      text: 'One moment, I look it up.',
      call: { name: 'find_order', input: { order: '4711' } },
    };
  });
  const contact = { id: 'customer-2001', name: 'Ana Souza' };
  const { conversation_id: order } = await api.send(agent.id, {
    ...{ message: 'Which plant survives in a dark office?', contact, webhook_url: receiver.url('/parley') },
  });
  await api.settled(order);
  await api.send(agent.id, {
    message: 'Where is my order 4711?',
    contact,
    webhook_url: receiver.url('/parley'),
  });
  await api.settled(order, 2);
  const { conversation_id: earlier } = await api.send(onWhatsApp.id, {
    ...{ message: talks[3]![0], contact, webhook_url: receiver.url('/parley') },
  });
  await api.settled(earlier);
  await age(earlier, 4 * day);
  const { conversation_id: workspaceTalk } = await api.send(agent.id, {
    message: asked[2]![0],
    contact: { id: 'customer-2003', name: 'Elisa Prado' },
  });
  await api.settled(workspaceTalk);

  // A run that fails.
  model.answer('Can you read this contract for me?', {
    kind: 'status',
    status: 400,
    body: '{"error":{"message":"The request exceeds the context window of the model"}}',
  });
  const { conversation_id: failing } = await api.send(agent.id, {
    message: 'Can you read this contract for me?',
    contact: { id: 'customer-2002', name: 'Bruno Lima' },
    webhook_url: receiver.url('/parley'),
  });
  await until('the run to fail', async () =>
    (await api.messages(failing)).some((one) => one.role === 'user' && one.status === 'failed'),
  );
  // A callback to a private address.
  const { conversation_id: blocked } = await api.send(agent.id, {
    message: talks[2]![0],
    contact: { id: 'customer-2009', name: 'Hugo Castro' },
    webhook_url: 'http://intranet.local/parley',
  });
  await api.settled(blocked);
  // Approvals: decided ones, and one that waits.
  const waitingApproval = async (conversation_id: string): Promise<string> =>
    await until(
      'the approval',
      async () =>
        (
          await db
            .knex('approvals')
            .where({ conversation_id, status: 'waiting' })
            .first<{ id: string } | undefined>('id')
        )?.id,
    );
  for (const { order, name, message, decision, note, hoursAgo } of decidedRefunds) {
    const { conversation_id } = await api.send(refunds.id, {
      message,
      contact: { id: `customer-${order}`, name },
      webhook_url: receiver.url('/parley'),
    });
    const id = await waitingApproval(conversation_id);
    await asMember('POST', `/approvals/${id}`, { decision, ...(note !== undefined && { note }) });
    await api.settled(conversation_id);
    await age(conversation_id, hoursAgo * 60);
    const before = new Date(Date.now() - hoursAgo * 3_600_000);
    await db
      .knex('approvals')
      .where({ id })
      .update({ requested_at: before, decided_at: new Date(before.getTime() + 6 * 60_000) });
  }
  const { conversation_id: waiting } = await api.send(refunds.id, {
    message: 'The pot arrived broken, can I get a refund?',
    contact: { id: 'customer-2004', name: 'Clara Dias' },
    webhook_url: receiver.url('/parley'),
  });
  const waitingId = await waitingApproval(waiting);
  await db
    .knex('approvals')
    .where({ id: waitingId })
    .update({ requested_at: new Date(Date.now() - 4 * 60_000) });

  // WhatsApp.
  await answerOf('PUT', `/agents/${onWhatsApp.id}/channel`, {
    base_url: gateway.url,
    instance_token: gateway.instanceToken,
  });
  await answerOf('POST', `/agents/${onWhatsApp.id}/channel/webhook`);
  await answerOf('POST', `/agents/${onWhatsApp.id}/channel/verify`);
  for (const [n, [name, text]] of (
    [
      ['Luana', talks[0]![0]],
      ['Rodrigo', talks[5]![0]],
      ['Otavio', asked[0]![0]],
      ['Beatriz', asked[1]![0]],
    ] as const
  ).entries())
    await gateway.deliverInbound({ from: `55119988877${n}0`, name, text });
  await until('answers on WhatsApp', () => gateway.sent.length >= 4);
  const named = async (name: string): Promise<string> => {
    const { data } = await answerOf('GET', '/conversations?limit=20');
    const found = (data as { id: string; contact: { name: string } | null }[]).find(
      (one) => one.contact?.name === name,
    );
    return found!.id;
  };
  const [luana, rodrigo, otavio, beatriz] = await Promise.all(
    ['Luana', 'Rodrigo', 'Otavio', 'Beatriz'].map(named),
  );
  for (const [conversation, from, name, text] of [
    [beatriz!, '5511998887730', 'Beatriz', 'I was charged twice for order 4688'],
    [otavio!, '5511998887720', 'Otavio', 'Can I talk to a person?'],
  ] as const) {
    await answerOf('POST', `/conversations/${conversation}/pause`, { minutes: 60 });
    await gateway.deliverInbound({ from, name, text });
    await until('the second message', async () => (await api.messages(conversation)).length >= 3);
  }
  for (const [conversation, minutes] of [
    ...([
      [beatriz!, 3] as const,
      [waiting, 4] as const,
      [otavio!, 12] as const,
      [blocked, 16] as const,
      [failing, 22] as const,
    ] as const),
    ...([
      [rodrigo!, 31] as const,
      [order, 38] as const,
      [luana!, 47] as const,
      [workspaceTalk, 55] as const,
    ] as const),
  ])
    await age(conversation, minutes);

  // People, roles, tokens.
  const { user_id } = await db
    .knex('console_members')
    .where({ organization_id: organizationId })
    .first<{ user_id: string }>('user_id');
  for (const conversation of [beatriz!, otavio!, order])
    await asMember('PUT', `/conversations/${conversation}/assignee`, { user_id });
  await db.pool.query(
    `update conversations set done_at = updated_at + interval '1 hour', done_by_name = 'Marina Costa'
       where organization_id = $1 and updated_at < now() - interval '12 hours' and not is_test`,
    [organizationId],
  );
  const role = await createRole(db, organizationId, {
    name: 'Support',
    capabilities: ['conversations.view', 'conversations.take_over'],
  });
  await createRole(db, organizationId, {
    name: 'Developer',
    capabilities: ['conversations.view', 'agents.manage', 'tools.manage', 'tokens.view', 'deliveries.view'],
  });
  await createRole(db, organizationId, {
    name: 'Refund desk',
    capabilities: ['conversations.view', 'approvals.decide'],
  });
  for (const [index, name] of ['Rafael Pinto', 'Sofia Barros', 'Tiago Melo'].entries()) {
    const { email } = await makePerson({ db, organizationId });
    const [user] = await db
      .knex('console_users')
      .where({ email })
      .update({ name, email: `${name.split(' ')[0]!.toLowerCase()}@greencorner.example` })
      .returning<{ id: string }[]>('id');
    if (index > 0) await db.knex('console_members').where({ user_id: user!.id }).update({ role });
  }
  await db.knex.raw(
    `update console_members m set created_at = now() - interval '3 months' + n * interval '17 days'
       from (select id, row_number() over (order by created_at, id) as n from console_members) numbered where numbered.id = m.id`,
  );
  await asMember('POST', '/invitations', { email: 'ursula@greencorner.example', role_id: 'admin' }).catch(
    (error: unknown) => process.stdout.write(`${String(error)}\n`),
  );
  const by = { userId: user_id, name: 'marina@greencorner.example' };
  const second = await createToken(db, { organizationId, name: 'Web shop', by });
  await new ApiClient(stack.apiUrl, second.token).call('GET', '/agents');
  await new ApiClient(stack.apiUrl, second.token).call('GET', '/agents/00000000-0000-4000-8000-000000000000');
  const refused = await new ApiClient(stack.apiUrl, second.token).call('POST', `/chat/${agent.id}`, {
    body: { mesage: 'a typo' },
  });
  const old = await createToken(db, { organizationId, name: 'Old integration', by });
  await db
    .knex('api_tokens')
    .where({ id: old.id })
    .update({ revoked_at: new Date(Date.now() - 5 * 86_400_000) });
  for (const path of ['/parley', '/desk'])
    await answerOf('POST', '/webhook-endpoints', { url: receiver.url(path) });
  // Receivers on this machine answer much faster than real ones.
  await db.pool.query(
    "update deliveries set duration_ms = 90 + (extract(epoch from created_at)::bigint % 240)::int where status <> 'blocked'",
  );
  const alerted = await answerOf('GET', '/webhook-endpoints');
  const [first] = alerted['data'] as { id: string }[];
  await answerOf('PATCH', `/webhook-endpoints/${first!.id}`, { waiting_alerts: true });
  await db.knex('model_providers').insert({
    ...{ id: crypto.randomUUID(), organization_id: organizationId, name: 'openrouter', kind: 'compatible' },
    ...{ base_url: 'https://openrouter.example/api/v1', api_key: 'sealed', tested_model: 'gpt-5' },
    models: ['gpt-5', 'claude-sonnet-5'],
    tested_at: new Date(Date.now() - 2 * 3_600_000),
  });
  await db.knex('model_providers').insert({
    ...{ id: crypto.randomUUID(), organization_id: organizationId, name: 'anthropic', kind: 'anthropic' },
    ...{ api_key: 'sealed', models: ['claude-sonnet-4-5'], tested_model: 'claude-sonnet-4-5' },
    tested_at: new Date(Date.now() - 26 * 3_600_000),
    test_error: 'The model provider refused the key (401). The provider says: invalid x-api-key',
  });
  await db.knex('api_tokens').update({ created_at: db.knex.raw("created_at - interval '47 days'") });
  await db.knex('tool_connections').update({
    workspace_name: 'Green Corner',
    integration_name: 'Green Corner assistant',
    created_at: db.knex.raw("created_at - interval '40 days'"),
  });
  // A candidate, the draft of the version after it, and the times of the versions and of the runs that they answered.
  const candidate = instructions.replace('- Be brief and friendly.', '- Be brief, friendly and patient.');
  await asMember('PUT', `/agents/${agent.id}/draft`, {
    instructions: `${candidate}\n- Offer a photo check.\n- Name the plant.`,
  });
  await asMember('POST', `/agents/${agent.id}/versions`, {
    note: 'Patient with people who are new to plants',
    percent: 10,
  });
  await asMember('PUT', `/agents/${agent.id}/draft`, {
    instructions: `${instructions}\n- Offer a photo check.\n- End with a question.`,
    follow_ups: [{ after_seconds: 7200, instructions: 'Ask whether the advice helped.' }],
  });
  for (const [version, days] of [
    [1, 41],
    [2, 6],
    [3, 1],
  ] as const)
    await db.pool.query(
      `update agent_versions set created_at = created_at - interval '${days} days' where agent_id = $1 and version = $2`,
      [agent.id, version],
    );
  await db.pool.query(
    `update runs set agent_version = case when finished_at < now() - interval '6 days' then 1
       when id in (select id from runs where agent_id = $1 and state = 'answered' order by finished_at desc limit 3)
       then 3 else 2 end where agent_id = $1`,
    [agent.id],
  );

  // Models.
  await db
    .knex('agents')
    .where({ name: 'Newsletter', organization_id: organizationId })
    .update({ model: 'openrouter/gpt-5' });
  await asMember('PUT', '/model-price', {
    ...{ model: 'openrouter/gpt-5', input: 1.25, output: 10, cached_input: 0.125 },
  });
  await asMember('PUT', '/model-price', {
    ...{ model: 'custom/gpt-5-mini', input: 0.25, output: 2, cached_input: 0.025 },
  });

  // The month before, whose conversations have been erased.
  for (let at = 31; at <= 60; at += 1)
    await db.knex('usage_kept').insert({
      ...{ organization_id: organizationId, token_id: stack.tokenId },
      ...{ day: new Date(Date.now() - at * 86_400_000), messages: 1 + (at % 3), runs: 1 + (at % 3) },
      credits: 0.35 + (at % 4) * 0.12,
    });
  isRehearsed = true;
  const rehearse = async (body: object) => {
    const { id } = await answerOf('POST', `/agents/${agent.id}/rehearsals`, body);
    await until('the rehearsal', async () => {
      const { status } = await answerOf('GET', `/agents/${agent.id}/rehearsals/${String(id)}`);
      return status === 'completed';
    });
    return String(id);
  };
  await answerOf('POST', `/agents/${agent.id}/test-turns`, { conversation_id: order });
  const rehearsal = await rehearse({ max_turns: 10, version: 3 });
  await db.pool.query(
    `update rehearsals set created_at = created_at - interval '3 days', finished_at = finished_at - interval '3 days'
       where id = $1`,
    [rehearsal],
  );
  await db.pool.query(
    `with turns as (update rehearsal_turns set asked_at = asked_at - interval '3 days' where rehearsal_id = $1 returning credits),
       earlier as (insert into usage_kept (organization_id, token_id, day, messages, runs, credits)
         select organization_id, token_id, day - 3, 0, 0, (select sum(credits) from turns) from usage_kept
           where organization_id = $2 and day = (now() at time zone 'utc')::date and credits > 0)
       update usage_kept set credits = credits - (select sum(credits) from turns)
         where organization_id = $2 and day = (now() at time zone 'utc')::date and credits > 0`,
    [rehearsal, organizationId],
  );
  await rehearse({ version: 'draft', max_turns: 8, rules: [{ kind: 'does_not_contain', text: 'Monday' }] });
  // A delivery's id begins with the time at which it was created, in milliseconds, and the list follows the ids.
  const ofTime = `(select (left(made, 8) || '-' || right(made, 4) || substr(d.id::text, 14))::uuid
     from lpad(to_hex((extract(epoch from d.created_at) * 1000)::bigint), 12, '0') as made)`;
  await db.pool.query(`begin;
    set local session_replication_role = replica;
    update gateway_sends s set delivery_id = ${ofTime} from deliveries d where d.id = s.delivery_id;
    update deliveries d set id = ${ofTime};
    commit`);
  const [delivery] = await api.deliveries({ status: 'failed' });
  await db.pool.query(
    `insert into storage_used (organization_id, bytes) values ($1, 1310720000)
       on conflict (organization_id) do update set bytes = excluded.bytes`,
    [organizationId],
  );
  await asMember('PUT', '/limit', {
    monthly_credit_limit: 500,
    credit_caps: { day: 50, contact_day: 5 },
  });
  // Reads that only waited for answers and rehearsals would fill the log of requests.
  await until(
    'the log of the last request',
    async () => await db.knex('api_requests').where({ route: '/v1/deliveries' }).first<object>('id'),
  );
  await db
    .knex('api_requests')
    .where({ method: 'GET' })
    .whereRaw("(route like '%rehearsals%' or route like '/v1/conversations%')")
    .delete();
  return {
    stack,
    administrator,
    ids: {
      ...{ agent: agent.id, onWhatsApp: onWhatsApp.id, refunds: refunds.id, order, waiting, answered },
      ...{ delivery: delivery?.id ?? '', rehearsal },
      request: refused.headers.get('parley-request-id') ?? '',
    },
    stop: async () => {
      await stack.stop();
      await Promise.all([
        model.close(),
        gateway.stop(),
        workspace.stop(),
        mcp.close(),
        mails.close(),
        google.stop(),
        shop.close(),
      ]);
    },
  };
}
