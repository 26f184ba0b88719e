import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  recordCheck,
  ensureChannel,
  findChannel,
  openWebhookSecret,
} from '../../../src/adapters/postgres/whatsapp/channels.ts';
import { signingSecretPlace } from '../../../src/adapters/postgres/conversations/webhook-endpoints.ts';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { createAgent } from '../../../src/adapters/postgres/conversations/agents.ts';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import {
  forgetLostSecrets,
  rotateSecrets,
  secondFactorPlace,
  verifyEncryptionKey,
} from '../../../src/adapters/postgres/sealed-secrets.ts';
import { keyPlace } from '../../../src/adapters/models/models.ts';
import { tokenPlace } from '../../../src/adapters/postgres/workspace/tool-connections.ts';
import { createEncryption } from '../../../src/adapters/secrets/encryption.ts';
import { createAgent as agentForm } from '../../../src/contract/conversations/agents.ts';
import { mcpPlace } from '../../../src/app/mcp-servers/connect.ts';
import { signInPlace } from '../../../src/app/mcp-servers/oauth-tokens.ts';
import { sealHeaders } from '../../../src/app/http-tools/headers.ts';
import { backing } from '../../support/backing.ts';

const newKey = () => randomBytes(32).toString('base64');
const place = { organizationId: 'o', table: 't', rowId: 'r', column: 'c' };

