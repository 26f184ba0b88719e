import assert from 'node:assert/strict';
import { toolConnection, toolConnectionList } from '../../../src/contract/workspace/tools.ts';
import { connect, newDocsCaller, useDocsStack } from '../../support/docs-stack.ts';

const body = (api_key: string) => ({ body: { auth: 'API_KEY', api_key } });

describe('POST /v1/tools/docs/connections with an API key', () => {
  const docs = useDocsStack();

  it('201: checks the key at the workspace and returns what it connects to', async () => {
    const { stack, emulator } = docs();
    const { api } = await stack.stranger();
    const made = await connect(api, emulator.tokens.main);
    assert.deepEqual(
      { ...made, id: '', created_at: '' },
      {
        id: '',
        auth: 'API_KEY',
        status: 'connected',
        workspace_name: 'Emulated workspace',
        workspace_id: emulator.ids.workspace,
        integration_name: 'Emulated connection',
        created_at: '',
      },
    );
    assert.equal(emulator.count('GET', '/v1/users/me'), 1);
  });

  it('accepts both forms of a key, with spaces and "Bearer " around it; the same integration stays one connection', async () => {
    const { stack, emulator } = docs();
    const { api } = await stack.stranger();
    const first = await connect(api, emulator.tokens.legacy);
    const second = await connect(api, `  Bearer ${emulator.tokens.main}\n`);
    assert.equal(second.id, first.id);
    assert.equal(second.notice, undefined);
    const list = toolConnectionList.parse((await api.call('GET', '/tools/docs/connections')).body);
    assert.equal(list.data.length, 1);
  });

  it('keeps several workspaces of one organization apart, and requires a choice between them', async () => {
    const { stack, emulator } = docs();
    const { api } = await stack.stranger();
    const main = await connect(api, emulator.tokens.main);
    const other = await connect(api, emulator.tokens.other);
    const path = '/tools/docs/actions/DOCS_GET_ABOUT_ME';
    const refused = await api.refused(422, 'POST', path, { body: { input: {} } });
    assert.equal(refused.details?.[0]?.path, 'connection_id');
    for (const { id, workspace_name } of [main, other])
      assert.ok(refused.details[0].message.includes(`${String(workspace_name)} (${id})`));
    for (const { id, workspace_name } of [main, other]) {
      const answer = await api.call('POST', path, { body: { input: {}, connection_id: id } });
      const { data } = answer.body as { data: string };
      const about = JSON.parse(data) as { bot: { workspace_name: string } };
      assert.equal(about.bot.workspace_name, workspace_name);
    }
  });

  it('422 invalid_credentials for a key that the workspace refuses, and stores nothing', async () => {
    const { api } = await docs().stack.stranger();
    for (const key of ['secret_unknown', 'ntn_unknown', 'no such key', 'ключ']) {
      const refused = await api.refused(422, 'POST', '/tools/docs/connections', body(key));
      assert.equal(refused.code, 'invalid_credentials', key);
    }
    assert.deepEqual((await api.call('GET', '/tools/docs/connections')).body, {
      data: [],
      next_cursor: null,
    });
  });

  it('says that no page is shared yet, and that a key has an unusual form', async () => {
    const { stack, emulator } = docs();
    const { token } = emulator.addConnection({ shared: [] });
    const { api } = await stack.stranger();
    assert.match((await connect(api, token)).notice ?? '', /no pages are shared yet/);
  });

  it('502 if the workspace returns no usable response, 503 while it is rate-limited', async () => {
    const { stack, emulator } = docs();
    const { api } = await stack.stranger();
    const path = '/tools/docs/connections';
    emulator.faults.add({ path: '/v1/users/me', fault: { kind: 'bad-gateway' } });
    assert.equal(
      (await api.refused(502, 'POST', path, body(emulator.tokens.main))).code,
      'gateway_unreachable',
    );
    emulator.faults.add({ path: '/v1/users/me', fault: { kind: 'wrong-json', body: { object: 'user' } } });
    assert.equal(
      (await api.refused(502, 'POST', path, body(emulator.tokens.main))).code,
      'gateway_unreachable',
    );
    for (const status of [401, 403, 404]) {
      emulator.faults.add({ path: '/v1/users/me', fault: { kind: 'proxy-page', status } });
      const refused = await api.refused(502, 'POST', path, body(emulator.tokens.main));
      assert.equal(refused.code, 'gateway_unreachable');
      assert.match(refused.error, new RegExp(`HTTP ${status} came from a proxy.*could not be checked`));
    }
    emulator.faults.add({ path: '/v1/users/me', fault: { kind: 'rate-limited', retryAfter: 90 } });
    const answer = await api.call('POST', path, body(emulator.tokens.main));
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '90']);
  });

  it('stores no key unencrypted', async () => {
    const { stack, emulator } = docs();
    const { id } = await connect((await stack.stranger()).api, emulator.tokens.main);
    const row: unknown = await stack.db.knex('tool_connections').where({ id }).first();
    assert.ok(!JSON.stringify(row).includes('emulator_main'));
    assert.match((row as { access_token: string }).access_token, /^v1:[0-9a-f]{8}:/);
  });
});

describe('GET and DELETE /v1/tools/docs/connections/{id}', () => {
  const docs = useDocsStack();

  it('reads a connection, then deletes it; actions cannot run afterwards', async () => {
    const { api } = await newDocsCaller(docs());
    const { data } = toolConnectionList.parse((await api.call('GET', '/tools/docs/connections')).body);
    const path = `/tools/docs/connections/${data[0]!.id}`;
    assert.deepEqual(toolConnection.parse((await api.call('GET', path)).body), data[0]);
    assert.equal((await api.call('DELETE', path)).status, 204);
    assert.equal((await api.refused(404, 'GET', path)).code, 'not_found');
    assert.equal((await api.refused(404, 'DELETE', path)).code, 'not_found');
    const run = '/tools/docs/actions/DOCS_GET_ABOUT_ME';
    assert.equal((await api.refused(409, 'POST', run, { body: { input: {} } })).code, 'invalid_state');
  });

  it('404 for a connection of another organization, which stays unchanged', async () => {
    const mine = await newDocsCaller(docs());
    const theirs = await newDocsCaller(docs());
    const { data } = toolConnectionList.parse((await theirs.api.call('GET', '/tools/docs/connections')).body);
    const path = `/tools/docs/connections/${data[0]!.id}`;
    await mine.api.refused(404, 'GET', path);
    await mine.api.refused(404, 'DELETE', path);
    const refused = await mine.api.refused(422, 'POST', '/tools/docs/actions/DOCS_GET_ABOUT_ME', {
      body: { input: {}, connection_id: data[0]!.id },
    });
    assert.equal(refused.details?.[0]?.path, 'connection_id');
    assert.equal((await theirs.api.call('GET', path)).status, 200);
  });
});
