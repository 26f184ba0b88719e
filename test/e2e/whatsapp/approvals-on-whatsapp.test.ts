/** Tool calls that people approve by a reply on WhatsApp: who is asked, once, and whose reply decides. */
import assert from 'node:assert/strict';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { approval, type Approval } from '../../../src/contract/conversations/approvals.ts';
import { conversationWorkflowId, statusQuery } from '../../../src/contract/workflows.ts';
import { ApiClient } from '../../support/api-client.ts';
import { startChannelStand, type ChannelStand } from '../../support/channel-stand.ts';
import { channelTalk } from '../../support/channel-talk.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

describe('Approvals by a reply on WhatsApp', () => {
  let stand: ChannelStand;
  let shop: Receiver;
  before(async () => {
    shop = await startReceiver();
    stand = await startChannelStand(
      { TOOL_ALLOW: '127.0.0.1', GATEWAY_TIMEOUT_SECONDS: '20' },
      { apis: 1, workers: 1 },
    );
  });
  after(async () => {
    await stand.stop();
    await shop.close();
  });
  afterEach(() => {
    stand.emulator.faults.clear();
    stand.emulator.setSession('connected');
  });

  let made = 0;
  /** An agent with a WhatsApp channel that refunds 80 when it is asked to, and two people who approve that. */
  async function newShop({ approvers = 2, policy = {}, input = { amount: 80, order: 'A7' } } = {}) {
    made += 1;
    const talk = channelTalk(stand);
    const [tool, path] = [`refund_${made}`, `/refunds/${made}`];
    const created = await stand.call('POST', '/tools/http', {
      ...{ name: tool, description: 'Refunds an amount.', method: 'POST', url: shop.url(path) },
      parameters: { type: 'object', properties: { amount: { type: 'number' }, order: { type: 'string' } } },
      effect: 'write',
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    shop.behave(path, { headers: { 'content-type': 'application/json' }, body: '"refunded"' });
    const people = ['Ana', 'Bo'].slice(0, approvers).map((name) => ({ name, number: talk.newNumber() }));
    const script = [
      { on: 'tool_result', when: '(.*)', reply: 'read: $1' },
      { when: 'refund', tool: { action: tool, input } },
      { reply: 'Hello' },
    ];
    const { id } = await stand.connected(script, {
      ...{ tools: [tool], tool_policies: [{ tool, policy: 'ask', ...policy }] },
      approvers: people.map(({ name, number }) => ({ name, phone: `+${number}` })),
    });
    const customer = talk.newNumber();
    return {
      ...{ id, tool, people, customer, talk },
      say: async (from: string, text: string, more: object = {}) =>
        await stand.emulator.deliverInbound({ from, text, ...more }),
      refunds: () => shop.requestsTo(path).map(({ body }) => JSON.parse(body) as unknown),
      conversationsOf: async () =>
        (await stand.call<{ data: unknown[] }>('GET', `/conversations?agent_id=${id}`)).body.data.length,
      approval: async () => {
        const { body } = await stand.call<{ data: unknown[] }>('GET', `/approvals?agent_id=${id}`);
        return approval.strict().parse(body.data[0]);
      },
    };
  }
  type Shop = Awaited<ReturnType<typeof newShop>>;

  const sentTo = async (number: string, count = 1): Promise<string[]> =>
    await until(`${count} messages to ${number}`, () => {
      const { sent } = stand.emulator;
      const texts = sent.filter((one) => one.number === number).map(({ shown }) => shown);
      return texts.length >= count && texts;
    });
  const codeIn = (text: string | undefined) => /NO ([2-9A-Z]{6})/.exec(text ?? '')?.[1] ?? assert.fail(text);
  /** The customer asks for a refund, and each approver is asked for a decision. @returns the code */
  async function asked({ say, customer, people }: Shop): Promise<string> {
    await say(customer, 'refund please');
    const texts = await Promise.all(people.map(({ number }) => sentTo(number)));
    return codeIn(texts[0]?.[0]);
  }
  /** The gateway may show a message before Parley has recorded that it was sent, with its id. */
  const recordedAsSent = async ({ approval: read }: Shop) =>
    await until('the messages to be recorded as sent', async () => {
      const { asked: messages } = await read();
      return messages?.every(({ status }) => status === 'sent') && messages;
    });
  const ended = async ({ approval: read }: Shop): Promise<Approval> =>
    await until('the approval to end', async () => {
      const one = await read();
      return one.status !== 'waiting' && one.status !== 'approved' && one;
    });
  const person = ({ people }: Shop, index = 0) => people[index] ?? assert.fail();

  it('asks each approver once, and YES executes the call once with the arguments that were shown', async () => {
    const one = await newShop();
    const code = await asked(one);
    const [ana, bo] = [person(one), person(one, 1)];
    const [text] = await sentTo(ana.number);
    assert.ok(text?.includes(`wants to call its tool \`${one.tool}\` with these arguments`), text);
    assert.deepEqual(JSON.parse(/```(.*)```/s.exec(text ?? '')?.[1] ?? ''), { amount: 80, order: 'A7' });
    assert.deepEqual(await sentTo(bo.number), [text]);
    assert.deepEqual(await recordedAsSent(one), [
      { name: 'Ana', phone: `+${ana.number}`, status: 'sent' },
      { name: 'Bo', phone: `+${bo.number}`, status: 'sent' },
    ]);
    assert.deepEqual(one.refunds(), []);
    // The gateway may deliver the reply several times.
    const { answers } = await stand.emulator.deliverInbound(
      { from: ana.number, text: `yes ${code.toLowerCase()}` },
      { copies: 5, inFlight: 5 },
    );
    assert.equal(answers.filter((answer) => answer.text === 'OK').length, 1);
    assert.deepEqual(await sentTo(one.customer), ['read: "refunded"']);
    assert.deepEqual(one.refunds(), [{ amount: 80, order: 'A7' }]);
    assert.equal((await sentTo(ana.number, 2))[1], `Approved: ${one.tool} is called once.`);
    const done = await ended(one);
    assert.equal(done.status, 'executed');
    assert.deepEqual(done.decided_by, { kind: 'person', name: 'Ana', phone: `+${ana.number}` });
    assert.equal(await one.conversationsOf(), 1, 'the reply begins no conversation');
    const { rows } = await stand.stack.db.pool.query<{ actor: string; action: string }>(
      `select actor, action from audit_log where target like '%' || $1`,
      [done.id],
    );
    assert.deepEqual(rows, [{ actor: `Ana (+${ana.number}) on WhatsApp`, action: 'approval_given' }]);
    // Who decides afterwards gets a reply that names who did.
    await one.say(bo.number, `NO ${code}`);
    assert.match(
      (await sentTo(bo.number, 2))[1] ?? '',
      /^Ana approved this tool call at .*can no longer be decided/,
    );
    assert.equal(one.refunds().length, 1);
    assert.equal((await sentTo(ana.number)).length, 2);
  });

  it('NO with a note refuses the call, and the model reads the note', async () => {
    const one = await newShop();
    const code = await asked(one);
    await one.say(person(one, 1).number, `No ${code} no receipt`);
    assert.deepEqual(await sentTo(one.customer), ['read: Not executed: refused by a person: no receipt']);
    const { status, note, decided_by } = await ended(one);
    assert.deepEqual([status, note, decided_by?.name], ['refused', 'no receipt', 'Bo']);
    assert.deepEqual(one.refunds(), []);
  });

  it('a reply that quotes the message needs no code', async () => {
    const one = await newShop({ approvers: 1 });
    await asked(one);
    await recordedAsSent(one);
    const { number } = person(one);
    const { messageId = '' } = stand.emulator.sent.find((sent) => sent.number === number) ?? {};
    await one.say(number, 'yes', { quoted: messageId });
    assert.deepEqual(await sentTo(one.customer), ['read: "refunded"']);
    assert.equal((await ended(one)).decided_by?.name, 'Ana');
  });

  it('a stranger decides nothing: the message is an ordinary one, even with the right code', async () => {
    const one = await newShop();
    const code = await asked(one);
    const stranger = one.talk.newNumber();
    await one.say(stranger, `YES ${code}`);
    assert.deepEqual(await sentTo(stranger), ['Hello']);
    assert.equal((await one.approval()).status, 'waiting');
    assert.equal(await one.conversationsOf(), 2);
    assert.deepEqual(one.refunds(), []);
    await one.say(person(one).number, `NO ${code}`);
    await ended(one);
  });

  it('a wrong code and a condition after YES decide nothing and are answered; other messages are ordinary', async () => {
    const one = await newShop({ approvers: 1 });
    const code = await asked(one);
    const { number } = person(one);
    await one.say(number, 'YES 222222');
    assert.equal((await sentTo(number, 2))[1], 'No request that you can decide has the code 222222.');
    await one.say(number, `YES ${code} but only 50`);
    assert.match((await sentTo(number, 3))[2] ?? '', /^Nothing is approved, because text follows YES/);
    assert.equal(await one.conversationsOf(), 1);
    await one.say(number, 'yes, I would like to order');
    assert.equal((await sentTo(number, 4))[3], 'Hello');
    assert.equal((await one.approval()).status, 'waiting');
    assert.deepEqual(one.refunds(), []);
    await one.say(number, `NO ${code}`);
    await ended(one);
  });

  it('a code decides at the channel that asked only, not in another organization', async () => {
    const one = await newShop({ approvers: 1 });
    const code = await asked(one);
    const { number } = person(one);
    const { api } = await stand.stack.stranger();
    const other = await api.createAgent({ script: [{ reply: 'Hello from elsewhere' }] });
    const form = { base_url: stand.emulator.url, instance_token: stand.emulator.instanceToken };
    assert.equal((await api.call('PUT', `/agents/${other.id}/channel`, { body: form })).status, 200);
    await api.call('POST', `/agents/${other.id}/channel/webhook`);
    await api.call('POST', `/agents/${other.id}/channel/verify`);
    await one.say(number, `YES ${code}`);
    assert.equal((await sentTo(number, 2))[1], 'Hello from elsewhere');
    assert.equal((await one.approval()).status, 'waiting');
    assert.deepEqual(one.refunds(), []);
  });

  it('two approvers at once: one decides, and the other gets a reply that names who', async () => {
    const one = await newShop();
    const code = await asked(one);
    const [ana, bo] = [person(one), person(one, 1)];
    await Promise.all([one.say(ana.number, `YES ${code}`), one.say(bo.number, `NO ${code}`)]);
    const { status, decided_by } = await ended(one);
    const [won, lost] = decided_by?.name === 'Ana' ? [ana, bo] : [bo, ana];
    assert.equal(status, won === ana ? 'executed' : 'refused');
    assert.match(
      (await sentTo(lost.number, 2))[1] ?? '',
      new RegExp(`^${won.name} (approved|refused) this tool call`),
    );
    assert.match((await sentTo(won.number, 2))[1] ?? '', /^(Approved|Refused): /);
    await sentTo(one.customer);
    assert.equal(one.refunds().length, won === ana ? 1 : 0);
  });

  it('a reply after a decision in the console is answered with who decided', async () => {
    const one = await newShop({ approvers: 1 });
    const code = await asked(one);
    const { id } = await one.approval();
    assert.equal((await stand.call('POST', `/approvals/${id}`, { decision: 'refuse' })).status, 200);
    const { number } = person(one);
    await one.say(number, `YES ${code}`);
    assert.match((await sentTo(number, 2))[1] ?? '', /^API token .* refused this tool call at/);
    assert.deepEqual(one.refunds(), []);
  });

  it('arguments too long for a message can be refused by a reply, and approved in the console only', async () => {
    const one = await newShop({ approvers: 1, input: { amount: 80, order: 'x'.repeat(3500) } });
    const code = await asked(one);
    const { number } = person(one);
    await one.say(number, `YES ${code}`);
    assert.match(
      (await sentTo(number, 2))[1] ?? '',
      /^Nothing is approved, because the arguments were too long/,
    );
    assert.equal((await one.approval()).status, 'waiting');
    await one.say(number, `NO ${code}`);
    assert.equal((await ended(one)).status, 'refused');
    assert.deepEqual(one.refunds(), []);
  });

  it('a worker killed after the message has left sends no second one, and the reply still decides', async () => {
    const one = await newShop({ approvers: 1 });
    const { number } = person(one);
    // The message arrives, and its answer does not: the worker dies while it waits for the answer.
    stand.emulator.faults.always('/send/text', 'landed_hang');
    const code = await asked(one);
    await stand.stack.worker.kill();
    stand.emulator.faults.clear();
    const { rows } = await stand.stack.db.pool.query<{ status: string; tries: number }>(
      `select m.status, m.tries from approval_messages m where m.phone = $1`,
      [`+${number}`],
    );
    assert.deepEqual(rows, [{ status: 'attempting', tries: 1 }]);
    await stand.stack.worker.start();
    // The next worker has checked the call, and would have sent the message again, when the workflow waits.
    const { conversation_id } = await one.approval();
    const handle = stand.stack.temporal.client.workflow.getHandle(conversationWorkflowId(conversation_id));
    await until('the workflow to wait for the decision', async () =>
      (await handle.query(statusQuery)).doing.startsWith('waiting for a person to approve'),
    );
    await one.say(number, `YES ${code}`);
    assert.deepEqual(await sentTo(one.customer), ['read: "refunded"']);
    assert.deepEqual(one.refunds(), [{ amount: 80, order: 'A7' }]);
    const texts = await sentTo(number, 2);
    assert.equal(texts.filter((text) => text.includes('wants to call')).length, 1);
  });

  it('a message that cannot be sent neither delays nor fails the run, and the approval shows why', async () => {
    const one = await newShop({ approvers: 1 });
    stand.emulator.faults.next('/send/text', 'missing_field');
    await one.say(one.customer, 'refund');
    const failed = await until('the message to fail', async () => {
      const waiting = await one.approval().catch(() => undefined);
      return waiting?.asked?.[0]?.status === 'failed' && waiting;
    });
    assert.match(failed.asked?.[0]?.error ?? '', /the gateway refused it \(400\)/);
    assert.equal((await stand.call('POST', `/approvals/${failed.id}`, { decision: 'approve' })).status, 200);
    assert.deepEqual(await sentTo(one.customer), ['read: "refunded"']);
  });

  it('a call in an API conversation asks through the channel of the agent; without any channel nobody is asked', async () => {
    const one = await newShop({ approvers: 1 });
    const api = new ApiClient(stand.stack.apiUrl, stand.stack.token);
    const { conversation_id } = await api.send(one.id, { message: 'refund' });
    const { number } = person(one);
    await one.say(number, `YES ${codeIn((await sentTo(number))[0])}`);
    assert.deepEqual(
      (await api.settled(conversation_id)).map(({ text }) => text),
      ['refund', 'read: "refunded"'],
    );

    const { api: lonely } = await stand.stack.stranger();
    const tool = {
      name: 'refund',
      description: 'x',
      method: 'POST',
      url: shop.url('/lonely'),
      effect: 'write',
    };
    const body = { ...tool, parameters: { type: 'object', properties: {} } };
    assert.equal((await lonely.call('POST', '/tools/http', { body })).status, 201);
    const agent = await lonely.createAgent({
      ...{ tools: ['refund'], tool_policies: [{ tool: 'refund', policy: 'ask' }] },
      approvers: [{ name: 'Ana', phone: '+5511999999999' }],
      script: [{ tool: { action: 'refund', input: {} } }],
    });
    await lonely.send(agent.id, { message: 'refund' });
    await until('the approval to say that nobody could be asked', async () => {
      const { body: page } = await lonely.call('GET', '/approvals?status=waiting');
      const [waiting] = (page as { data: Approval[] }).data;
      return waiting?.asked?.[0]?.error === 'no WhatsApp channel of the organization is connected';
    });
  });

  it('approvers are versioned, need tools.manage, and have valid numbers', async () => {
    const { api, organizationId } = await stand.stack.stranger();
    const approvers = [{ name: 'Ana', phone: '+5511999999999' }];
    const agent = await api.createAgent({ approvers });
    assert.deepEqual(agent.approvers, approvers);
    for (const phone of ['5511999999999', '+0511999999999', '+551', '+55 11 99999-9999', '+5511999999999999'])
      await api.refused(422, 'PATCH', `/agents/${agent.id}`, {
        body: { approvers: [{ name: 'Ana', phone }] },
      });
    const six = Array.from({ length: 6 }, (_, n) => ({ name: 'x', phone: `+551199999999${n}` }));
    for (const many of [six, [...approvers, { name: 'Bo', phone: '+5511999999999' }]])
      await api.refused(422, 'PATCH', `/agents/${agent.id}`, { body: { approvers: many } });
    await api.changeAgent(agent.id, { approvers: [] });
    const { body } = await api.call('GET', `/agents/${agent.id}/versions/2`);
    assert.deepEqual((body as { changes: unknown }).changes, [
      { field: 'approvers', before: approvers, after: [] },
    ]);
    const { token } = await createToken(stand.stack.db, {
      ...{ organizationId, name: 'editor', scopes: ['agents.manage'] },
    });
    const editor = new ApiClient(stand.stack.apiUrl, token);
    await editor.refused(403, 'PATCH', `/agents/${agent.id}`, { body: { approvers } });
  });
});
