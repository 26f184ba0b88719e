/**
 * Reset links that people ask for on the sign-in page: who gets one, what it changes and what it does not, and that
 * nobody learns from it which emails have accounts.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Member } from '../../../src/contract/accounts/members.ts';
import { freePort } from '../../../src/local/ports.ts';
import { ApiClient, type ApiAnswer } from '../../support/api-client.ts';
import { consoleBrowser } from '../../support/console-browser.ts';
import {
  makePerson,
  setUpSecondFactor,
  signIn,
  signInAs,
  type ConsoleCaller,
  type Person,
} from '../../support/console-person.ts';
import { startMailServer, type MailServer } from '../../support/mail-server.ts';
import { startOwnProcess } from '../../support/own-process.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const path = '/password-reset/request';
const password = 'the next password';
const someone = () => `${randomUUID()}@example.com`;

describe('A reset link that somebody asks for', () => {
  let server: MailServer;
  const stack = useStack(async () => {
    server = await startMailServer({ name: 'parley', password: 'p@ss:word/' });
    return {
      workers: 0,
      env: {
        TRUST_PROXY: '1',
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        SMTP_URL: server.url,
        SMTP_FROM: 'parley@mail.example',
      },
    };
  });
  after(async () => {
    await server.close();
  });

  const mailsTo = (email: string) => server.mails.filter(({ to }) => to === email);
  const mailed = async (email: string, count: number) =>
    await until(`mail ${count} to ${email}`, () => mailsTo(email).length === count);
  /** Asks at an address that nobody else has, or with the given browser. */
  const ask = async (email: string, visitor = consoleBrowser(stack())) => {
    const answer = await visitor.call('POST', path, { email });
    assert.deepEqual([answer.status, answer.body], [202, '']);
    return answer;
  };
  /** Returns once the requests before it are done: the mail of another account comes after what they send. */
  const settled = async () => {
    const { email } = await makePerson(stack());
    await ask(email);
    await mailed(email, 1);
  };
  const linkFor = async ({ email }: Person) => {
    const before = mailsTo(email).length;
    await ask(email);
    await mailed(email, before + 1);
    const { text } = mailsTo(email).at(-1)!;
    return new RegExp(`${new URL(stack().apiUrl).origin}/reset#(\\S+)`).exec(text)?.[1] ?? assert.fail(text);
  };
  const open = async (token: string) =>
    (await consoleBrowser(stack()).call('POST', '/password-reset', { token })).status === 200;
  const use = async (token: string) =>
    (await consoleBrowser(stack()).call('POST', '/password-reset/use', { token, password })).status;
  const isIn = async ({ call }: ConsoleCaller) => (await call('GET', '/members')).status === 200;
  const idOf = async ({ call }: ConsoleCaller, { email }: Person) => {
    const { data } = (await call('GET', '/members')).body as { data: Member[] };
    return data.find((one) => one.email === email)?.id ?? assert.fail(email);
  };
  const userIdOf = async ({ email }: Person) =>
    (await stack().db.knex('console_users').where({ email }).first<{ id: string }>('id')).id;
  const resets = async (person: Person) =>
    await stack()
      .db.knex<{ identifier: string; expires_at: Date }>('console_verifications')
      .where('identifier', `asked-password-reset:${await userIdOf(person)}`);
  const ownApi = async (env: NodeJS.ProcessEnv) => {
    const port = await freePort();
    const log = join(tmpdir(), `parley-reset-requests-api-${port}.log`);
    const api = await startOwnProcess('api', { ...stack().env, ...env, PORT: String(port) }, log);
    return { ...api, log, apiUrl: `http://127.0.0.1:${port}/v1` };
  };

  it('reaches the mailbox of the account, and sets the password once', async () => {
    const person = await makePerson(stack());
    const before = await signInAs(stack(), person);
    const asked = await consoleBrowser(stack()).call('POST', path, { email: person.email.toUpperCase() });
    assert.equal(asked.status, 202);
    await mailed(person.email, 1);
    const token = await linkFor(person);
    const { text, raw } = mailsTo(person.email).at(-1)!;
    assert.match(text, /works once and expires in one hour/);
    assert.match(text, /If it was not you, ignore this mail: nothing has changed\./);
    assert.match(raw, /^From: Parley <parley@mail\.example>\r$/m);
    assert.equal(await use(token), 204);
    assert.equal(await use(token), 404);
    assert.equal(await isIn(before), false);
    await assert.rejects(signInAs(stack(), person), /401|wrong/);
    assert.ok(await isIn(await signInAs(stack(), { email: person.email, password })));
    const events = await stack().db.knex('audit_log').where({ target: person.email }).pluck('action');
    assert.ok(events.includes('password_reset'));
    assert.ok(!events.includes('password_reset_created'));
  });

  it('does not replace the second factor', async () => {
    const person = await makePerson(stack());
    await setUpSecondFactor(await signInAs(stack(), person), person);
    assert.equal(await use(await linkFor(person)), 204);
    const body = { email: person.email, password };
    const answer = await consoleBrowser(stack()).call('POST', '/sign-in', body);
    assert.deepEqual([answer.status, answer.body], [200, { second_factor: true }]);
  });

  it('changes nothing until it is used: the password, the sessions and an administrator’s link stay', async () => {
    const administrator = await signIn(stack());
    const person = await makePerson(stack());
    const made = await administrator.call('POST', `/members/${await idOf(administrator, person)}/reset`);
    assert.equal(made.status, 201);
    const given = /\/reset#(\S+)/.exec(mailsTo(person.email)[0]!.text)?.[1] ?? assert.fail();
    const before = await signInAs(stack(), person);
    const asked = await linkFor(person);
    assert.ok(await isIn(before));
    assert.ok(await isIn(await signInAs(stack(), person)));
    assert.deepEqual([await open(given), await open(asked)], [true, true]);
    assert.equal(await use(given), 204);
    assert.equal(await open(asked), false);
  });

  it('is replaced by the next, and expires after an hour', async () => {
    const person = await makePerson(stack());
    const [first, second] = [await linkFor(person), await linkFor(person)];
    assert.deepEqual([await open(first), await open(second)], [false, true]);
    const rows = await resets(person);
    assert.equal(rows.length, 1);
    const minutes = (rows[0]!.expires_at.getTime() - Date.now()) / 60_000;
    assert.ok(minutes > 58 && minutes <= 60, `${minutes} minutes`);
    assert.ok(!JSON.stringify(rows).includes(second.split('.')[1]!), 'the secret is stored');
    await stack()
      .db.knex('console_verifications')
      .where('identifier', rows[0]!.identifier)
      .update({ expires_at: new Date(0) });
    assert.deepEqual([await open(second), await use(second)], [false, 404]);
  });

  const ends: [string, boolean, (administrator: ConsoleCaller, person: Person) => Promise<ApiAnswer>][] = [
    [
      'ends when its user changes the password',
      false,
      async (_, person) => {
        const body = { current_password: person.password, new_password: 'a password of their own' };
        return await (await signInAs(stack(), person)).call('POST', '/password', body);
      },
    ],
    [
      'ends when the account is deleted',
      false,
      async (administrator, person) =>
        await administrator.call('DELETE', `/members/${await idOf(administrator, person)}`),
    ],
    [
      'ends when an administrator resets the password',
      false,
      async (administrator, person) =>
        await administrator.call('POST', `/members/${await idOf(administrator, person)}/reset`),
    ],
    [
      'stays when its user gets another role, because only they can have it',
      true,
      async (administrator, person) =>
        await administrator.call('PATCH', `/members/${await idOf(administrator, person)}`, {
          role_id: 'admin',
        }),
    ],
    [
      'stays when another member leaves, because that member cannot have it',
      true,
      async (administrator) => {
        const leaves = await makePerson(stack());
        return await administrator.call('DELETE', `/members/${await idOf(administrator, leaves)}`);
      },
    ],
  ];
  for (const [what, stays, act] of ends)
    it(what, async () => {
      const administrator = await signIn(stack());
      const person = await makePerson(stack());
      const userId = await userIdOf(person);
      const token = await linkFor(person);
      assert.ok(await open(token));
      assert.ok((await act(administrator, person)).status < 300);
      assert.equal(await open(token), stays);
      const left = await stack()
        .db.knex('console_verifications')
        .where('identifier', `asked-password-reset:${userId}`);
      assert.equal(left.length, stays ? 1 : 0);
    });

  it('is answered alike for an account, none, one without a password, and a refused mail', async () => {
    const [withAccount, refused, ofProvider] = [
      await makePerson(stack()),
      await makePerson(stack()),
      await makePerson(stack()),
    ];
    server.refused.add(refused.email);
    const user_id = await userIdOf(ofProvider);
    await stack().db.knex('console_accounts').where({ user_id }).update({
      provider_id: 'https://issuer.example',
      account_id: randomUUID(),
    });
    const answers = [];
    for (const email of [withAccount.email, someone(), ofProvider.email, refused.email])
      answers.push(await ask(email));
    const seen = answers.map(({ headers }) => [...headers].filter(([name]) => name !== 'date').sort());
    for (const one of seen) assert.deepEqual(one, seen[0]);
    await mailed(withAccount.email, 1);
    await settled();
    assert.equal(mailsTo(ofProvider.email).length, 0);
    assert.deepEqual(await resets(ofProvider), []);
  });

  it('can be asked for five times an hour at one address, at all processes together', async () => {
    const other = await ownApi({});
    const at = async (apiUrl: string, host: string, email: string) =>
      await new ApiClient(new URL('/console/api', apiUrl).href, '').call('POST', path, {
        ...{ token: null, body: { email }, headers: { 'x-forwarded-for': host } },
      });
    const { email } = await makePerson(stack());
    // Counts as one address: a host usually has a whole /64.
    const hosts = ['2001:db8::1', '2001:db8::2'];
    for (let asked = 0; asked < 5; asked += 1) {
      const { apiUrl } = asked % 2 === 0 ? other : stack();
      assert.equal((await at(apiUrl, hosts[asked % 2]!, someone())).status, 202);
    }
    for (const { apiUrl } of [other, stack()])
      for (const wanted of [email, someone()]) {
        const refused = await at(apiUrl, hosts[0]!, wanted);
        assert.equal(refused.status, 429);
        assert.ok(Number(refused.headers.get('retry-after')) > 0);
      }
    assert.equal((await at(stack().apiUrl, '2001:db8:0:1::1', email)).status, 202);
    await mailed(email, 1);
    await other.kill();
  });

  it('is sent three times a day to an email; after that it is answered alike, and the last link works', async () => {
    const person = await makePerson(stack());
    let token = '';
    for (let asked = 1; asked <= 3; asked += 1) token = await linkFor(person);
    await ask(person.email);
    await ask(person.email.toUpperCase());
    await settled();
    assert.equal(mailsTo(person.email).length, 3);
    assert.equal(await use(token), 204);
  });

  it('counts an email without an account alike, and stores neither the email nor the address', async () => {
    const counters = async () => {
      const { rows } = await stack().db.pool.query<{ row: string; key: string; calls: number }>(
        `select t::text as row, key, calls from rate_limits t where key like 'asked-resets%'`,
      );
      return rows;
    };
    const before = new Set((await counters()).map(({ key }) => key));
    const email = someone();
    for (let asked = 1; asked <= 4; asked += 1) await ask(email);
    const own = async () => (await counters()).find(({ key, calls }) => !before.has(key) && calls === 4);
    const { key } = await until('the count of the email', own);
    assert.match(key, /^asked-resets-to:[0-9a-f]{64}$/);
    for (const { row } of await counters()) assert.doesNotMatch(row, /example\.com|203\.0\.113|2001:/);
  });

  it('is sent 200 times an hour by the installation; after that it is answered alike', async () => {
    const key = 'asked-resets:all';
    const rates = () => stack().db.knex<{ key: string; calls: number }>('rate_limits').where({ key });
    await settled();
    const [before] = await rates();
    await rates().update({ calls: 200 });
    const { apiUrl, kill } = await ownApi({});
    const person = await makePerson(stack());
    await ask(person.email, consoleBrowser({ apiUrl }));
    await until('the request to be refused', async () => ((await rates())[0]?.calls ?? 0) > 200);
    await rates().update({ calls: before!.calls });
    await settled();
    assert.equal(mailsTo(person.email).length, 0);
    assert.deepEqual(await resets(person), []);
    await kill();
  });

  it('does not count while the mail server is away', async () => {
    const { apiUrl, log, kill } = await ownApi({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
    const person = await makePerson(stack());
    const failures = async () => (await readFile(log, 'utf8')).split('a mail could not be sent').length - 1;
    for (let asked = 1; asked <= 4; asked += 1) {
      await ask(person.email, consoleBrowser({ apiUrl }));
      await until(`failure ${asked}`, async () => (await failures()) === asked);
    }
    await kill();
    await linkFor(person);
  });

  it('is answered at once while the mail server is silent, in bounded memory, and the API stops', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const { port } = silent.address() as AddressInfo;
    const { apiUrl, log, stop } = await ownApi({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const began = performance.now();
    // Two are worked on, 50 wait, and the rest is dropped.
    for (let asked = 1; asked <= 54; asked += 1) {
      const { email } = await makePerson(stack());
      await ask(email, consoleBrowser({ apiUrl }));
    }
    const tookMs = performance.now() - began;
    assert.ok(tookMs < 9000, `54 answers took ${tookMs} ms, while one mail takes 10,000`);
    assert.match(await readFile(log, 'utf8'), /somebody asked for was not made or not sent/);
    assert.match(await stop(), /0/);
    silent.close();
  });

  it('cannot be asked for without a mail server, and the sign-in page knows', async () => {
    const offer = await consoleBrowser(stack()).call('GET', '/sign-in-providers');
    assert.deepEqual(offer.body, { data: [], mails_resets: true });
    const { apiUrl, kill } = await ownApi({ SMTP_URL: undefined, SMTP_FROM: undefined });
    const visitor = consoleBrowser({ apiUrl });
    assert.deepEqual((await visitor.call('GET', '/sign-in-providers')).body, {
      data: [],
      mails_resets: false,
    });
    const refused = await visitor.call('POST', path, { email: someone() });
    assert.equal(refused.status, 409);
    assert.match(JSON.stringify(refused.body), /Ask an administrator/);
    await kill();
  });

  it('is for an email alone', async () => {
    for (const body of [{}, { email: 'nobody' }, { email: someone(), link: 'https://evil.example' }])
      assert.equal((await consoleBrowser(stack()).call('POST', path, body)).status, 422);
  });
});
