/** What users see and change of their own account: the sessions and the name. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Member } from '../../../src/contract/accounts/members.ts';
import type { OwnSession, OwnSessions } from '../../../src/contract/accounts/own-account.ts';
import type { ConsoleSession } from '../../../src/contract/accounts/session.ts';
import { ApiClient } from '../../support/api-client.ts';
import {
  makePerson,
  setUpSecondFactor,
  signIn,
  signInAs,
  type ConsoleCaller,
} from '../../support/console-person.ts';
import { useSignInStack } from '../../support/stack.ts';
import { unknownId } from '../../support/unknown-id.ts';

const firefox = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
};

describe('A user’s own account', () => {
  const stack = useSignInStack();
  const sessionsOf = async ({ call }: ConsoleCaller): Promise<OwnSessions> => {
    const answer = await call('GET', '/sessions');
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as OwnSessions;
  };
  const currentOf = async (caller: ConsoleCaller): Promise<OwnSession> =>
    (await sessionsOf(caller)).data.find((one) => one.is_current) ?? assert.fail('no current session');
  const isIn = async ({ call }: ConsoleCaller) => (await call('GET', '/sessions')).status === 200;
  const eventsOf = async (email: string) =>
    (
      await stack()
        .db.knex<{ action: string; target: string }>('audit_log')
        .where('target', 'like', `${email}%`)
        .orderBy('id')
    )
      .filter(({ action }) => action !== 'signed_in')
      .map(({ action, target }) => [action, target.slice(email.length)]);

  it('lists the user’s sessions with their browsers, the current one first', async () => {
    const person = await makePerson(stack());
    const other = await signInAs(stack(), person, firefox);
    const odd = await signInAs(stack(), person, { 'user-agent': `<b>Chrome</b>${'x'.repeat(5000)}` });
    const first = await sessionsOf(other);
    assert.deepEqual(
      first.data.map(({ browser, system, is_current }) => [browser, system, is_current]),
      [
        ['Firefox', 'Linux', true],
        [null, null, false],
      ],
    );
    assert.equal(first.has_more, false);
    const [current, another] = first.data;
    assert.equal((await currentOf(odd)).id, another?.id);
    assert.ok(Date.now() - Date.parse(current?.created_at ?? '') < 60_000);
    assert.ok(Date.parse(current?.last_seen_at ?? '') >= Date.parse(current?.created_at ?? ''));
  });

  it('neither returns nor stores a session’s secret, address or User-Agent beside what signs the user in', async () => {
    const person = await makePerson(stack());
    const caller = await signInAs(stack(), person, firefox);
    const stored = await stack()
      .db.knex<{ id: string; token: string; ip_address: string | null; user_agent: string | null }>(
        'console_sessions',
      )
      .where({ id: (await currentOf(caller)).id })
      .first();
    assert.ok(stored !== undefined && stored.token.length >= 32 && caller.cookies.includes(stored.token));
    assert.deepEqual([stored.ip_address ?? '', stored.user_agent ?? ''], ['', '']);
    const answer = JSON.stringify((await caller.call('GET', '/sessions')).body);
    for (const secret of [stored.token, '127.0.0.1', 'Mozilla']) assert.ok(!answer.includes(secret), secret);
    assert.deepEqual(Object.keys((await currentOf(caller)) as object).sort(), [
      ...['browser', 'created_at', 'id', 'is_current', 'last_seen_at', 'system'],
    ]);
    // The id does not open the session.
    const name = caller.cookies.split('=')[0] ?? '';
    const client = new ApiClient(new URL('/console/api', stack().apiUrl).href, '');
    const headers = { cookie: `${name}=${stored.id}` };
    assert.equal((await client.call('GET', '/sessions', { token: null, headers })).status, 401);
  });

  it('ends one other session, which stops at once, and writes an event in each organization', async () => {
    const person = await makePerson(stack());
    const [own, lost, third] = [
      await signInAs(stack(), person),
      await signInAs(stack(), person, firefox),
      await signInAs(stack(), person),
    ];
    const { id } = await currentOf(lost);
    assert.equal((await own.call('DELETE', `/sessions/${id}`)).status, 204);
    assert.deepEqual([await isIn(own), await isIn(lost), await isIn(third)], [true, false, true]);
    assert.equal((await own.call('DELETE', `/sessions/${id}`)).status, 404);
    assert.deepEqual(await eventsOf(person.email), [['own_session_ended', ', Firefox, Linux']]);
  });

  it('ends all other sessions and the sign-ins that wait for a code, but not the current session', async () => {
    const person = await makePerson(stack());
    const own = await signInAs(stack(), person);
    await setUpSecondFactor(own, person);
    const client = new ApiClient(new URL('/console/api', stack().apiUrl).href, '');
    const begun = await client.call('POST', '/sign-in', { body: person, token: null });
    assert.deepEqual(begun.body, { second_factor: true });
    const user = await stack()
      .db.knex('console_users')
      .where({ email: person.email })
      .first<{ id: string }>();
    const expires_at = new Date(Date.now() + 3_600_000);
    for (let count = 0; count < 2; count += 1)
      await stack().db.knex('console_sessions').insert({ user_id: user.id, token: randomUUID(), expires_at });
    assert.equal((await sessionsOf(own)).data.length, 3);
    assert.equal((await own.call('DELETE', '/other-sessions')).status, 204);
    assert.deepEqual(
      (await sessionsOf(own)).data.map((one) => one.is_current),
      [true],
    );
    const challenges = await stack().db.knex('console_verifications').where({ value: user.id });
    assert.equal(challenges.length, 0);
    assert.equal((await own.call('DELETE', '/other-sessions')).status, 204);
    const events = (await eventsOf(person.email)).filter(([action]) => action !== 'second_factor_added');
    assert.deepEqual(events, [['own_sessions_ended', '']]);
  });

  it('members and administrators neither see nor end the sessions of others', async () => {
    const victim = await makePerson(stack());
    const theirs = await signInAs(stack(), victim);
    const { id } = await currentOf(theirs);
    for (const attacker of [await signIn(stack(), []), await signIn(stack())]) {
      assert.ok(!JSON.stringify((await attacker.call('GET', '/sessions')).body).includes(id));
      const answers = [id, unknownId].map((one) => attacker.call('DELETE', `/sessions/${one}`));
      const [refused, unknown] = await Promise.all(answers);
      assert.deepEqual([refused?.status, refused?.body], [404, unknown?.body]);
      assert.equal((await attacker.call('DELETE', '/other-sessions')).status, 204);
    }
    assert.ok(await isIn(theirs));
    assert.deepEqual(await eventsOf(victim.email), []);
  });

  it('lists at most 100 of many sessions, with the current one, and leaves out those that have expired', async () => {
    const person = await makePerson(stack());
    const own = await signInAs(stack(), person);
    const user = await stack()
      .db.knex('console_users')
      .where({ email: person.email })
      .first<{ id: string }>();
    const insert = async (count: number, times: object) => {
      const rows = Array.from({ length: count }, () => ({
        user_id: user.id,
        token: randomUUID(),
        ...times,
      }));
      await stack().db.knex('console_sessions').insert(rows);
    };
    const [hour, day] = [3_600_000, 86_400_000];
    const at = (ms: number) => new Date(Date.now() + ms);
    await insert(3, { expires_at: at(-hour) });
    await insert(3, { expires_at: at(hour), created_at: at(-8 * day), updated_at: at(0) });
    assert.equal((await sessionsOf(own)).data.length, 1);
    await insert(150, { expires_at: at(hour), created_at: at(0), updated_at: at(60_000) });
    const { data, has_more } = await sessionsOf(own);
    assert.deepEqual([data.length, data[0]?.is_current, has_more], [100, true, true]);
    assert.equal((await own.call('DELETE', '/other-sessions')).status, 204);
    assert.equal((await sessionsOf(own)).data.length, 1);
  });

  it('changes the user’s own name, which other members see, and writes an event with both names', async () => {
    const administrator = await signIn(stack());
    const person = await makePerson(stack(), []);
    const own = await signInAs(stack(), person);
    assert.equal((await own.call('PATCH', '/account', { name: '  Ana Lima ' })).status, 204);
    const { session } = (await own.call('GET', '/session')).body as { session: ConsoleSession };
    assert.deepEqual([session.user.name, session.user.email], ['Ana Lima', person.email]);
    const members = (await administrator.call('GET', '/members')).body as { data: Member[] };
    assert.equal(members.data.find((one) => one.email === person.email)?.name, 'Ana Lima');
    assert.equal((await own.call('PATCH', '/account', { name: 'Ana Lima' })).status, 204);
    assert.deepEqual(await eventsOf(person.email), [['name_changed', ': Administrator → Ana Lima']]);
  });

  it('refuses an empty name, a long name, and other fields', async () => {
    const { call } = await signIn(stack(), []);
    for (const body of [
      ...[{}, { name: ' ' }, { name: 'x'.repeat(101) }, { name: null }],
      ...[
        { name: 'A', email: 'other@example.com' },
        { name: 'A', role_id: 'admin' },
      ],
    ])
      assert.equal((await call('PATCH', '/account', body)).status, 422, JSON.stringify(body));
  });
});
