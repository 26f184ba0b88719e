/** DELETE leaves nothing behind. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import pg from 'pg';
import { listAudit } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { requestErasure } from '../../../src/adapters/postgres/data/erasures.ts';
import { backing } from '../../support/backing.ts';
import { connect, startDocsStack, type DocsStack } from '../../support/docs-stack.ts';
import { startGatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import type { GatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import { commandPrints } from '../../support/run-command.ts';
import { filesWith, samplesWith, tablesWith, workflowsWith } from '../../support/traces-of-text.ts';
import { until } from '../../support/until.ts';

describe('Erasure', () => {
  let docs: DocsStack;
  let gateway: GatewayEmulator;
  before(async () => {
    [docs, gateway] = await Promise.all([
      startDocsStack({ GATEWAY_ALLOW: '127.0.0.1/32', GATEWAY_PACE: 'none', GATEWAY_WATCH_SECONDS: '1' }),
      startGatewayEmulator(),
    ]);
  });
  after(async () => {
    await docs.stack.stop();
    await Promise.all([docs.emulator.stop(), docs.model.close(), gateway.stop()]);
  });

  /**
   * Makes all postponed work due now. Temporal deletes a workflow that has just ended only after it has done the rest
   * of its work; on a busy machine it retries that after 16 s and more.
   */
  async function hurry(organizationId: string): Promise<void> {
    const { db } = docs.stack;
    const nothingLeft = async () => {
      await db
        .knex('erasures')
        .where({ organization_id: organizationId })
        .update({ due_at: new Date(0) });
      return (await db.knex('erasures').where({ organization_id: organizationId })).length === 0;
    };
    await until('nothing left to erase', nothingLeft);
  }

  /** On a connection that waits for as long as it takes. */
  async function write(...statements: string[]): Promise<void> {
    const client = new pg.Client(docs.stack.databaseUrl);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  const newOrganization = async () => {
    const one = await docs.stack.stranger();
    const agent = await one.api.createAgent({ model: 'scripted/default', script: [{ reply: 'yes' }] });
    return { ...one, agent };
  };

  it('of a contact leaves 0 bytes of its text in Postgres, in files, in logs and in Temporal', async () => {
    const { stack, model, emulator } = docs;
    const { db, receiver } = stack;
    const { organizationId, api } = await stack.stranger();
    await connect(api, emulator.tokens.main);
    const word = (what: string) => `zq${what}${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
    const [said, page, replied, name, file, content, hook, told, meta] = [
      ...['said', 'page', 'replied', 'name', 'file', 'content', 'hook', 'told', 'meta'].map(word),
    ] as [string, string, string, string, string, string, string, string, string];
    const number = `55349${Math.floor(1e8 + Math.random() * 9e8)}`;
    const words = [said, page, replied, name, file, content, hook, told, meta, number];

    // A conversation over the API: a tool, an attachment, a callback, a sync answer under a key, a follow-up.
    const agent = await api.createAgent({
      model: 'custom/tested-1',
      tools: ['DOCS_CREATE_DOCS_PAGE'],
      follow_ups: [{ after_seconds: 1, instructions: 'ask again' }],
    });
    model.answerWhere(({ messages }) => {
      if (!JSON.stringify(messages).includes(said)) return undefined;
      if (messages.some(({ role }) => role === 'tool')) return { kind: 'stream', text: replied };
      const input = { title: page, parent_id: emulator.ids.home };
      return { kind: 'stream', call: { name: 'DOCS_CREATE_DOCS_PAGE', input } };
    });
    receiver.behave(`/${hook}`, { body: told });
    const contact = { id: `whatsapp:${number}`, name };
    const attachments = [
      { content_base64: Buffer.from(content).toString('base64'), filename: `${file}.txt` },
    ];
    const webhook_url = receiver.url(`/${hook}`);
    const first = await api.send(agent.id, {
      ...{ message: said, contact, attachments, webhook_url, metadata: { meta } },
    });
    await receiver.waitFor(`/${hook}`, 2); // the answer's, and the follow-up's
    const sync = await api.call('POST', `/chat/${agent.id}`, {
      body: { message: said, contact, sync: true },
      headers: { 'idempotency-key': crypto.randomUUID() },
    });
    assert.equal(sync.status, 200);

    // A rehearsal of the conversation, and a test set.
    await api.call('POST', `/agents/${agent.id}/test-turns`, {
      body: { conversation_id: first.conversation_id },
    });
    const begun = await api.call('POST', `/agents/${agent.id}/rehearsals`, { body: {} });
    const rehearsed = `/agents/${agent.id}/rehearsals/${(begun.body as { id: string }).id}`;
    await until('the rehearsal to end', async () => {
      const { body } = await api.call('GET', rehearsed);
      return (body as { status: string }).status === 'completed';
    });

    // The same person on WhatsApp.
    const onWhatsApp = await api.createAgent({
      model: 'scripted/default',
      script: [{ when: '(?s)^(.*)$', reply: 'You wrote: $1' }],
    });
    const put = await api.call('PUT', `/agents/${onWhatsApp.id}/channel`, {
      body: { base_url: gateway.url, instance_token: gateway.instanceToken },
    });
    const { webhook_url: inbound } = put.body as { webhook_url: string };
    gateway.setWebhook({ url: inbound.replace('http://127.0.0.1:3000', new URL(stack.apiUrl).origin) });
    assert.equal((await api.call('POST', `/agents/${onWhatsApp.id}/channel/verify`)).status, 200);
    await gateway.deliverInbound({ from: number, name, text: said });
    await until('the reply', () => gateway.sent.some((one) => one.number === number));
    const second = await until('the second conversation', async () => {
      const rows = await db
        .knex<{ id: string; target_id: string }>('conversations')
        .where({ target_id: onWhatsApp.id });
      return rows[0]?.id;
    });
    await api.settled(second);

    const somebodyElse = await api.send(agent.id, { message: 'hello', contact: { id: 'somebody else' } });
    await api.settled(somebodyElse.conversation_id);
    const planted = await tablesWith(stack, words);
    for (const there of [
      ...[`messages: ${said}`, `messages: ${replied}`, `messages: ${meta}`, `attachments: ${content}`],
      ...[
        `attachments: ${file}`,
        `conversations: ${name}`,
        `conversations: ${number}`,
        `deliveries: ${told}`,
      ],
      ...[
        `deliveries: ${hook}`,
        `tool_calls: ${page}`,
        `tool_executions: ${page}`,
        `channel_contacts: ${number}`,
      ],
      `idempotency_keys: ${replied}`,
      `rehearsal_turns: ${replied}`,
    ])
      assert.ok(planted.includes(there), there);
    const ofContact = `ConversationId in ('${first.conversation_id}', '${second}')`;
    await until('both in the list', async () => (await workflowsWith(stack, ofContact, [])).all.length === 2);
    await write('analyze', 'checkpoint');
    const { folder } = await backing();
    const { rows } = await db.pool.query<{ oid: string }>(
      'select oid::text from pg_database where datname = current_database()',
    );
    const heap = join(folder, 'postgres', 'cluster', 'base', rows[0]!.oid);
    assert.notDeepEqual(filesWith(heap, words), []);

    const path = `/contacts/${encodeURIComponent(contact.id)}`;
    const gone = await api.call('DELETE', path);
    assert.deepEqual([gone.status, gone.body], [204, '']);

    // By now, follow-ups and late answers would have written their rows.
    await hurry(organizationId);
    assert.deepEqual(await tablesWith(stack, words), []);
    assert.equal(await samplesWith(stack, words), 0);
    await write('vacuum full', 'checkpoint');
    assert.deepEqual(filesWith(heap, words), []);
    // Beside the other databases, and the log of changes, which Postgres overwrites in its own time.
    assert.deepEqual(filesWith(folder, words, ['base', 'pg_wal']), []);
    assert.deepEqual(await workflowsWith(stack, ofContact, words), { all: [], withText: [] });
    const { withText } = await workflowsWith(stack, `OrganizationId = '${organizationId}'`, words);
    assert.deepEqual(withText, []);

    assert.equal((await api.messages(somebodyElse.conversation_id)).length >= 2, true);
    await api.refused(404, 'DELETE', path);
    await api.refused(404, 'GET', `/conversations/${second}`);
    const log = await listAudit(db, organizationId, { limit: 10 });
    const [entry] = log.data.filter(({ action }) => action === 'contact_erased');
    assert.equal(entry?.target, `conversations ${[first.conversation_id, second].sort().join(', ')}`);
    assert.match(entry.actor, /^API token a token \(pk_/);
  });

  it('of a conversation with a run in progress ends the run, and its callback is not sent', async () => {
    const { stack } = docs;
    const { organizationId, api } = await newOrganization();
    const slow = await api.createAgent({
      model: 'scripted/default',
      script: [{ reply: 'late', delay_ms: 10_000 }],
    });
    const path = `/${crypto.randomUUID()}`;
    const { conversation_id } = await api.send(slow.id, {
      message: 'a',
      webhook_url: stack.receiver.url(path),
    });
    await until('the run to begin', async () => {
      const rows = await stack.db.knex('runs').where({ conversation_id, state: 'running' });
      return rows.length > 0;
    });
    assert.equal((await api.call('DELETE', `/conversations/${conversation_id}`)).status, 204);
    await hurry(organizationId);
    const { all } = await workflowsWith(stack, `ConversationId = '${conversation_id}'`, []);
    assert.deepEqual(all, []);
    assert.deepEqual(stack.receiver.requestsTo(path), []);
    // The worker deletes the record of its attempt once the cancelled activity has ended.
    await until('only the audit log to name it', async () => {
      const left = await tablesWith(stack, [conversation_id]);
      return left.length === 1 && left[0] === `audit_log: ${conversation_id}`;
    });
  });

  it('continues after a crash, and after Temporal was unavailable', async () => {
    const { stack } = docs;
    const { organizationId, api, agent } = await newOrganization();
    const contact = { id: `c ${crypto.randomUUID()}` };
    const other = await api.createAgent({ model: 'scripted/default', script: [{ reply: 'yes' }] });
    const conversations: string[] = [];
    for (const { id } of [agent, other])
      conversations.push((await api.ask(id, { message: 'a', contact })).conversation_id);

    await stack.temporalLine.cut();
    assert.equal((await api.call('DELETE', `/conversations/${conversations[0]}`)).status, 204);
    await api.refused(404, 'GET', `/conversations/${conversations[0]}/messages`);
    await stack.temporalLine.restore();
    // Requests an erasure as a process does that dies right after its commit.
    const asked = await requestErasure(
      stack.db,
      { organizationId, kind: 'contact', key: contact.id },
      { kind: 'system', name: 'x' },
    );
    assert.ok(asked);
    await hurry(organizationId);
    assert.deepEqual(await tablesWith(stack, [contact.id]), []);
    const query = conversations.map((id) => `ConversationId = '${id}'`).join(' or ');
    assert.deepEqual((await workflowsWith(stack, query, [])).all, []);
  });

  it('of a contact that two channels know by phone and by LID erases both records, and nobody else’s', async () => {
    const { db } = docs.stack;
    const { organizationId, api, agent } = await newOrganization();
    const another = await api.createAgent();
    const elsewhere = await newOrganization();
    const [phone, lid] = [`5511${Date.now()}`, `lid${Date.now()}`];
    const known = async (of: typeof agent, organization: string, contact: object) => {
      const secret = { webhook_secret: 'sealed', webhook_secret_hash: Buffer.from(of.id) };
      await db.knex('channels').insert({ agent_id: of.id, organization_id: organization, ...secret });
      const row = { id: crypto.randomUUID(), agent_id: of.id, ...contact };
      await db.knex('channel_contacts').insert(row);
      return row.id;
    };
    const both = { phone, lid, contact_id: `whatsapp:${phone}` };
    const gone = [
      await known(agent, organizationId, both),
      await known(another, organizationId, { lid, contact_id: `whatsapp:${lid}` }),
    ];
    const stays = await known(elsewhere.agent, elsewhere.organizationId, both);
    assert.equal((await api.call('DELETE', `/contacts/whatsapp:${lid}`)).status, 204);
    const left = await db.knex<{ id: string }>('channel_contacts').whereIn('id', [...gone, stays]);
    assert.deepEqual(
      left.map(({ id }) => id),
      [stays],
    );
  });

  it('of an organization ends all access at once, and leaves only its audit log', async () => {
    const { stack } = docs;
    const { db } = stack;
    const { organizationId, api, agent } = await newOrganization();
    const other = await newOrganization();
    for (let n = 0; n < 3; n++) await api.ask(agent.id, { message: 'a', contact: { id: `c${n}` } });
    const kept = await other.api.ask(other.agent.id, { message: 'a' });
    const user = { id: crypto.randomUUID(), name: 'A person', email: `${crypto.randomUUID()}@parley.test` };
    await db.knex('console_users').insert(user);
    const member = { organization_id: organizationId, user_id: user.id, role: 'admin' };
    await db.knex('console_members').insert(member);

    const erase = async (name: string) =>
      await commandPrints(['erase', 'organization', organizationId, '--name', name], {
        DATABASE_URL: stack.databaseUrl,
      });
    await assert.rejects(erase('another name'), /no organization .* with the name another name/);
    assert.match(await erase('an organization'), /"status":"erasing"/);
    await until('a refusal', async () => (await api.call('GET', '/agents')).status === 401);
    await hurry(organizationId);
    // A counter of its calls goes a minute after the last one.
    const left = (await tablesWith(stack, [organizationId])).filter((one) => !one.startsWith('rate_limits'));
    assert.deepEqual(left, [`audit_log: ${organizationId}`]);
    assert.deepEqual(await tablesWith(stack, [user.email]), []);
    const { all } = await workflowsWith(stack, `OrganizationId = '${organizationId}'`, []);
    assert.deepEqual(all, []);
    assert.equal((await other.api.messages(kept.conversation_id)).length, 2);
    await assert.rejects(erase('an organization'));
  });
});
