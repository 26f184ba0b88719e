/**
 * The audit log: every change has an audit event that names its actor, be it a person, an API token or the command
 * line.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealAudit } from '../../../src/adapters/postgres/accounts/audit-chain.ts';
import { listAudit, recordAudit, type Actor } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../src/adapters/postgres/database.ts';
import type { Capability } from '../../../src/contract/accounts/capabilities.ts';
import type { ListedAuditEntry } from '../../../src/contract/accounts/audit.ts';
import { signIn } from '../../support/console-person.ts';
import { commandEnds, commandPrints } from '../../support/run-command.ts';
import { useSharedStack } from '../../support/stack.ts';

describe('The audit log', () => {
  const stack = useSharedStack();

  /** Oldest first. */
  const entriesOf = async (organizationId: string) =>
    (await listAudit(stack().db, organizationId, { limit: 100 })).data.toReversed();

  it('records the changes of an API token under its name, but no refused calls and no reads', async () => {
    const { api, organizationId } = await stack().stranger();
    const agent = await api.createAgent();
    await api.refused(409, 'POST', '/agents', { body: { name: agent.name } });
    await api.refused(422, 'PATCH', `/agents/${agent.id}`, { body: { surprise: 1 } });
    await api.call('GET', `/agents/${agent.id}`);
    await api.changeAgent(agent.id, { description: 'changed' });
    const bound = await api.call('PATCH', `/inboxes/${agent.inbox_id}`, { body: { agent_id: agent.id } });
    assert.equal(bound.status, 200);
    const { conversation_id } = await api.send(agent.id, { message: 'not in the log' });
    await api.settled(conversation_id);
    assert.equal((await api.call('DELETE', `/conversations/${conversation_id}`)).status, 204);
    assert.equal((await api.call('DELETE', `/agents/${agent.id}`)).status, 204);
    const entries = await entriesOf(organizationId);
    assert.deepEqual(
      entries.map(({ action, target }) => [action, target]),
      [
        ['agent_created', `${agent.name} (${agent.id})`],
        ['agent_changed', `${agent.name} (${agent.id}, description changed)`],
        ['inbox_bound', `${agent.inbox_id} to ${agent.id}`],
        ['conversation_erased', conversation_id],
        ['agent_deleted', agent.id],
      ],
    );
    for (const { actor, address } of entries) {
      assert.equal(actor, `API token a token (${api.token.slice(0, 11)}…)`);
      assert.equal(address, '127.0.0.1');
    }
  });

  it('records the changes of a console user under their email', async () => {
    const { organizationId } = await stack().stranger();
    const person = await signIn({ ...stack(), organizationId });
    const agent = await person.call('POST', '/agents', { name: 'By a person' });
    assert.equal(agent.status, 201, JSON.stringify(agent.body));
    const made = await person.call('POST', '/tokens', { name: 'theirs' });
    const { id } = made.body as { id: string };
    assert.equal((await person.call('POST', `/tokens/${id}/revoke`)).status, 200);
    assert.equal((await person.call('DELETE', `/tokens/${id}`)).status, 204);
    const entries = await entriesOf(organizationId);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['signed_in', 'agent_created', 'token_created', 'token_revoked', 'token_deleted'],
    );
    assert.equal(new Set(entries.map(({ actor }) => actor)).size, 1);
    assert.match(entries[0]?.actor ?? '', /@example\.com$/);
    const shown = await person.call('GET', '/audit');
    assert.equal((shown.body as { data: unknown[] }).data.length, entries.length);
  });

  it('records the earlier and the new values of what changes, and no text for the model', async () => {
    const { api, organizationId } = await stack().stranger();
    const person = await signIn({ ...stack(), organizationId });
    const change = async (method: string, path: string, body: object) => {
      const answer = await person.call(method, path, body);
      assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
      return answer.body as { id: string };
    };
    const { id } = await api.createAgent({ name: 'Sales', instructions: 'a secret recipe' });
    await change('PATCH', `/agents/${id}`, {
      ...{ name: 'Shop', instructions: 'another recipe', active: false },
      ...{ temperature: 0.5, credit_caps: { day: 5 } },
    });
    await change('PUT', `/agents/${id}/draft`, { temperature: null, instructions: 'a third recipe' });
    await change('POST', `/agents/${id}/versions`, {});
    await change('PUT', '/limit', { monthly_credit_limit: 500 });
    await change('PUT', '/limit', { monthly_credit_limit: 800, monthly_message_limit: null });
    const token = await change('POST', '/tokens', { name: 'nightly' });
    await change('PUT', `/tokens/${token.id}/limit`, { monthly_message_limit: 7 });
    const role = await change('POST', '/roles', { name: 'Lead', capabilities: ['agents.manage'] });
    await change('PATCH', `/roles/${role.id}`, {
      name: 'Team lead',
      capabilities: ['audit.view', 'tokens.view'],
    });
    const price = { model: 'x/y', input: 1, output: 2, cached_input: null };
    await change('PUT', '/model-price', price);
    await change('PUT', '/model-price', { ...price, output: 3 });
    const url = 'https://receiver.example/path';
    const endpoint = await change('POST', '/webhook-endpoints', { url });
    await change('PATCH', `/webhook-endpoints/${endpoint.id}`, { waiting_alerts: true });
    const tool = { ...{ name: 'find', description: 'Finds', method: 'GET', effect: 'read' } };
    const made = await change('POST', '/tools/http', { ...tool, url: 'https://shop.example/find' });
    await change('PATCH', `/tools/http/${made.id}`, { effect: 'write' });
    const changes = new Set([
      ...['agent_changed', 'agent_published', 'organization_changed', 'token_limited', 'role_changed'],
      ...['model_price_changed', 'webhook_endpoint_changed', 'http_tool_changed'],
    ]);
    const targets = (await entriesOf(organizationId)).filter(({ action }) => changes.has(action));
    assert.deepEqual(
      targets.map(({ target }) => target),
      [
        `Shop (${id}, version 2, name: Sales → Shop, active: on → off, temperature: default → 0.5, credit caps: none → day 5, instructions changed)`,
        `Shop (${id}, version 3, temperature: 0.5 → default, instructions changed)`,
        'Credits per month: no limit → 500',
        'Credits per month: 500 → 800',
        'nightly: Messages per month: no limit → 7',
        'Lead → Team lead: added audit.view, tokens.view; removed agents.manage',
        'x/y: no price → $1.00 in / $2.00 out / $1.00 cached',
        'x/y: $1.00 in / $2.00 out / $1.00 cached → $1.00 in / $3.00 out / $1.00 cached',
        `${url}: alerts about waiting conversations: off → on`,
        'find (read): GET https://shop.example → find (write): GET https://shop.example',
      ],
    );
  });

  it('names the agents whose ids are in a target in the console’s list, deleted ones too', async () => {
    const { api, organizationId } = await stack().stranger();
    const [kept, deleted] = [await api.createAgent(), await api.createAgent()];
    for (const inbox of [kept, deleted])
      await api.call('PATCH', `/inboxes/${inbox.inbox_id}`, { body: { agent_id: kept.id } });
    await api.call('DELETE', `/agents/${deleted.id}`);
    const other = await stack().stranger();
    const foreign = await other.api.createAgent();
    await inTransaction(stack().db, (tx) =>
      recordAudit(tx, { kind: 'system', name: 'x', organizationId }, 'webhook_set', foreign.id),
    );
    const person = await signIn({ ...stack(), organizationId });
    const { body } = await person.call('GET', '/audit');
    const { data } = body as { data: ListedAuditEntry[] };
    const named = (action: string) => data.find((entry) => entry.action === action)?.agents;
    assert.deepEqual(named('inbox_bound'), [{ id: kept.id, name: kept.name, is_deleted: false }]);
    assert.deepEqual(named('agent_deleted'), [{ id: deleted.id, name: deleted.name, is_deleted: true }]);
    assert.deepEqual(named('webhook_set'), []);
  });

  it('names the contacts of conversations in the console’s list to members who may view conversations', async () => {
    const { api, organizationId } = await stack().stranger();
    const { id } = await api.createAgent();
    const asked = await api.ask(id, { message: 'hello', contact: { id: 'c-1', name: 'Clara Dias' } });
    const anonymous = await api.ask(id, { message: 'hello' });
    const other = await stack().stranger();
    const foreign = await other.api.ask((await other.api.createAgent()).id, {
      ...{ message: 'hello', contact: { id: 'c-1', name: 'Foreign' } },
    });
    for (const one of [asked, anonymous, foreign])
      await inTransaction(stack().db, (tx) =>
        recordAudit(tx, { kind: 'system', name: 'x', organizationId }, 'agent_paused', one.conversation_id),
      );
    const contactsFor = async (capabilities: readonly Capability[]) => {
      const { body } = await (
        await signIn({ ...stack(), organizationId }, capabilities)
      ).call('GET', '/audit');
      const { data } = body as { data: ListedAuditEntry[] };
      return data.filter(({ action }) => action === 'agent_paused').flatMap(({ contacts }) => contacts);
    };
    const shown = ({ conversation_id }: { conversation_id: string }, name: string | null) => ({
      id: conversation_id,
      conversation_id,
      name,
    });
    assert.deepEqual(await contactsFor(['audit.view', 'conversations.view']), [
      shown(anonymous, null),
      shown(asked, 'Clara Dias'),
    ]);
    assert.deepEqual(await contactsFor(['audit.view']), []);
  });

  it('records the changes of the command line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-audit-'));
    const file = join(folder, 'agents.yaml');
    writeFileSync(file, 'agents:\n  - name: From a file\n');
    const env = { DATABASE_URL: stack().databaseUrl };
    const parley = async (...words: string[]) =>
      JSON.parse(await commandPrints(words, env)) as Record<string, string>;
    const { organization_id: org = '' } = await parley('org', 'create', 'By hand');
    const { id = '' } = await parley('token', 'create', '--org', org, '--name', 'second');
    await parley('token', 'list', '--org', org);
    await parley('token', 'revoke', id);
    await parley('token', 'delete', id);
    await assert.rejects(parley('token', 'delete', id), /There is no token/);
    await parley('apply', file, '--org', org);
    await parley('retention', '--org', org, '--days', '30');
    await parley('limit', '--org', org, '--credits', '5');
    await parley('audit', 'retention', '--org', org, '--days', '90');
    await assert.rejects(parley('audit', 'retention', '--org', org, '--days', '7'), /from 30 to 36500/);
    rmSync(folder, { recursive: true });
    const entries = await entriesOf(org);
    assert.deepEqual(
      entries.map(({ action, target }) => [action, target.replace(/ \(pk_.*/, '')]),
      [
        ['organization_created', 'By hand'],
        ['token_created', 'first token'],
        ['token_created', 'second'],
        ['token_revoked', 'second'],
        ['token_deleted', 'second'],
        ['agents_imported', 'From a file'],
        ['organization_changed', 'Days to keep: all → 30'],
        ['organization_changed', 'Credits per month: no limit → 5'],
        ['audit_retention_changed', 'Days to keep: 365 → 90'],
      ],
    );
    for (const { actor, address } of entries) {
      assert.match(actor, /^command line \(.+\)$/);
      assert.equal(address, null);
    }
  });

  it('records a user or a token that was deleted meanwhile as such, with its id', async () => {
    const { db } = stack();
    const { organizationId } = await stack().stranger();
    const id = randomUUID();
    const cases: [Actor, string, string | null][] = [
      [{ kind: 'person', userId: id, address: '192.0.2.1' }, 'a deleted user', id],
      [{ kind: 'token', tokenId: id }, 'a deleted API token', id],
      [{ kind: 'system', name: 'command line (x)' }, 'command line (x)', null],
    ];
    for (const [actor] of cases)
      await inTransaction(db, (tx) => recordAudit(tx, { ...actor, organizationId }, 'signed_out', 'x'));
    const rows = await db
      .knex<{
        id: string;
        organization_id: string;
        actor: string;
        actor_id: string | null;
        address: string | null;
      }>('audit_log')
      .where({ organization_id: organizationId })
      .orderBy('id');
    assert.deepEqual(
      rows.map(({ actor, actor_id, address }) => [actor, actor_id, address]),
      cases.map(([{ address = null }, name, actorId]) => [name, actorId, address]),
    );
  });

  it('`audit verify` exits with 1 if an entry was changed, and says where', async () => {
    const { organizationId } = await stack().stranger();
    const { db, databaseUrl } = stack();
    const actor: Actor = { kind: 'system', name: 'the test' };
    for (const target of ['first', 'second'])
      await inTransaction(db, (tx) => recordAudit(tx, { ...actor, organizationId }, 'agent_created', target));
    await sealAudit(db, organizationId);
    const verify = async (...words: string[]) => {
      const command = ['audit', 'verify', '--org', organizationId, ...words];
      const { code, stdout } = await commandEnds(command, { DATABASE_URL: databaseUrl });
      const { data } = JSON.parse(stdout) as {
        data: { position: number; hash: string; problem?: string }[];
      };
      return { code, ...data[0] };
    };
    const whole = await verify();
    assert.deepEqual([whole.code, whole.position, whole.problem], [0, 2, undefined]);
    assert.equal((await verify('--known', `2:${whole.hash}`)).code, 0);
    assert.equal((await verify('--known', `2:${'0'.repeat(64)}`)).code, 1);
    await inTransaction(db, async (tx) => {
      await tx.knex.raw('set local session_replication_role = replica');
      await tx
        .knex('audit_log')
        .where({ organization_id: organizationId, position: 1 })
        .update({ target: 'x' });
    });
    const broken = await verify();
    assert.deepEqual([broken.code, broken.problem], [1, 'The entry at position 1 or its hash was changed.']);
  });

  it('refuses changes and deletions, even by the owner of the database', async () => {
    const { pool } = stack().db;
    await assert.rejects(pool.query("update audit_log set actor = 'nobody'"), /only ever added to/);
    await assert.rejects(pool.query('delete from audit_log'), /only ever added to/);
    await assert.rejects(pool.query('truncate audit_log'), /only ever added to/);
  });
});
