/**
 * Audit events of what changes no row of its own: tool actions, exports, failed sign-ins, completed connections; and
 * how the log is filtered, searched and exported.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import fc from 'fast-check';
import { listAudit, recordAudit, type Actor } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../src/adapters/postgres/database.ts';
import { endAction } from '../../../src/app/workspace/end-action.ts';
import { auditAction, type AuditAction, type AuditLine } from '../../../src/contract/accounts/audit.ts';
import { auditText } from '../../../src/domain/accounts/audit-text.ts';
import { projectRoot } from '../../../src/local/project-root.ts';
import { makePerson, signIn, signInAs } from '../../support/console-person.ts';
import { newDocsCaller, useDocsStack } from '../../support/docs-stack.ts';
import { until } from '../../support/until.ts';

describe('Audit events', () => {
  const docs = useDocsStack();

  const entries = async (organizationId: string, action?: AuditAction) =>
    (await listAudit(docs().stack.db, organizationId, { limit: 100, action })).data.toReversed();
  const record = async (organizationId: string, action: AuditAction, target: string, actor?: Actor) => {
    const by = actor ?? { kind: 'system', name: 'the test' };
    await inTransaction(docs().stack.db, (tx) => recordAudit(tx, { ...by, organizationId }, action, target));
  };

  describe('of a tool action', () => {
    it('name who ran it, over the API, MCP, the console or as an agent, its effect and the connection', async () => {
      const { emulator, stack } = docs();
      const caller = await newDocsCaller(docs());
      const { organizationId, api, token } = caller;
      const connections = (await api.call('GET', '/tools/docs/connections')).body as {
        data: { id: string }[];
      };
      const connection = connections.data[0]?.id ?? '';
      await caller.ok('DOCS_CREATE_DOCS_PAGE', { title: 'SECRET TITLE', parent_id: emulator.ids.home });
      await caller.run('DOCS_RETRIEVE_PAGE', { page_id: emulator.ids.secret });

      const client = new Client({ name: 'a client', version: '1' });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${stack.apiUrl}/mcp`), { requestInit }),
      );
      await client.callTool({ name: 'DOCS_LIST_USERS', arguments: {} });
      await client.close();

      const person = await makePerson({ ...stack, organizationId });
      const session = await signInAs(stack, person);
      const ran = await session.call('POST', '/tools/docs/actions/DOCS_GET_ABOUT_ME', { input: {} });
      assert.equal(ran.status, 200, JSON.stringify(ran.body));

      const agent = await api.createAgent({
        model: 'scripted/default',
        tools: ['DOCS_FETCH_DATA'],
        script: [
          { when: 'look', tool: { action: 'DOCS_FETCH_DATA', input: { fetch_type: 'pages' } } },
          { on: 'tool_result', reply: 'done' },
        ],
      });
      const asked = await api.ask(agent.id, { message: 'look' });

      const found = await entries(organizationId, 'tool_action_run');
      const uuid = '[0-9a-f-]{36}';
      const expected: [actor: RegExp, target: RegExp, address: string | null][] = [
        [
          /^API token .*pk_/,
          new RegExp(
            `^DOCS_CREATE_DOCS_PAGE \\(\\w+\\) succeeded, connection ${connection}, execution ${uuid}$`,
          ),
          '127.0.0.1',
        ],
        [
          /^API token .*pk_/,
          new RegExp(`^DOCS_RETRIEVE_PAGE \\(read\\) failed, connection ${connection}, execution ${uuid}$`),
          '127.0.0.1',
        ],
        [
          /^API token .*pk_/,
          new RegExp(`^DOCS_LIST_USERS \\(read\\) succeeded, connection ${connection}, execution ${uuid}$`),
          '127.0.0.1',
        ],
        [
          new RegExp(`^${person.email}$`),
          new RegExp(`^DOCS_GET_ABOUT_ME \\(read\\) succeeded, connection ${connection}`),
          '127.0.0.1',
        ],
        [
          new RegExp(`^agent ${agent.name}$`),
          new RegExp(
            `^DOCS_FETCH_DATA \\(read\\) succeeded, connection ${connection}, conversation ${asked.conversation_id}$`,
          ),
          null,
        ],
      ];
      assert.equal(found.length, expected.length, JSON.stringify(found));
      for (const [index, [actor, target, address]] of expected.entries()) {
        assert.match(found[index]?.actor ?? '', actor);
        assert.match(found[index]?.target ?? '', target);
        assert.equal(found[index]?.address, address);
      }
      assert.ok(!JSON.stringify(found).includes('SECRET TITLE'), 'inputs are not in the log');
    });

    it('of equal reads within an hour, the first, second, fourth, eighth … leave an event; every write leaves one', async () => {
      const { db } = docs().stack;
      const { organizationId } = await docs().stack.stranger();
      const run = async (action: string, name: string, successful = true) => {
        const id = randomUUID();
        await db.knex('tool_executions').insert({
          ...{ id, organization_id: organizationId, origin: `direct/${id}`, action, input: '{}' },
          requested_by: { kind: 'system', name },
        });
        await endAction(db, { id }, { successful, data: '{}' });
      };
      const written = async () =>
        (await entries(organizationId, 'tool_action_run')).map(({ target }) =>
          target.replace(/ execution [0-9a-f-]{36}/, ''),
        );
      for (let read = 1; read <= 20; read += 1) await run('DOCS_LIST_USERS', 'a reader');
      const reads = [
        '',
        ' number 2 of an hour',
        ' number 4 of an hour',
        ' number 8 of an hour',
        ' number 16 of an hour',
      ];
      const expected = reads.map((number) => `DOCS_LIST_USERS (read) succeeded,${number && `,${number}`}`);
      assert.deepEqual(await written(), expected);
      await run('DOCS_LIST_USERS', 'another reader');
      await run('DOCS_LIST_USERS', 'a reader', false);
      await run('DOCS_GET_ABOUT_ME', 'a reader');
      assert.equal((await written()).length, reads.length + 3);
      await db
        .knex('rate_limits')
        .where('key', 'like', 'tool-reads:%')
        .update({ ends_at: new Date(0) });
      await run('DOCS_LIST_USERS', 'a reader');
      assert.equal((await written()).at(-1), expected[0]);
      for (let write = 1; write <= 3; write += 1) await run('DOCS_CREATE_DOCS_PAGE', 'a writer');
      assert.equal((await written()).filter((target) => target.startsWith('DOCS_CREATE')).length, 3);
    });

    it('one event, however often an outcome is reported, also when attempts end it at once', async () => {
      const { stack } = docs();
      const { organizationId } = await stack.stranger();
      const id = randomUUID();
      await stack.db.knex('tool_executions').insert({
        ...{
          id,
          organization_id: organizationId,
          origin: `call/${id}`,
          action: 'DOCS_LIST_USERS',
          input: '{}',
        },
        requested_by: { kind: 'system', name: 'the test' },
      });
      const result = (n: number) => ({ successful: n % 2 === 0, data: `${n}` });
      await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          endAction(stack.db, n < 4 ? { id } : { origin: `call/${id}` }, result(n)),
        ),
      );
      assert.equal((await entries(organizationId)).length, 1);
    });
  });

  it('name exports before their first line: of all data, of a contact, of the log itself', async () => {
    const { stack } = docs();
    const { organizationId, api } = await stack.stranger();
    const agent = await api.createAgent({ script: [{ when: 'x', reply: 'y' }], model: 'scripted/default' });
    const { conversation_id } = await api.ask(agent.id, { message: 'x', contact: { id: 'a contact' } });
    const contact = encodeURIComponent('a contact');
    for (const path of ['/export', `/contacts/${contact}/export`])
      assert.equal((await api.call('GET', path)).status, 200);
    await api.refused(404, 'GET', '/contacts/nobody/export');
    const session = await signIn({ ...stack, organizationId });
    assert.equal((await session.call('GET', '/audit/export.csv?action=agent_created')).status, 200);
    const found = (await entries(organizationId)).filter(({ action }) => action.endsWith('_exported'));
    assert.deepEqual(
      found.map(({ action, target }) => [action, target]),
      [
        ['data_exported', 'all data'],
        ['data_exported', `conversations ${conversation_id}`],
        ['audit_exported', 'csv, action agent_created'],
      ],
    );
  });

  describe('of a failed sign-in', () => {
    const fail = async (email: string) => {
      const answer = await fetch(new URL('/console/api/sign-in', docs().stack.apiUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'not the password' }),
      });
      await answer.arrayBuffer();
      return answer.status;
    };

    it('name the account and the address, in each organization of the account; an unknown email leaves none', async () => {
      const { stack } = docs();
      const { organizationId } = await stack.stranger();
      const person = await makePerson({ ...stack, organizationId });
      assert.equal(await fail(person.email.toUpperCase()), 401);
      assert.equal(await fail(`${randomUUID()}@example.com`), 401);
      const [entry] = await until('the event', async () => {
        const found = await entries(organizationId, 'sign_in_failed');
        return found.length > 0 && found;
      });
      assert.deepEqual(
        [entry?.actor, entry?.target, entry?.address],
        ['somebody who is not signed in', person.email, '127.0.0.1'],
      );
    });

    it('a stranger cannot fill the log: five an hour for an account, a hundred for an organization', async () => {
      const { stack } = docs();
      const { organizationId } = await stack.stranger();
      const person = await makePerson({ ...stack, organizationId });
      const others = await makePerson({ ...stack, organizationId });
      for (let n = 0; n < 5; n += 1) assert.equal(await fail(person.email), 401);
      await until('the fifth', async () => (await entries(organizationId, 'sign_in_failed')).length === 5);
      assert.equal(await fail(person.email), 401);
      // The sixth is not written. This one is, after it.
      assert.equal(await fail(others.email), 401);
      await until('another account', async () =>
        (await entries(organizationId, 'sign_in_failed')).some(({ target }) => target === others.email),
      );
      const count = async () => (await entries(organizationId, 'sign_in_failed')).length;
      assert.equal(await count(), 6);
      // The process has reserved ten, of which four are left.
      const { rowCount } = await stack.db.pool.query('update rate_limits set calls = 100 where key = $1', [
        `failed-sign-ins:${organizationId}:sign_in_failed`,
      ]);
      assert.equal(rowCount, 1);
      const third = await makePerson({ ...stack, organizationId });
      const more = await stack.stranger();
      const user = await stack.db
        .knex('console_users')
        .where({ email: third.email })
        .first<{ id: string }>('id');
      await stack.db.knex('console_members').insert({
        ...{ organization_id: more.organizationId, user_id: user.id, role: 'admin' },
      });
      for (let n = 0; n < 5; n += 1) assert.equal(await fail(third.email), 401);
      // The same transaction would have written the fifth to the full organization's log.
      await until(
        'the other organization',
        async () => (await entries(more.organizationId, 'sign_in_failed')).length === 5,
      );
      assert.equal(await count(), 10);
    });
  });

  it('name who completed an OAuth connection', async () => {
    const { emulator, stack } = docs();
    const { organizationId, api } = await stack.stranger();
    const made = await api.call('POST', '/tools/docs/connections', { body: { auth: 'OAUTH2' } });
    const { id, authorization_url } = made.body as { id: string; authorization_url: string };
    const back = new URL(await emulator.decide(authorization_url, 'approve', { pages: [emulator.ids.home] }));
    const answer = await fetch(`${stack.apiUrl}/tools/docs/oauth/callback${back.search}`, {
      redirect: 'manual',
    });
    assert.match(answer.headers.get('location') ?? '', /connection=connected/);
    const [, completed] = await entries(organizationId);
    assert.deepEqual(
      [completed?.action, completed?.actor, completed?.target, completed?.address],
      [
        'connection_completed',
        'whoever opened the authorization URL',
        `Emulated workspace (${id})`,
        '127.0.0.1',
      ],
    );
  });

  describe('in the console', () => {
    it('are filtered by action, time and text, page by page', async () => {
      const { stack } = docs();
      const { organizationId } = await stack.stranger();
      const session = await signIn({ ...stack, organizationId });
      for (let n = 0; n < 6; n += 1)
        await record(organizationId, n % 2 ? 'agent_created' : 'agent_deleted', `Agent ${n}_100%`);
      const list = async (query: string) => {
        const targets: string[] = [];
        for (let cursor = ''; ;) {
          const answer = await session.call('GET', `/audit?limit=2&${query}${cursor}`);
          assert.equal(answer.status, 200, JSON.stringify(answer.body));
          const { data, next_cursor } = answer.body as {
            data: { target: string }[];
            next_cursor: string | null;
          };
          targets.push(...data.map(({ target }) => target));
          if (next_cursor === null) return targets;
          cursor = `&cursor=${next_cursor}`;
        }
      };
      assert.deepEqual(await list('action=agent_created'), ['Agent 5_100%', 'Agent 3_100%', 'Agent 1_100%']);
      assert.deepEqual(await list('search=aGENT%203'), ['Agent 3_100%']);
      assert.deepEqual(
        await list('search=%25'),
        [5, 4, 3, 2, 1, 0].map((n) => `Agent ${n}_100%`),
      );
      assert.deepEqual(await list('search=t_4'), []);
      assert.equal((await list('search=127.0.0.1')).length, 1);
      const own = (await session.call('GET', '/audit?search=127.0.0.1')).body as {
        data: { actor_id: string }[];
      };
      const ownId = own.data[0]?.actor_id;
      assert.equal((await list(`actor=${ownId}`)).length, 1);
      assert.equal((await list(`actor=${ownId}&action=agent_created`)).length, 0);
      assert.deepEqual(
        await list('actor=system&action=agent_deleted'),
        [4, 2, 0].map((n) => `Agent ${n}_100%`),
      );
      assert.equal((await list('actor=system')).length, 6);
      assert.equal((await session.call('GET', '/audit?actor=nobody')).status, 422);
      const middle = (await entries(organizationId))[4]?.at ?? '';
      assert.ok((await list(`from=${middle}&search=Agent`)).includes('Agent 5_100%'));
      assert.ok(!(await list(`to=${middle}&search=Agent`)).includes('Agent 5_100%'));
      assert.equal((await session.call('GET', '/audit?from=yesterday')).status, 422);
    });

    it('a search in a long log continues from page to page to the end', async () => {
      const { stack } = docs();
      const { organizationId } = await stack.stranger();
      const session = await signIn({ ...stack, organizationId });
      await stack.db.pool.query(
        `insert into audit_log (id, organization_id, actor, action, target)
           select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'x', 'agent_created',
                  case when n in (1, 10500) then 'wanted' else 'other' end
             from generate_series(1, 12000) n`,
        [organizationId],
      );
      const first = (await session.call('GET', '/audit?search=wanted')).body as {
        data: unknown[];
        next_cursor: string;
      };
      const second = (await session.call('GET', `/audit?search=wanted&cursor=${first.next_cursor}`)).body as {
        data: unknown[];
        next_cursor: string | null;
      };
      assert.deepEqual([first.data.length, second.data.length, second.next_cursor], [1, 1, null]);
    });

    it('are exported as CSV and as JSON lines, with the places in the hash chain', async () => {
      const { stack } = docs();
      const { organizationId } = await stack.stranger();
      const session = await signIn({ ...stack, organizationId });
      for (let n = 0; n < 1100; n += 1)
        await record(organizationId, 'agent_created', `=cmd|' /C calc'!A0 "${n}"`);
      const read = async (format: string) => {
        const answer = await fetch(
          new URL(`/console/api/audit/export.${format}?action=agent_created`, stack.apiUrl),
          {
            headers: { cookie: session.cookies },
          },
        );
        return { type: answer.headers.get('content-type'), text: await answer.text() };
      };
      const csv = await read('csv');
      assert.equal(csv.type, 'text/csv; charset=utf-8');
      const rows = csv.text.split('\r\n');
      assert.equal(rows[0], 'id,at,actor,actor_id,action,target,address,position,hash');
      assert.equal(rows.length, 1102);
      assert.match(rows[1] ?? '', /"'=cmd\|' \/C calc'!A0 ""1099"""/);
      const lines = (await read('jsonl')).text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.deepEqual(lines.at(-1), { type: 'end', lines: 1100 });
      assert.deepEqual(Object.keys(lines[0] ?? {}).sort(), [
        ...['action', 'actor', 'actor_id', 'address', 'at', 'hash', 'id', 'position', 'target', 'type'],
      ]);
    });
  });

  it('as CSV, every text comes back from a reader of RFC 4180, and no cell is a formula', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('=1+1', '+1', '-1', '@x', '\t=1', '\r\n', '"', 'a,b', '＝1'),
    );
    await fc.assert(
      fc.asyncProperty(text, text, async (actor, target) => {
        const entry: AuditLine = {
          ...{
            id: randomUUID(),
            at: '2026-01-01T00:00:00.000Z',
            actor,
            actor_id: null,
            action: 'signed_in',
            target,
          },
          ...{ address: null, position: 1, hash: 'aa' },
        };
        let csv = '';
        for await (const part of auditText(
          (async function* () {
            yield await Promise.resolve(entry);
          })(),
          'csv',
        ))
          csv += part;
        const cells = [...csv.slice(csv.indexOf('\r\n') + 2).matchAll(/"((?:[^"]|"")*)"(?:,|\r\n$)/g)].map(
          ([, cell = '']) => cell.replaceAll('""', '"'),
        );
        assert.equal(cells.length, 9);
        for (const cell of cells) assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/);
        assert.ok(cells[2] === actor || cells[2] === `'${actor}`);
        assert.ok(cells[5] === target || cells[5] === `'${target}`);
      }),
    );
  });

  it('docs/audit.md has one row for each event, and none for another', () => {
    const page = readFileSync(join(projectRoot, 'docs/audit.md'), 'utf8');
    const named = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    assert.deepEqual(named.toSorted(), auditAction.options.toSorted());
  });
});
