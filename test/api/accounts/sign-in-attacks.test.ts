/**
 * Attempts to guess passwords are slowed down, by account and by address; people who have signed in at an address
 * before are not.
 */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { addressGroup } from '../../../src/api/accounts/address-group.ts';
import { ApiClient } from '../../support/api-client.ts';
import { makePerson, type Person } from '../../support/console-person.ts';
import { useSharedStack, useSignInStack, type Stack } from '../../support/stack.ts';

const wrong = 'not the password';
let hosts = 0;
/** An address that nobody has used before. */
const newAddress = () => `198.51.${Math.floor((hosts += 1) / 250)}.${1 + (hosts % 250)}`;

function callsTo({ apiUrl }: Pick<Stack, 'apiUrl'>) {
  const door = new ApiClient(new URL('/console/api', apiUrl).href, '');
  const from = (address: string) => ({ 'x-forwarded-for': address });
  return {
    signIn: async (address: string, body: Person) =>
      await door.call('POST', '/sign-in', { token: null, headers: from(address), body }),
    call: async (address: string, cookie: string, method: string, path: string, body?: unknown) =>
      await door.call(method, path, { token: null, headers: { ...from(address), cookie }, body }),
  };
}

const cookieOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');

describe('Sign-in under attack', () => {
  const stack = useSignInStack();
  /** Ends the delays, as time would. */
  const waitForDelays = () =>
    stack()
      .db.knex('sign_in_counters')
      .update({ next_at: new Date(0) });

  it('delays an account after ten wrong passwords, longer each time, up to a quarter of an hour', async () => {
    const { signIn } = callsTo(stack());
    const person = await makePerson(stack());
    for (let attempt = 1; attempt <= 10; attempt += 1)
      assert.equal((await signIn(newAddress(), { ...person, password: wrong })).status, 401);
    const delays: number[] = [];
    for (let round = 1; round <= 8; round += 1) {
      const refused = await signIn(newAddress(), person);
      assert.equal(refused.status, 429);
      delays.push(Math.round(Number(refused.headers.get('retry-after')) / 30) * 30);
      await waitForDelays();
      assert.equal((await signIn(newAddress(), { ...person, password: wrong })).status, 401);
    }
    assert.deepEqual(delays, [30, 60, 120, 240, 480, 900, 900, 900]);
    await waitForDelays();
    assert.equal((await signIn(newAddress(), person)).status, 204);
    assert.equal((await signIn(newAddress(), { ...person, password: wrong })).status, 401);
  });

  it('attempts from other addresses never delay an account at an address where it has signed in', async () => {
    const { signIn } = callsTo(stack());
    const person = await makePerson(stack());
    const home = newAddress();
    assert.equal((await signIn(home, person)).status, 204);
    for (let attempt = 1; attempt <= 10; attempt += 1)
      await signIn(newAddress(), { ...person, password: wrong });
    assert.equal((await signIn(newAddress(), person)).status, 429);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      assert.equal((await signIn(home, { ...person, password: wrong })).status, 401);
      assert.equal((await signIn(home, person)).status, 204);
    }
    assert.equal((await signIn(newAddress(), person)).status, 429);
  });

  it('wrong passwords from such an address delay the account there', async () => {
    const { signIn } = callsTo(stack());
    const person = await makePerson(stack());
    const home = newAddress();
    assert.equal((await signIn(home, person)).status, 204);
    for (let attempt = 1; attempt <= 10; attempt += 1)
      assert.equal((await signIn(home, { ...person, password: wrong })).status, 401);
    assert.equal((await signIn(home, person)).status, 429);
  });

  it('counts attempts that come at once: no more than ten are checked', async () => {
    const { signIn } = callsTo(stack());
    const { email } = await makePerson(stack());
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => signIn(newAddress(), { email, password: wrong })),
    );
    const checked = answers.filter(({ status }) => status === 401).length;
    const delayed = answers.filter(({ body }) => JSON.stringify(body).includes('failed attempts')).length;
    // On a busy machine, some of the ten find no slot in time: these neither are checked nor count.
    assert.ok(checked <= 10 && checked > 0, String(checked));
    assert.ok(delayed <= 20, String(delayed));
    assert.ok(answers.every(({ status }) => status === 401 || status === 429));
  });

  it('delays an address after a hundred failures, all of a /64 as one, but not those who signed in there', async () => {
    const { signIn } = callsTo(stack());
    const person = await makePerson(stack());
    assert.equal((await signIn('2001:db8:1:1::9', person)).status, 204);
    const stranger = () => ({ email: `${randomUUID()}@example.com`, password: wrong });
    for (let attempt = 1; attempt <= 99; attempt += 1)
      assert.equal((await signIn(`2001:db8:1:1::${attempt.toString(16)}`, stranger())).status, 401);
    // Somebody's first sign-in at the address takes its own attempt back, with the delay that it caused.
    assert.equal((await signIn('2001:db8:1:1::8', await makePerson(stack()))).status, 204);
    assert.equal((await signIn('2001:db8:1:1::8', stranger())).status, 401);
    assert.equal((await signIn('2001:db8:1:1:ffff::1', stranger())).status, 429);
    assert.equal((await signIn('2001:db8:1:2::1', stranger())).status, 401);
    assert.equal((await signIn('2001:db8:1:1::77', person)).status, 204);
  });

  it('delays attempts to guess the present password in order to change it', async () => {
    const { signIn, call } = callsTo(stack());
    const person = await makePerson(stack());
    const home = newAddress();
    const cookie = cookieOf(await signIn(home, person));
    const change = (current_password: string) =>
      call(home, cookie, 'POST', '/password', { current_password, new_password: 'another password' });
    for (let attempt = 1; attempt <= 10; attempt += 1) assert.equal((await change(wrong)).status, 422);
    assert.equal((await change(person.password)).status, 429);
    await waitForDelays();
    assert.equal((await change(person.password)).status, 204);
  });

  it('lets people in who signed in before, while strangers use up the slots of their address', async () => {
    const { signIn } = callsTo(stack());
    const person = await makePerson(stack());
    const home = newAddress();
    assert.equal((await signIn(home, person)).status, 204);
    let answered = 0;
    const strangers = Array.from({ length: 40 }, async () => {
      await signIn(newAddress(), { email: `${randomUUID()}@example.com`, password: wrong });
      answered += 1;
    });
    assert.equal((await signIn(home, person)).status, 204);
    assert.ok(answered < 40, 'the strangers were answered before');
    await Promise.all(strangers);
  });

  it('accounts that flood from an address do not prevent others at it from signing in', async () => {
    const { signIn } = callsTo(stack());
    // Few, because a known account waits for those before it, and not for longer than ten seconds.
    const people = await Promise.all(Array.from({ length: 3 }, () => makePerson(stack())));
    const [person, ...neighbours] = people;
    assert.ok(person);
    const home = newAddress();
    for (const one of people) assert.equal((await signIn(home, one)).status, 204);
    const flood = neighbours.flatMap((one) => Array.from({ length: 8 }, () => signIn(home, one)));
    const isRefused = async (answer: ReturnType<typeof signIn>) => {
      if ((await answer).status !== 429) throw new Error('admitted');
    };
    await Promise.any(flood.map(isRefused));
    assert.equal((await signIn(home, person)).status, 204);
    await Promise.all(flood);
  });

  it('takes attempts back whose password was not checked: no slot, or the database failed', async () => {
    const { signIn } = callsTo(stack());
    const person = await makePerson(stack());
    const address = newAddress();
    const flood = await Promise.all(Array.from({ length: 40 }, () => signIn(address, person)));
    assert.ok(flood.some(({ status }) => status === 429));
    // Ten of the refused ones would delay the account at another address, and here.
    for (const from of [newAddress(), address]) assert.equal((await signIn(from, person)).status, 204);

    const other = await makePerson(stack());
    await stack().db.pool.query(
      `create function refuse_session() returns trigger language plpgsql as $$ begin raise 'planted'; end $$;
       create trigger refuse_session before insert on console_sessions for each row execute function refuse_session()`,
    );
    try {
      for (let attempt = 1; attempt <= 12; attempt += 1)
        assert.equal((await signIn(newAddress(), other)).status, 500);
    } finally {
      await stack().db.pool.query('drop trigger refuse_session on console_sessions');
    }
    assert.equal((await signIn(newAddress(), other)).status, 204);
  });

  it('keeps neither emails nor addresses in the counters, nor hashes of them without the key', async () => {
    const { signIn } = callsTo(stack());
    const person = await makePerson(stack());
    const address = newAddress();
    assert.equal((await signIn(address, person)).status, 204);
    await signIn(address, { ...person, password: wrong });
    for (const table of ['sign_in_counters', 'rate_limits']) {
      const { rows } = await stack().db.pool.query<{ row: string }>(`select t::text as row from ${table} t`);
      if (table === 'sign_in_counters') assert.ok(rows.length >= 3);
      const dump = rows.map(({ row }) => row).join('\n');
      for (const text of [person.email, person.email.split('@')[0]!, address]) {
        assert.ok(!dump.includes(text), `${table} has ${text}`);
        for (const plain of ['sha256', 'sha1', 'md5'])
          assert.ok(
            !dump.includes(createHash(plain).update(text).digest('hex')),
            `${table} has a hash of ${text}`,
          );
      }
    }
  });

  it('believes the proxy that TRUST_PROXY names, and no address that its caller adds', async () => {
    const { signIn } = callsTo(stack());
    const person = await makePerson(stack());
    const address = newAddress();
    assert.equal((await signIn(`203.0.113.9, ${address}`, person)).status, 204);
    const { rows } = await stack().db.pool.query<{ address: string }>(
      `select address from audit_log where action = 'signed_in' and target = $1`,
      [person.email],
    );
    assert.deepEqual(rows, [{ address }]);
  });
});

describe('Without TRUST_PROXY', () => {
  const stack = useSharedStack();

  it('X-Forwarded-For is not believed', async () => {
    const person = await makePerson(stack());
    assert.equal((await callsTo(stack()).signIn(newAddress(), person)).status, 204);
    const { rows } = await stack().db.pool.query<{ address: string }>(
      `select address from audit_log where action = 'signed_in' and target = $1`,
      [person.email],
    );
    assert.match(rows[0]?.address ?? '', /127\.0\.0\.1$/);
  });
});

describe('The address under which a caller is counted', () => {
  const cases: [address: string | undefined, counted: string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, ''],
  ];
  for (const [address, counted] of cases)
    it(`${address ?? 'nothing'} counts as ${counted || 'nothing'}`, () => {
      assert.equal(addressGroup(address), counted);
    });

  it('is one for all of a /64 and another for every other', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
        const bits = (address: string) => addressGroup(address);
        const half = bits(one).replace('::/64', '');
        if (!bits(one).includes('/')) return;
        assert.equal(bits(`${half}:1:2:3:4`), bits(one));
        assert.equal(bits(`${half}::`), bits(one));
        if (bits(one) !== bits(other)) assert.notEqual(half, bits(other).replace('::/64', ''));
      }),
    );
  });
});
