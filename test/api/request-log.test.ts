/**
 * The log of API requests: what it keeps of a request, who reads it, and that no organization can fill it for others.
 */
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import pg from 'pg';
import { noteToken, RequestLog, requestIdAt } from '../../src/api/request-log.ts';
import { listRequests } from '../../src/adapters/postgres/accounts/api-requests.ts';
import { createOrganization } from '../../src/adapters/postgres/accounts/organizations.ts';
import { createToken } from '../../src/adapters/postgres/accounts/tokens.ts';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { inOrganization } from '../../src/adapters/postgres/organization-scope.ts';
import { eraseOrganizationPart } from '../../src/adapters/postgres/data/erasures.ts';
import {
  apiRequest,
  type ApiRequest,
  type ApiRequestList,
} from '../../src/contract/accounts/api-requests.ts';
import { errorBody } from '../../src/contract/errors.ts';
import { pageOf } from '../../src/contract/page.ts';
import { ApiClient } from '../support/api-client.ts';
import { backing } from '../support/backing.ts';
import { signIn } from '../support/console-person.ts';
import { useSharedStack } from '../support/stack.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const page = pageOf(apiRequest);
const idOf = ({ headers }: { headers: Headers }) => headers.get('parley-request-id') ?? '';

/** @returns the message of an answer's only invalid field */
function messageIn(body: unknown): string {
  const { details = [] } = errorBody.parse(body);
  assert.equal(details.length, 1);
  return details[0]!.message;
}

