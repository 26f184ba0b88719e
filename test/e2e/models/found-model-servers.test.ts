/**
 * Model servers on this computer: looked for in local mode only, with bounded answers, and usable without MODEL_ALLOW.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NameResolver } from '../../../src/adapters/http/name-resolver.ts';
import { createPublicHttp } from '../../../src/adapters/http/public-http.ts';
import { findServers, knownServers, modelAllow } from '../../../src/adapters/models/found-servers.ts';
import type { OrganizationActor } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { connectDatabase } from '../../../src/adapters/postgres/database.ts';
import { createLocalModels } from '../../../src/app/models/local-models.ts';
import { unavailableModel, type LocalModel } from '../../../src/contract/models/local-model.ts';
import { signIn } from '../../support/console-person.ts';
import { useStack } from '../../support/stack.ts';

describe('Model servers on this computer', () => {
  const local = useStack({ env: { SUPERVISED: 'true', MODEL_ALLOW: '' } });
  const deployed = useStack({ env: { MODEL_ALLOW: '' } });
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  const listen = async (handle: RequestListener) => {
    const server = createServer(handle);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const json =
    (body: unknown): RequestListener =>
    (_, response) =>
      response.end(JSON.stringify(body));
  const names = new NameResolver({ servers: [] });

  it('a server is found with its models; endless and strange answers, redirects, refusals and silence are none', async () => {
    const asked: unknown[] = [];
    const handlers: RequestListener[] = [
      (request, response) => {
        asked.push(request.url, request.headers.authorization);
        json({ data: [{ id: 'a' }, { id: 'with space' }, { id: 'b:1' }, { id: 'x'.repeat(151) }] })(
          request,
          response,
        );
      },
      (_, response) => {
        const more = () => response.write(' '.repeat(64 * 1024), more);
        more();
      },
      json({ models: [] }),
      json({ data: [] }),
      (_, response) => response.writeHead(401).end(),
      (_, response) => response.writeHead(302, { location: '/other' }).end(),
      (_, response) => response.end('<html>'),
    ];
    const known = await Promise.all(
      handlers.map(async (handle, n) => ({ name: `s${n}`, program: `S${n}`, port: await listen(handle) })),
    );
    const http = createPublicHttp({ allow: known.map(({ port }) => `127.0.0.1:${port}`), names });
    const found = await findServers(http, crypto.randomUUID(), known, 60_000);
    const [first] = known;
    assert.deepEqual(found, [
      { name: 's0', program: 'S0', base_url: `http://127.0.0.1:${first?.port}/v1`, models: ['a', 'b:1'] },
    ]);
    assert.deepEqual(asked, ['/v1/models', undefined]);
    const silent = { name: 'silent', program: 'Silent', port: await listen(() => undefined) };
    const own = createPublicHttp({ allow: [`127.0.0.1:${silent.port}`], names });
    assert.deepEqual(await findServers(own, crypto.randomUUID(), [silent], 100), []);
  });

  it('the usual ports may be called in local mode, and nothing else', async () => {
    const usual = knownServers.map(({ port }) => `127.0.0.1:${port}`);
    assert.deepEqual(modelAllow({ MODEL_ALLOW: ['a'] }, true), ['a', ...usual]);
    assert.deepEqual(modelAllow({ MODEL_ALLOW: ['a'] }, false), ['a']);
    const provider = (base_url: string) => ({ kind: 'compatible', name: 'here', base_url, models: ['m'] });
    const says = async (stack: typeof local, base_url: string) => {
      const { call } = await signIn(stack(), ['models.manage']);
      const { status, body } = await call('POST', '/model-providers', provider(base_url));
      return `${status} ${JSON.stringify(body)}`;
    };
    const place = `http://${usual[0]}/v1/nothing`;
    assert.match(await says(deployed, place), /^422 .*is private/);
    // 201 if a server of this machine answers there; otherwise it cannot be reached.
    assert.match(await says(local, place), /^(201|422) (?!.*is private)/);
    const port = await listen(json({}));
    assert.match(await says(local, `http://127.0.0.1:${port}/v1`), /^422 .*is private/);
  });

  it('outside of local mode none is looked for, and the model cannot be started', async () => {
    const { call } = await signIn(deployed(), ['models.manage']);
    assert.deepEqual((await call('GET', '/model-servers')).body, { offered: false, data: [] });
    assert.deepEqual((await call('GET', '/local-model')).body, unavailableModel);
    const refused = await call('POST', '/local-model');
    assert.equal(refused.status, 409);
    assert.match(JSON.stringify(refused.body), /npm start/);
    const here = await signIn(local(), ['models.manage']);
    const { body } = await here.call('GET', '/model-servers');
    assert.equal((body as { offered: boolean }).offered, true);
    for (const [method, path] of [
      ['GET', '/local-model'],
      ['POST', '/local-model'],
      ['GET', '/model-servers'],
    ] as const) {
      const reader = await signIn(local(), ['tokens.view']);
      assert.equal((await reader.call(method, path)).status, 403);
    }
  });

  it('the model starts once, after its audit event is written; without the event it does not start', async () => {
    const { db, organizationId } = deployed();
    let starts = 0;
    let view: LocalModel = { ...unavailableModel, state: 'off' };
    const supervised = {
      view: () => view,
      start: () => {
        starts += 1;
        view = { ...view, state: 'fetching' };
        return Promise.resolve();
      },
    };
    const http = createPublicHttp({ allow: [], names });
    const actor: OrganizationActor = { kind: 'system', name: 'a test', organizationId };
    const unreachable = connectDatabase('postgres://127.0.0.1:9/none', 1);
    await assert.rejects(createLocalModels({ db: unreachable, supervised, http }).start(actor));
    await unreachable.close();
    assert.equal(starts, 0);
    const models = createLocalModels({ db, supervised, http });
    assert.equal((await models.start(actor)).state, 'fetching');
    assert.equal((await models.start(actor)).state, 'fetching');
    assert.equal(starts, 1);
    const events = await db
      .knex('audit_log')
      .where({ organization_id: organizationId, action: 'local_model_started' })
      .select<{ target: string }[]>('target');
    assert.deepEqual(events, [{ target: 'local' }]);
  });
});
