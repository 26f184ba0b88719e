/**
 * A stolen dump of the database, without ENCRYPTION_KEY, gives no token, password or secret; and counters contain no
 * email.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { base32Bytes } from '../../support/authenticator-app.ts';
import { makePerson, setUpSecondFactor, signInAs } from '../../support/console-person.ts';
import { connect, startDocsStack, type DocsStack } from '../../support/docs-stack.ts';
import { startGatewayEmulator, type GatewayEmulator } from '../../support/gateway/start-gateway-emulator.ts';
import { until } from '../../support/until.ts';

describe('A stolen dump', () => {
  let docs: DocsStack;
  let gateway: GatewayEmulator;
  before(async () => {
    gateway = await startGatewayEmulator();
    docs = await startDocsStack({ GATEWAY_ALLOW: '127.0.0.1/32', MODEL_ALLOW: '127.0.0.0/8' });
  });
  after(async () => {
    await docs.stack.stop();
    await Promise.all([docs.emulator.stop(), docs.model.close(), gateway.stop()]);
  });

  /** Every row of every table as text; bytea columns also as they read in Latin-1. */
  const dump = async (only?: RegExp) => {
    const { pool } = docs.stack.db;
    const { rows: tables } = await pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const found = new Map<string, string>();
    for (const { name } of tables.filter((one) => only?.test(one.name) ?? true)) {
      const { rows } = await pool.query<Record<string, unknown>>(`select * from ${name}`);
      const text = rows.map((row) =>
        Object.values(row)
          .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)))
          .join(' '),
      );
      found.set(name, text.join('\n'));
    }
    return found;
  };

  it('contains no secret of a busy installation, in no encoding, and its sessions open nothing', async () => {
    const { stack, emulator } = docs;
    const { organizationId, api, token } = await stack.stranger();
    const person = await makePerson({ ...stack, organizationId });
    const session = await signInAs(stack, person);
    const factor = await setUpSecondFactor(session, person);
    const leaver = await makePerson({ ...stack, organizationId });
    const created = async (path: string, body: unknown) => {
      const answer = await session.call('POST', path, body);
      assert.equal(answer.status, 201, `${path} ${JSON.stringify(answer.body)}`);
      return answer.body as Record<string, string>;
    };
    const second = await created('/tokens', { name: 'second' });
    const rotated = await session.call('POST', `/tokens/${second['id']}/rotate`, {});
    const invited = await created('/invitations', { email: 'invited@example.com', role_id: 'admin' });
    const members = (await session.call('GET', '/members')).body as { data: { id: string; email: string }[] };
    const member = members.data.find(({ email }) => email === leaver.email)?.id ?? '';
    const reset = await created(`/members/${member}/reset`, {});
    const modelKey = `sk-${randomBytes(16).toString('hex')}`;
    const provider = {
      kind: 'compatible',
      name: 'mine',
      base_url: docs.model.baseUrl,
      api_key: modelKey,
      models: ['m'],
    };
    await created('/model-providers', provider);

    const agent = await api.createAgent({ model: 'scripted/default', script: [{ when: 'x', reply: 'y' }] });
    await api.ask(agent.id, { message: 'x' });
    const form = { base_url: gateway.url, instance_token: gateway.instanceToken };
    const put = await api.call('PUT', `/agents/${agent.id}/channel`, { body: form });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    const webhook = (put.body as { webhook_url: string }).webhook_url;
    assert.equal((await api.call('POST', `/agents/${agent.id}/channel/webhook`)).status, 200);
    await connect(api, emulator.tokens.main);
    const oauth = await api.call('POST', '/tools/docs/connections', { body: { auth: 'OAUTH2' } });
    const state = new URL((oauth.body as { authorization_url: string }).authorization_url).searchParams.get(
      'state',
    );
    const guessed = await session.call('POST', '/password', {
      current_password: 'a wrong guess',
      new_password: 'another one!',
    });
    assert.equal(guessed.status, 422);
    const failed = await fetch(new URL('/console/api/sign-in', stack.apiUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: leaver.email, password: 'a wrong guess' }),
    });
    assert.equal(failed.status, 401);
    await until(
      'the failed sign-in',
      async () => (await stack.db.knex('audit_log').where({ action: 'sign_in_failed' })).length > 0,
    );

    const lastPart = (text: string | undefined) => text?.split(/[/#?=&]/).at(-1) ?? '';
    const secrets = {
      'API token': token,
      'another API token': second['token'] ?? '',
      'rotated API token': (rotated.body as { token: string }).token,
      'session cookie': decodeURIComponent(session.cookies.split('=').slice(1).join('=').split(';')[0] ?? ''),
      password: person.password,
      'secret of a second factor': factor.secret,
      'the same secret as bytes': base32Bytes(factor.secret).toString(),
      'recovery code': factor.codes[0] ?? '',
      'wrong password': 'a wrong guess',
      'invitation link': lastPart(invited['link']),
      'reset link': lastPart(reset['link']),
      'key of a model provider': modelKey,
      'gateway token': gateway.instanceToken,
      'webhook secret': lastPart(webhook),
      'workspace token': emulator.tokens.main,
      'OAuth state': state ?? '',
      ENCRYPTION_KEY: stack.env['ENCRYPTION_KEY'] ?? Buffer.alloc(32, 7).toString('base64'),
    };
    const tables = await dump();
    const everything = [...tables.values()].join('\n');
    for (const open of [person.email, token.slice(0, 11), gateway.url])
      assert.ok(everything.includes(open), `${open}, which is no secret, is found`);
    for (const [what, secret] of Object.entries(secrets)) {
      assert.ok(secret.length >= 8, `${what}: ${secret}`);
      const bytes = Buffer.from(secret);
      for (const form of [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')])
        for (const [table, text] of tables) assert.ok(!text.includes(form), `${what} is in ${table}`);
    }

    // The rows of sessions contain a value that only the key's signature makes a cookie of.
    const [row] = await stack.db.knex<{ token: string }>('console_sessions').select('token');
    const cookie = session.cookies.split('=')[0] ?? '';
    const forged = await fetch(new URL('/console/api/session', stack.apiUrl), {
      headers: {
        cookie: `${cookie}=${row?.token}.${encodeURIComponent(randomBytes(32).toString('base64'))}`,
      },
    });
    assert.deepEqual(await forged.json(), { session: null });
  });

  it('contains no email in the counters of calls and sign-ins', async () => {
    const counters = await dump(/rate|counter|sign_in|attempt/);
    assert.ok(
      [...counters.values()].some((text) => text !== ''),
      'something was counted',
    );
    for (const [table, text] of counters) assert.ok(!text.includes('example.com'), table);
  });
});