async function read(api: ApiClient, query = ''): Promise<ApiRequest[]> {
  const answer = await api.call('GET', `/requests${query}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return page.parse(answer.body).data;
}

/** Waits until the request is logged. */
async function logged(api: ApiClient, id: string): Promise<ApiRequest> {
  return await until('the request to be logged', async () => (await read(api, `?request_id=${id}`))[0]);
}

describe('The request log', () => {
  const stack = useSharedStack();

  it('keeps of each request with a valid token what happened, and nothing that the caller wrote', async () => {
    const { api, organizationId, tokenId, db } = await stack()
      .stranger()
      .then((own) => ({ ...stack(), ...own }));
    const agent = await api.createAgent({ script: [{ reply: 'ok' }] });
    const secret = 'never-in-the-log';
    const reader = await createToken(db, { organizationId, name: 'Reader', scopes: ['agents.view'] });
    const begun = Date.now();
    const chat = { body: { message: secret, metadata: { [secret]: secret }, contact: { id: secret } } };
    const nobody = crypto.randomUUID();
    const calls = [
      await api.call('POST', `/chat/${agent.id}?`, chat),
      await api.call('GET', `/agents/${agent.id}`),
      await api.call('GET', `/conversations?contact_id=${secret}`),
      await api.call('GET', `/agents/${nobody}`),
      await api.call('POST', `/chat/${agent.id}`, { body: { ...chat.body, [secret]: 1 } }),
      await api.call('POST', `/chat/${agent.id}`, { body: { ...chat.body, webhook_url: secret } }),
      await api.call('POST', `/chat/${agent.id}`, { body: `{"${secret}` }),
      await api.call('GET', '/conversations', { token: reader.token }),
      await api.call('POST', '/openai/responses', { body: { model: secret, input: secret } }),
      await api.call('POST', '/mcp', { body: [] }),
      await api.call('GET', `/contacts/${secret}-2/export`),
      await api.call('POST', `/chat/${agent.id}`, { body: { ...chat.body, message: 5 } }),
      await api.call('POST', '/agents', { body: { name: 'a', input_during_run: secret } }),
      await api.call('GET', `/agents/${agent.id}/rehearsals/${nobody.toUpperCase()}?limit=1`),
      await api.call('GET', `/agents/${secret}/versions/1`),
      await api.call('GET', `/conversations/${nobody}`),
      await api.call('GET', `/contacts/${nobody}/export`),
    ];
    const end = nobody.slice(-4);
    const notFound = { method: 'GET', status: 404, code: 'not_found' };
    const path = `/v1/chat/${agent.id}`;
    const expected: Partial<ApiRequest>[] = [
      { method: 'POST', route: '/v1/chat/{id}', path, status: 202 },
      { method: 'GET', route: '/v1/agents/{id}', path: `/v1/agents/${agent.id}`, status: 200 },
      { method: 'GET', route: '/v1/conversations', status: 200 },
      {
        method: 'GET',
        route: '/v1/agents/{id}',
        path: `/v1/agents/${nobody}`,
        status: 404,
        code: 'not_found',
      },
      { method: 'POST', route: '/v1/chat/{id}', path, status: 422, code: 'validation_failed' },
      {
        method: 'POST',
        route: '/v1/chat/{id}',
        path,
        status: 422,
        code: 'validation_failed',
        field: 'webhook_url',
        reason: messageIn(calls[5]!.body),
      },
      { method: 'POST', route: '/v1/chat/{id}', path, status: 400, code: 'invalid_json' },
      {
        ...{ method: 'GET', route: '/v1/conversations', status: 403, code: 'forbidden' },
        ...{ token_id: reader.id, token_name: 'Reader' },
      },
      { method: 'POST', route: '/v1/openai/responses', status: 404, code: 'not_found' },
      { method: 'POST', route: '/v1/mcp', status: 400 },
      { ...notFound, route: '/v1/contacts/{contactId}/export', path: '/v1/contacts/…/export' },
      {
        ...{ method: 'POST', route: '/v1/chat/{id}', path, status: 422, code: 'validation_failed' },
        ...{ field: 'message', reason: messageIn(calls[11]!.body) },
      },
      {
        ...{ method: 'POST', route: '/v1/agents', status: 422, code: 'validation_failed' },
        ...{ field: 'input_during_run', reason: messageIn(calls[12]!.body) },
      },
      {
        ...{ ...notFound, route: '/v1/agents/{id}/rehearsals/{rehearsalId}' },
        path: `/v1/agents/${agent.id}/rehearsals/…${end}`,
      },
      { ...notFound, route: '/v1/agents/{id}/versions/{version}', path: '/v1/agents/…/versions/…' },
      { ...notFound, route: '/v1/conversations/{conversationId}', path: `/v1/conversations/…${end}` },
      { ...notFound, route: '/v1/contacts/{contactId}/export', path: '/v1/contacts/…/export' },
    ];
    for (const [n, want] of expected.entries()) {
      const { at, duration_ms, ...row } = await logged(api, idOf(calls[n]!));
      const usual = {
        path: null,
        code: null,
        field: null,
        reason: null,
        token_id: tokenId,
        token_name: 'a token',
      };
      assert.deepEqual(row, { id: idOf(calls[n]!), ...usual, ...want });
      assert.ok(Date.parse(at) >= begun && Date.parse(at) <= Date.now(), at);
      assert.ok(duration_ms >= 0);
    }
    for (const wrong of [`${api.token}x`, 'pk_0', null])
      assert.equal((await api.call('GET', '/agents', { token: wrong })).status, 401);
    assert.equal((await api.call('GET', '/nowhere')).status, 404);
    const last = await api.call('GET', '/agents');
    await logged(api, idOf(last));
    const { rows } = await db.pool.query<{ row: string }>(
      'select to_json(r)::text as row from api_requests r where organization_id = $1 and at >= $2',
      [organizationId, new Date(begun)],
    );
    assert.ok(rows.length > calls.length);
    for (const { row } of rows) assert.ok(!row.includes(secret), row);
    const whole = rows.filter(({ row }) => row.includes(nobody));
    assert.equal(whole.length, 1, 'the id of an agent alone');
    assert.deepEqual(await read(api, '?code=unauthorized'), []);
    assert.deepEqual(await read(api, '?route=/v1/nowhere'), []);
  });

  it('logs a request whose caller disconnects before the response, without a status', async () => {
    const { api, db } = await stack()
      .stranger()
      .then((own) => ({ ...stack(), ...own }));
    const agent = await api.createAgent({ script: [{ reply: 'too late', delay_ms: 20_000 }] });
    const leave = new AbortController();
    const call = fetch(`${api.baseUrl}/chat/${agent.id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'a', sync: true }),
      signal: leave.signal,
    });
    await until('the run to begin', async () => {
      return (await db.knex('runs').where({ agent_id: agent.id, state: 'running' })).length > 0;
    });
    leave.abort();
    await assert.rejects(call);
    const [cut] = await until('the request to be logged', async () => {
      const found = await read(api, '?status=cut');
      return found.length > 0 && found;
    });
    assert.deepEqual([cut?.route, cut?.status, cut?.code], ['/v1/chat/{id}', null, null]);
  });

  it('lists the newest first, page by page, as far as each filter lets through', async () => {
    const { api, organizationId, tokenId, db } = await stack()
      .stranger()
      .then((own) => ({ ...stack(), ...own }));
    const other = await createToken(db, { organizationId, name: 'Other' });
    const calls = [
      await api.call('GET', '/agents'),
      await api.call('GET', `/agents/${crypto.randomUUID()}`),
      await api.call('POST', '/agents', { body: { description: 'no name' } }),
      await api.call('GET', '/conversations', { token: other.token }),
      await api.call('DELETE', `/agents/${crypto.randomUUID()}`),
    ];
    for (const call of calls) await logged(api, idOf(call));
    const ids = calls.map(idOf);
    // The reads of the log itself are logged too.
    const found = async (query: string) =>
      (await read(api, `?limit=100&${query}`)).map(({ id }) => ids.indexOf(id)).filter((n) => n >= 0);
    assert.deepEqual(await found(''), [4, 3, 2, 1, 0]);
    assert.deepEqual(await found('status=2xx'), [3, 0]);
    assert.deepEqual(await found('status=error'), [4, 2, 1]);
    assert.deepEqual(await found('status=4xx'), [4, 2, 1]);
    assert.deepEqual(await found('status=5xx'), []);
    assert.deepEqual(await found('code=validation_failed'), [2]);
    assert.deepEqual(await found('method=DELETE'), [4]);
    assert.deepEqual(await found('route=/v1/agents'), [4, 2, 1, 0]);
    assert.deepEqual(await found('route=/v1/agents/{id}&method=GET'), [1]);
    assert.deepEqual(await found('route=/v1/%25'), []);
    assert.deepEqual(await found(`token_id=${other.id}`), [3]);
    assert.deepEqual(await found(`token_id=${tokenId}`), [4, 2, 1, 0]);
    const counted = await api.call('GET', '/requests?limit=1&status=5xx&route=/v1/agents');
    assert.deepEqual((counted.body as ApiRequestList).counts, { '2xx': 1, '4xx': 3, '5xx': 0, cut: 0 });
    const { at } = await logged(api, ids[2]!);
    assert.deepEqual(
      (await found(`from=${at}`)).filter((n) => n < 2),
      [],
    );
    assert.deepEqual(
      (await found(`to=${at}`)).filter((n) => n > 2),
      [],
    );
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await api.call('GET', `/requests?limit=2&status=error${query}`);
      const { data, next_cursor } = page.parse(answer.body);
      paged.push(...data.map(({ id }) => id));
      cursor = next_cursor;
    }
    assert.deepEqual(paged, [ids[4], ids[2], ids[1]]);
    for (const [query, path] of [
      ['status=teapot', 'status'],
      ['code=unheard_of', 'code'],
      ['from=yesterday', 'from'],
      ['request_id=7', 'request_id'],
      ['cursor=7', 'cursor'],
    ]) {
      const { status, body } = await api.call('GET', `/requests?${query}`);
      assert.equal(status, 422, query);
      assert.deepEqual(
        (body as { details: { path: string }[] }).details.map((one) => one.path),
        [path],
      );
    }
  });

  it('is read by a member who may view tokens, and by no token of another organization', async () => {
    const own = await stack().stranger();
    const call = await own.api.call('GET', '/agents');
    const row = await logged(own.api, idOf(call));
    const path = `/console/api/requests?request_id=${row.id}`;
    const asMember = async (organizationId: string) => {
      const { cookies } = await signIn({ ...stack(), organizationId });
      const answer = await fetch(new URL(path, stack().apiUrl), { headers: { cookie: cookies } });
      return page.parse(await answer.json()).data;
    };
    assert.deepEqual(await asMember(own.organizationId), [row]);
    const other = await stack().stranger();
    assert.deepEqual(await asMember(other.organizationId), []);
    assert.deepEqual(await read(other.api, `?request_id=${row.id}`), []);
    assert.deepEqual(await read(other.api, `?token_id=${own.tokenId}`), []);
  });

  it('does not delay or fail a call while its table is locked', async () => {
    const { api, databaseUrl, db } = stack();
    const locker = new pg.Client(databaseUrl);
    await locker.connect();
    try {
      await locker.query('begin; lock table api_requests in access exclusive mode');
      assert.equal((await api.call('GET', '/agents')).status, 200);
      const waits = async () => {
        const { rowCount } = await db.pool.query(
          "select from pg_locks where relation = 'api_requests'::regclass and not granted and database = (select oid from pg_database where datname = current_database())",
        );
        return (rowCount ?? 0) > 0;
      };
      await until('a write to wait for the lock', waits);
      for (let n = 0; n < 20; n += 1) assert.equal((await api.call('GET', '/agents')).status, 200);
      await locker.query('commit');
    } finally {
      await locker.end();
    }
    const since = new Date().toISOString();
    await until('a later request to be logged', async () => {
      return (await read(api, `?from=${since}`)).length > 0;
    });
  });
});

describe('The writes of the request log', () => {
  let url: string;
  let db: Database;
  const warned: unknown[] = [];
  before(async () => {
    url = await (await backing()).freshDatabase();
    db = connectDatabase(url, 4, true);
  });
  after(async () => {
    await db.close();
  });
  const newLog = (on = db) => new RequestLog(on, (error) => warned.push(error));
  const admin = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  };
  const newOrganization = async () => {
    const unscoped = connectDatabase(url, 1);
    try {
      return (await createOrganization(unscoped, 'an organization')).id;
    } finally {
      await unscoped.close();
    }
  };

  /** A response that was sent, of a call with a token of the organization. */
  function responseOf(organizationId: string, status: number): ServerResponse {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.writeHead(status);
    noteToken(response, { organizationId, tokenId: organizationId });
    return response;
  }
  function add(log: RequestLog, organizationId: string, status = 200): string {
    const at = Date.now();
    const id = requestIdAt(at);
    const request = { id, at, method: 'GET', route: '/v1/agents', path: undefined, durationMs: 1 };
    log.add(request, responseOf(organizationId, status));
    return id;
  }
  const counts = async (organizationId: string) => {
    const [row] = await admin<{ errors: number; others: number }>(
      `select count(*) filter (where status >= 400)::integer as errors, count(*) filter (where status < 400)::integer as others
         from api_requests where organization_id = $1`,
      [organizationId],
    );
    return row;
  };
  const fill = async (organizationId: string, status: number, rows: number, age = '1 hour') => {
    await admin(
      `insert into api_requests (organization_id, id, token_id, at, method, route, status, duration_ms)
         select $1::uuid, ('00000000-0000-7000-8000-' || lpad((n + $2 * 100000)::text, 12, '0'))::uuid, $1::uuid, now() - $4::interval, 'GET', '/v1/agents', $2, 1
           from generate_series(1, $3::integer) n`,
      [organizationId, status, rows, age],
    );
  };

  it('take at most 20 errors and 20 others of one organization, whatever it sends, and all of its neighbour', async () => {
    const [flooding, neighbour] = [await newOrganization(), await newOrganization()];
    const log = newLog();
    for (let n = 0; n < 100_000; n += 1) add(log, flooding, n % 2 === 0 ? 200 : 429);
    const mine = Array.from({ length: 15 }, (_, n) => add(log, neighbour, n % 2 === 0 ? 200 : 422));
    await log.close();
    assert.deepEqual(await counts(flooding), { errors: 20, others: 20 });
    const found = await inOrganization(neighbour, () => listRequests(db, neighbour, { limit: 50 }));
    assert.deepEqual(found.data.map(({ id }) => id).sort(), mine.sort());
  });

  it('take at most 5,000 requests of many organizations at once', async () => {
    const log = newLog();
    const organizations = Array.from({ length: 5010 }, () => crypto.randomUUID());
    const own = await newOrganization();
    for (const one of organizations.slice(0, 4999)) add(log, one);
    add(log, own);
    for (const one of organizations.slice(4999)) add(log, one);
    add(log, own);
    await log.close();
    // The other organizations do not exist: their rows take part in the limit, and are skipped.
    assert.deepEqual(await counts(own), { errors: 0, others: 1 });
    assert.deepEqual(warned, []);
  });

  it('leave the newest 1,000 errors and 1,000 others of an organization, and every row of another', async () => {
    const [own, other] = [await newOrganization(), await newOrganization()];
    for (const one of [own, other]) for (const status of [200, 500]) await fill(one, status, 1500);
    const log = newLog();
    const id = add(log, own);
    await log.flush();
    assert.deepEqual(await counts(own), { errors: 1000, others: 1000 });
    assert.deepEqual(await counts(other), { errors: 1500, others: 1500 });
    const [oldest, newest] = await admin<{ id: string }>(
      `select min(id::text) as id from api_requests where organization_id = $1 and status = 200
         union all select max(id::text) from api_requests where organization_id = $1`,
      [own],
    );
    assert.deepEqual([oldest?.id, newest?.id], ['00000000-0000-7000-8000-000020000502', id]);
    // Later rows are trimmed after 500.
    for (let write = 0; write < 13; write += 1) {
      for (let n = 0; n < 40; n += 1) add(log, own, n % 2 === 0 ? 200 : 500);
      await log.flush();
    }
    await log.close();
    assert.deepEqual(await counts(own), { errors: 1000, others: 1000 });
  });

  it('lose the requests of an outage of Postgres, and continue after it', async () => {
    const { hostname, port } = new URL(url);
    const line = await startTcpProxy({ host: hostname, port: Number(port) });
    const proxied = new URL(url);
    proxied.port = String(line.port);
    const away = connectDatabase(proxied.href, 2, true);
    const log = newLog(away);
    const own = await newOrganization();
    try {
      add(log, own);
      await log.flush();
      await line.cut();
      add(log, own);
      await log.flush();
      assert.ok(warned.length >= 1);
      await line.restore();
      await until('a row after the outage', async () => {
        add(log, own, 500);
        await log.flush();
        return ((await counts(own))?.errors ?? 0) > 0;
      });
      assert.equal((await counts(own))?.others, 1);
    } finally {
      await log.close();
      await away.close();
      await line.close();
    }
  });

  it('are erased with their organization, and write none of an erased one', async () => {
    const [erased, other] = [await newOrganization(), await newOrganization()];
    const log = newLog();
    add(log, erased);
    await log.flush();
    assert.deepEqual(await counts(erased), { errors: 0, others: 1 });
    const unscoped = connectDatabase(url, 1);
    await until('the erasure to be complete', () => eraseOrganizationPart(unscoped, erased));
    await unscoped.close();
    assert.deepEqual(await counts(erased), { errors: 0, others: 0 });
    add(log, erased);
    add(log, other);
    await log.close();
    assert.deepEqual(await counts(erased), { errors: 0, others: 0 });
    assert.deepEqual(await counts(other), { errors: 0, others: 1 });
  });
});
