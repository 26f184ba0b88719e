/** Accounts: made by invitations alone, reset by links that work once, deleted with the last membership. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CreatedInvitation } from '../../../src/contract/accounts/invitations.ts';
import type { Member } from '../../../src/contract/accounts/members.ts';
import type { PasswordReset } from '../../../src/contract/accounts/password-reset.ts';
import { ApiClient } from '../../support/api-client.ts';
import {
  makePerson,
  signIn,
  signInAs,
  type ConsoleCaller,
  type Person,
} from '../../support/console-person.ts';
import { commandPrints } from '../../support/run-command.ts';
import { useSignInStack } from '../../support/stack.ts';
import { OAuthSteps } from '../../support/mcp-oauth-client.ts';
import { until } from '../../support/until.ts';

const secretOf = (link: string | null) => new URL(link ?? '').hash.slice(1);

describe('Accounts of the console', () => {
  const stack = useSignInStack();
  const anyone = async (path: string, body: unknown) =>
    await new ApiClient(new URL('/console/api', stack().apiUrl).href, '').call('POST', path, {
      token: null,
      body,
    });
  const membersOf = async (caller: ConsoleCaller) =>
    ((await caller.call('GET', '/members')).body as { data: Member[] }).data;
  const idOf = async (caller: ConsoleCaller, { email }: { email: string }) =>
    (await membersOf(caller)).find((one) => one.email === email)?.id ?? assert.fail(`${email} is no member`);
  const userOf = async ({ email }: { email: string }) =>
    await stack().db.knex<{ id: string; email: string }>('console_users').where({ email }).first('id');
  const actions = async () =>
    (
      await stack().db.knex<{ action: string; target: string }>('audit_log').orderBy('id', 'desc').limit(3)
    ).map(({ action, target }) => [action, target]);
  const inviteFrom = async (caller: ConsoleCaller, email: string) => {
    const answer = await caller.call('POST', '/invitations', { email, role_id: 'admin' });
    assert.equal(answer.status, 201);
    return answer.body as CreatedInvitation;
  };
  const isIn = async ({ call }: ConsoleCaller) => (await call('GET', '/members')).status === 200;

  it('nobody can create an account with a password for somebody else', async () => {
    const { call } = await signIn(stack());
    const body = { email: `${randomUUID()}@example.com`, password: 'ten characters', role_id: 'admin' };
    assert.equal((await call('POST', '/members', body)).status, 405);
    assert.equal(await userOf(body), undefined);
  });

  it('an invitation answers and opens in the same way for emails with and without an account', async () => {
    const inviter = await signIn(stack());
    const other = await stack().stranger();
    const known = await makePerson({ ...stack(), ...other });
    const shown = [];
    for (const email of [known.email, `${randomUUID()}@example.com`]) {
      const { link, ...invitation } = await inviteFrom(inviter, email);
      const token = secretOf(link);
      const offer = await anyone('/invitation', { token });
      const short = await anyone('/invitation/accept', { token, password: 'short' });
      const plain = (body: unknown) => JSON.stringify(body).replaceAll(email, 'EMAIL').replaceAll(/\d/g, '0');
      shown.push([Object.keys(invitation), plain(offer.body), plain(short.body)]);
    }
    assert.deepEqual(shown[0], shown[1]);
  });

  it('a wrong password for an invited account joins nobody, and an account is made with its membership only', async () => {
    const inviter = await signIn(stack());
    const other = await stack().stranger();
    const known = await makePerson({ ...stack(), ...other });
    const { link } = await inviteFrom(inviter, known.email);
    const wrong = await anyone('/invitation/accept', { token: secretOf(link), password: 'not the password' });
    assert.equal(wrong.status, 422);
    const stranger = `${randomUUID()}@example.com`;
    const { link: broken } = await inviteFrom(inviter, stranger);
    await stack().db.pool.query(`create or replace function refuse_member() returns trigger language plpgsql
      as $$ begin raise exception 'no member'; end $$`);
    await stack().db.pool.query(
      'create trigger refuse_member before insert on console_members for each row execute function refuse_member()',
    );
    const failed = await anyone('/invitation/accept', {
      token: secretOf(broken),
      password: 'a long password',
    });
    await stack().db.pool.query('drop trigger refuse_member on console_members');
    assert.equal(failed.status, 500);
    assert.equal(await userOf({ email: stranger }), undefined);
    const made = await anyone('/invitation/accept', { token: secretOf(broken), password: 'a long password' });
    assert.equal(made.status, 204);
    assert.ok(await isIn(await signInAs(stack(), { email: stranger, password: 'a long password' })));
  });

  describe('A reset by an administrator', () => {
    const reset = async (caller: ConsoleCaller, person: Person) =>
      await caller.call('POST', `/members/${await idOf(caller, person)}/reset`);

    it('ends all sessions, and is a link that works once', async () => {
      const administrator = await signIn(stack());
      const person = await makePerson(stack());
      const before = await signInAs(stack(), person);
      const answer = await reset(administrator, person);
      assert.equal(answer.status, 201);
      assert.equal(await isIn(before), false);
      assert.deepEqual((await actions())[0], ['password_reset_created', person.email]);
      const token = secretOf((answer.body as PasswordReset).link);
      const { rows } = await stack().db.pool.query<{ row: string }>(
        'select v::text as row from console_verifications v',
      );
      assert.ok(!rows.some(({ row }) => row.includes(token.split('.')[1]!)), 'the secret is stored');

      assert.deepEqual((await anyone('/password-reset', { token })).body, { email: person.email });
      assert.equal((await anyone('/password-reset/use', { token, password: 'short' })).status, 422);
      const meanwhile = await signInAs(stack(), person);
      const uses = await Promise.all(
        ['the next password', 'another password'].map(async (password) => ({
          password,
          status: (await anyone('/password-reset/use', { token, password })).status,
        })),
      );
      assert.deepEqual(uses.map(({ status }) => status).toSorted(), [204, 404]);
      const password = uses.find(({ status }) => status === 204)?.password ?? '';
      assert.equal(await isIn(meanwhile), false);
      assert.ok(await isIn(await signInAs(stack(), { email: person.email, password })));
      await assert.rejects(signInAs(stack(), person), /401|wrong/);
      assert.equal((await anyone('/password-reset', { token })).status, 404);
      assert.ok((await actions()).some(([action]) => action === 'password_reset'));
    });

    it('ends the consents for MCP clients, in every organization, and the audit log has them', async () => {
      const { db, apiUrl, organizationId } = stack();
      const administrator = await signIn(stack());
      const person = await makePerson(stack());
      const steps = new OAuthSteps(apiUrl);
      await steps.register();
      const consent = async () => {
        const code = await steps.code(await signInAs(stack(), person), organizationId);
        const { body } = await steps.exchange(code);
        assert.equal((await steps.use(String(body['access_token']))).status, 200);
        return String(body['access_token']);
      };
      const ended = async (access: string) => {
        await until('the consent to end', async () => (await steps.use(access)).status === 401);
        const { rows } = await db.pool.query<{ action: string; actor: string }>(
          `select action, actor from audit_log where organization_id = $1 order by id desc limit 3`,
          [organizationId],
        );
        return rows.find(({ action }) => action === 'mcp_client_removed')?.actor;
      };
      const first = await consent();
      const answer = await reset(administrator, person);
      assert.match((await ended(first)) ?? '', /@example\.com$/);
      // Whoever knows the old password can still sign in until the link is used.
      const second = await consent();
      const token = secretOf((answer.body as PasswordReset).link);
      assert.equal(
        (await anyone('/password-reset/use', { token, password: 'the next password' })).status,
        204,
      );
      assert.equal(await ended(second), person.email);
    });

    it('is replaced by the next, expires, and shows nothing for made-up links', async () => {
      const administrator = await signIn(stack());
      const person = await makePerson(stack());
      const [first, second] = [await reset(administrator, person), await reset(administrator, person)].map(
        ({ body }) => secretOf((body as PasswordReset).link),
      );
      assert.equal((await anyone('/password-reset', { token: first })).status, 404);
      assert.equal((await anyone('/password-reset', { token: second })).status, 200);
      const user = await userOf(person);
      await stack()
        .db.knex('console_verifications')
        .where({ identifier: `password-reset:${user?.id}` })
        .update({ expires_at: new Date(0) });
      const late = await anyone('/password-reset/use', { token: second, password: 'a long password' });
      const unknown = await anyone('/password-reset', { token: `${randomUUID()}.made-up` });
      const wrong = await anyone('/password-reset', { token: `${user?.id}.made-up` });
      for (const { status } of [late, unknown, wrong, await anyone('/password-reset', { token: 'x' })])
        assert.equal(status, 404);
      assert.deepEqual(unknown.body, wrong.body);
    });

    it('is for those alone whom the administrator may manage', async () => {
      const administrator = await signIn(stack());
      const person = await makePerson(stack());
      const manager = await signIn(stack(), ['members.manage']);
      assert.equal((await reset(manager, person)).status, 403);
      assert.equal(
        (await manager.call('POST', `/members/${await idOf(manager, person)}/sign-out`)).status,
        403,
      );
      const other = await stack().stranger();
      const theirs = await signIn({ ...stack(), ...other });
      const { link } = await inviteFrom(theirs, person.email);
      const open = secretOf(((await reset(administrator, person)).body as PasswordReset).link);
      const joined = await anyone('/invitation/accept', { token: secretOf(link), password: person.password });
      assert.equal(joined.status, 204);
      // A link that one organization's administrator has must not open the other organization.
      assert.equal((await anyone('/password-reset', { token: open })).status, 404);
      assert.equal((await reset(administrator, person)).status, 409);
    });
  });

  describe('The link of a reset ends', () => {
    const linkFor = async (administrator: ConsoleCaller, person: Person) => {
      const path = `/members/${await idOf(administrator, person)}/reset`;
      return secretOf(((await administrator.call('POST', path)).body as PasswordReset).link);
    };
    const isOpen = async (token: string) => (await anyone('/password-reset', { token })).status === 200;

    const ends: [string, (administrator: ConsoleCaller, person: Person) => Promise<number>][] = [
      [
        'when its user gets another role',
        async (administrator, person) => {
          const path = `/members/${await idOf(administrator, person)}`;
          return (await administrator.call('PATCH', path, { role_id: 'admin' })).status;
        },
      ],
      [
        'when its user changes the password',
        async (_, { email, password }) => {
          const own = await signInAs(stack(), { email, password });
          const body = { current_password: password, new_password: 'a password of their own' };
          return (await own.call('POST', '/password', body)).status;
        },
      ],
      [
        'when a member leaves, who may have made it',
        async (administrator) => {
          const leaves = await makePerson(stack());
          return (await administrator.call('DELETE', `/members/${await idOf(administrator, leaves)}`)).status;
        },
      ],
    ];
    for (const [when, end] of ends)
      it(when, async () => {
        const administrator = await signIn(stack());
        const person = await makePerson(stack());
        const token = await linkFor(administrator, person);
        assert.ok(await isOpen(token));
        assert.ok((await end(administrator, person)) < 300);
        assert.equal(await isOpen(token), false);
      });

    it('with the next one, also if both are made at once', async () => {
      const administrator = await signIn(stack());
      const person = await makePerson(stack());
      const tokens = await Promise.all(Array.from({ length: 8 }, () => linkFor(administrator, person)));
      const open = await Promise.all(tokens.map(isOpen));
      assert.equal(open.filter(Boolean).length, 1);
      const token = tokens[open.indexOf(true)];
      const used = await anyone('/password-reset/use', { token, password: 'the next password' });
      assert.equal(used.status, 204);
      for (const one of tokens) assert.equal(await isOpen(one), false);
    });

    it('not because strangers guess the password in the meantime', async () => {
      const administrator = await signIn(stack());
      const person = await makePerson(stack());
      const token = await linkFor(administrator, person);
      const guess = { email: person.email, password: 'not the password' };
      for (let guessed = 0; guessed < 11; guessed += 1) await anyone('/sign-in', guess);
      assert.equal((await anyone('/sign-in', guess)).status, 429);
      const used = await anyone('/password-reset/use', { token, password: 'the next password' });
      assert.equal(used.status, 204);
    });
  });

  it('what changes an account is in the audit log of each of its organizations', async () => {
    const administrator = await signIn(stack());
    const person = await makePerson(stack());
    const other = await stack().stranger();
    const theirs = await signIn({ ...stack(), ...other });
    const { link } = await inviteFrom(theirs, person.email);
    const token = secretOf(link);
    assert.equal((await anyone('/invitation/accept', { token, password: 'not the password' })).status, 422);
    assert.equal((await anyone('/invitation/accept', { token, password: person.password })).status, 204);
    const path = `/members/${await idOf(administrator, person)}/sign-out`;
    assert.equal((await administrator.call('POST', path)).status, 204);
    for (const [organization_id, expected] of [
      [stack().organizationId, ['sessions_ended', 'sign_in_failed', 'signed_in']],
      [other.organizationId, ['sessions_ended']],
    ] as const)
      await until('the events', async () => {
        const events = await stack()
          .db.knex<{ action: string; target: string; organization_id: string }>('audit_log')
          .where({ organization_id, target: person.email })
          .whereIn('action', ['sessions_ended', 'sign_in_failed', 'signed_in'])
          .orderBy('action');
        return events.map(({ action }) => action).join() === expected.join();
      });
  });

  it('invitations of a removed member end, and the audit log has them', async () => {
    const administrator = await signIn(stack());
    const person = await makePerson(stack());
    const email = `${randomUUID()}@example.com`;
    const inviter = await signInAs(stack(), person);
    const { link } = await inviteFrom(inviter, email);
    const removed = await administrator.call('DELETE', `/members/${await idOf(administrator, person)}`);
    assert.equal(removed.status, 204);
    assert.equal((await anyone('/invitation', { token: secretOf(link) })).status, 404);
    assert.ok(
      (await actions()).some(([action, target]) => action === 'invitation_revoked' && target === email),
    );
  });

  it('an invitation ends when its inviter may no longer give the role', async () => {
    const administrator = await signIn(stack());
    const demoted = await makePerson(stack());
    const { link } = await inviteFrom(await signInAs(stack(), demoted), `${randomUUID()}@example.com`);
    const token = secretOf(link);
    const statuses = async () => [
      (await anyone('/invitation', { token })).status,
      (await anyone('/invitation/accept', { token, password: 'short' })).status,
      (await anyone('/invitation/accept', { token, password: 'ten characters' })).status,
    ];
    assert.equal((await anyone('/invitation', { token })).status, 200);
    const made = await administrator.call('POST', '/roles', {
      ...{ name: `Invites ${randomUUID()}`, capabilities: ['members.manage'] },
    });
    const role_id = (made.body as { id: string }).id;
    const id = await idOf(administrator, demoted);
    assert.equal((await administrator.call('PATCH', `/members/${id}`, { role_id })).status, 200);
    assert.deepEqual(await statuses(), [404, 422, 404]);
    assert.match(JSON.stringify((await anyone('/invitation', { token })).body), /may no longer invite/);
  });

  it('ends the sessions of a member', async () => {
    const administrator = await signIn(stack());
    const person = await makePerson(stack());
    const sessions = [await signInAs(stack(), person), await signInAs(stack(), person)];
    const answer = await administrator.call('POST', `/members/${await idOf(administrator, person)}/sign-out`);
    assert.equal(answer.status, 204);
    for (const one of sessions) assert.equal(await isIn(one), false);
    assert.ok(await isIn(administrator));
    assert.deepEqual((await actions())[0], ['sessions_ended', person.email]);
    assert.ok(await isIn(await signInAs(stack(), person)));
  });

  it('deletes an account with its last membership, not before', async () => {
    const administrator = await signIn(stack());
    const person = await makePerson(stack());
    const other = await stack().stranger();
    const theirs = await signIn({ ...stack(), ...other });
    const { link } = await inviteFrom(theirs, person.email);
    const joined = await anyone('/invitation/accept', { token: secretOf(link), password: person.password });
    assert.equal(joined.status, 204);
    const user = await userOf(person);
    const remove = async (caller: ConsoleCaller) =>
      (await caller.call('DELETE', `/members/${await idOf(caller, person)}`)).status;
    assert.equal(await remove(administrator), 204);
    assert.deepEqual(await userOf(person), user);
    assert.ok(await isIn(await signInAs(stack(), person)));
    assert.equal(await remove(theirs), 204);
    assert.equal(await userOf(person), undefined);
    for (const table of ['console_accounts', 'console_sessions', 'console_members']) {
      const { rows } = await stack().db.pool.query(`select 1 from ${table} where user_id = $1`, [user?.id]);
      assert.deepEqual(rows, [], table);
    }
    await assert.rejects(signInAs(stack(), person));
  });

  it('`parley admin reset` prints a link, ends all sessions and writes to the log of each organization', async () => {
    const person = await makePerson(stack());
    const session = await signInAs(stack(), person);
    const parley = async (...words: string[]) =>
      await commandPrints(words, {
        DATABASE_URL: stack().databaseUrl,
        PUBLIC_URL: 'https://parley.example.com',
      });
    const printed = JSON.parse(
      await parley('admin', 'reset', person.email.toUpperCase()),
    ) as PasswordReset & { email: string };
    assert.equal(printed.email, person.email);
    assert.match(printed.link ?? '', /^https:\/\/parley\.example\.com\/reset#/);
    assert.equal(await isIn(session), false);
    const [entry] = await stack()
      .db.knex<{ action: string; actor: string; id: string }>('audit_log')
      .orderBy('id', 'desc')
      .limit(1);
    assert.equal(entry?.action, 'password_reset_created');
    assert.match(entry.actor, /^command line/);
    const used = await anyone('/password-reset/use', {
      token: secretOf(printed.link),
      password: 'a long password',
    });
    assert.equal(used.status, 204);
    await assert.rejects(
      parley('admin', 'reset', 'nobody@example.com'),
      /There is no account nobody@example.com/,
    );
  });
});