describe('Secrets at rest', () => {
  const [first, next] = [newKey(), newKey()];
  const sealing = createEncryption(first);
  let db: Database;
  let agentId: string;
  const connection = { id: randomUUID(), organization_id: '' };

  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 2);
    const organizationId = (await createOrganization(db, 'an organization')).id;
    agentId = (await createAgent(db, organizationId, agentForm.parse({ name: 'an agent' }))).id;
    const channel = await ensureChannel(db, sealing, { id: agentId, organizationId });
    await recordCheck(
      db,
      sealing,
      channel,
      {
        ...{
          id: randomUUID(),
          agentId,
          trigger: 'connect',
          baseUrl: 'https://example.com',
          instanceToken: 'it',
        },
      },
      { kind: 'system', name: 'a test' },
    );
    connection.organization_id = organizationId;
    await db.knex('tool_connections').insert({
      ...{ ...connection, auth: 'API_KEY', status: 'connected' },
      ...{ access_token: sealing.seal('at', tokenPlace(connection, 'access_token')) },
      ...{ refresh_token: sealing.seal('rt', tokenPlace(connection, 'refresh_token')) },
    });
    const provider = { id: randomUUID(), organization_id: organizationId };
    await db.knex('model_providers').insert({
      ...{ ...provider, name: 'openai', kind: 'openai', models: ['m'] },
      api_key: sealing.seal('mk', keyPlace(provider)),
    });
    const tool = { id: randomUUID(), organization_id: organizationId };
    await db.knex('http_tools').insert({
      ...{ ...tool, name: 'find_order', description: 'd', method: 'GET', url: 'https://shop.example/' },
      ...{ parameters: '{"type":"object"}', effect: 'read', timeout_seconds: 15, answer_max_chars: 8000 },
      header_names: ['Authorization'],
      headers: sealHeaders(sealing, new Map([['authorization', 'hv']]), tool),
    });
    const server = { id: randomUUID(), organization_id: organizationId };
    await db.knex('mcp_servers').insert({
      ...{ ...server, name: 'shop', url: 'https://shop.example/mcp', auth: 'header', status: 'connected' },
      ...{ timeout_seconds: 30, answer_max_chars: 8000, header_name: 'Authorization' },
      header_value: sealing.seal('mv', mcpPlace(server)),
    });
    const signedIn = { id: randomUUID(), organization_id: organizationId };
    await db.knex('mcp_servers').insert({
      ...{ ...signedIn, name: 'bank', url: 'https://bank.example/mcp', auth: 'oauth', status: 'connected' },
      ...{ timeout_seconds: 30, answer_max_chars: 8000 },
    });
    const signIn = { id: randomUUID(), organization_id: organizationId };
    await db.knex('mcp_sign_ins').insert({
      ...{ ...signIn, server_id: signedIn.id, status: 'completed', issuer: 'https://auth.example' },
      ...{ token_endpoint: 'https://auth.example/token', token_auth: 'none', client_id: 'c' },
      ...{ is_client_typed: true, names_issuer: false },
      ...Object.fromEntries(
        (['client_secret', 'code_verifier', 'access_token', 'refresh_token'] as const).map((column) => [
          column,
          sealing.seal(column, signInPlace(signIn, column)),
        ]),
      ),
    });
    const endpoint = { id: randomUUID(), organization_id: organizationId };
    await db.knex('webhook_endpoints').insert({
      ...{ ...endpoint, url: 'https://shop.example', previous_until: new Date() },
      ...{ secret: sealing.seal('ws', signingSecretPlace(endpoint, 'secret')) },
      ...{ previous_secret: sealing.seal('wp', signingSecretPlace(endpoint, 'previous_secret')) },
    });
    const user = randomUUID();
    await db
      .knex('console_users')
      .insert({ id: user, name: 'A', email: 'a@example.com', two_factor_enabled: true });
    await db.knex('console_two_factors').insert({
      ...{ user_id: user, verified: true },
      secret: sealing.seal('fs', secondFactorPlace('secret')),
      backup_codes: sealing.seal('[]', secondFactorPlace('backup_codes')),
    });
  });
  after(async () => {
    await db.close();
  });

  it('open with their key at their place, and nowhere else', () => {
    const sealed = sealing.seal('a secret', place);
    assert.equal(sealing.open(sealed, place), 'a secret');
    assert.notEqual(sealing.seal('a secret', place), sealed);
    assert.throws(() => sealing.open(sealed, { ...place, rowId: 'another' }));
    assert.throws(() => sealing.open(sealed, { ...place, organizationId: 'another' }));
    assert.throws(() => createEncryption(next).open(sealed, place), /another ENCRYPTION_KEY/);
    assert.throws(() => createEncryption('short'), /32 bytes as base64/);
    assert.throws(() => createEncryption(undefined).seal('x', place), /Set ENCRYPTION_KEY/);
  });

  it('are refused at the start of a process that has another key', async () => {
    await verifyEncryptionKey(db, sealing);
    await verifyEncryptionKey(db, sealing);
    await assert.rejects(verifyEncryptionKey(db, createEncryption(next)), (error: Error) => {
      for (const id of [...sealing.keyIds, ...createEncryption(next).keyIds])
        assert.ok(error.message.includes(id));
      return error.message.includes('secrets rotate');
    });
  });

  it('are all encrypted again with a new key while both are set, and are then found by it', async () => {
    const both = createEncryption(`${next}, ${first}`);
    await verifyEncryptionKey(db, both);
    assert.deepEqual(await rotateSecrets(db, both), { sealed: 15, key_id: both.keyIds[0] });
    assert.deepEqual(await rotateSecrets(db, both), { sealed: 0, key_id: both.keyIds[0] });
    const alone = createEncryption(next);
    await verifyEncryptionKey(db, alone);
    await assert.rejects(verifyEncryptionKey(db, sealing), /another|encrypted with the ENCRYPTION_KEY/);
    const channel = await findChannel(db, agentId);
    assert.ok(channel);
    assert.match(openWebhookSecret(alone, channel), /^[\w-]{43}$/);
    const row = await db.knex<{ access_token: string; refresh_token: string }>('tool_connections').first();
    assert.ok(row);
    assert.equal(alone.open(row.access_token, tokenPlace(connection, 'access_token')), 'at');
    assert.equal(alone.open(row.refresh_token, tokenPlace(connection, 'refresh_token')), 'rt');
    const factor = await db.knex<{ secret: string }>('console_two_factors').first();
    assert.equal(alone.open(factor?.secret ?? '', secondFactorPlace('secret')), 'fs');
  });

  it('leave nothing under the old key in any column of any table', async () => {
    const { rows } = await db.pool.query<{ table_name: string; column_name: string }>(
      `select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type in ('text', 'jsonb', 'json')`,
    );
    assert.ok(rows.length > 50);
    for (const { table_name, column_name } of rows) {
      const found = await db.pool.query(
        `select 1 from "${table_name}" where "${column_name}"::text like '%v1:${sealing.keyIds[0]}:%'`,
      );
      assert.equal(found.rowCount, 0, `${table_name}.${column_name}`);
    }
  });

  it('are refused under another key also if the database has no record of the first', async () => {
    const alone = createEncryption(next);
    await db.knex('installation').where({ name: 'encryption_key_id' }).delete();
    const other = createEncryption(newKey());
    for (let tries = 0; tries < 2; tries += 1)
      await assert.rejects(verifyEncryptionKey(db, other), /encrypted with the ENCRYPTION_KEY of id/);
    await verifyEncryptionKey(db, alone);
    await assert.rejects(verifyEncryptionKey(db, other), /encrypted with the ENCRYPTION_KEY of id/);
  });

  it('whose key is lost are deleted by the command for it: they are connected again, and the new key is used from then on', async () => {
    const alone = createEncryption(next);
    assert.deepEqual(await forgetLostSecrets(db, alone), {
      channels: 0,
      tool_connections: 0,
      model_providers: 0,
      http_tools: 0,
      mcp_servers: 0,
      webhook_endpoints: 0,
      second_factors: 0,
      key_id: alone.keyIds[0],
    });
    const found = createEncryption(newKey());
    assert.deepEqual(await forgetLostSecrets(db, found), {
      channels: 1,
      tool_connections: 1,
      model_providers: 1,
      http_tools: 1,
      mcp_servers: 2,
      webhook_endpoints: 1,
      second_factors: 1,
      key_id: found.keyIds[0],
    });
    await verifyEncryptionKey(db, found);
    await assert.rejects(verifyEncryptionKey(db, alone));
    const channel = await findChannel(db, agentId);
    assert.ok(channel);
    assert.deepEqual([channel.state, channel.instance_token], ['not_connected', null]);
    assert.match(openWebhookSecret(found, channel), /^[\w-]{43}$/);
    const servers: unknown = await db.knex('mcp_servers').orderBy('name').select('name', 'status');
    assert.deepEqual(servers, [
      { name: 'bank', status: 'needs_sign_in' },
      { name: 'shop', status: 'needs_header' },
    ]);
    assert.deepEqual(await db.knex('mcp_sign_ins'), []);
    const row: unknown = await db.knex('tool_connections').first('status', 'access_token', 'refresh_token');
    assert.deepEqual(row, { status: 'needs_reconnect', access_token: null, refresh_token: null });
    assert.deepEqual(await db.knex('model_providers').select('api_key'), [{ api_key: null }]);
    assert.deepEqual(
      await db.knex('webhook_endpoints').select('secret', 'previous_secret', 'previous_until'),
      [{ secret: null, previous_secret: null, previous_until: null }],
    );
  });
});
