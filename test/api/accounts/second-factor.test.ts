/**
 * The second factor of the console: codes of an authenticator app that work once, recovery codes, and who may remove
 * it.
 */
import assert from 'node:assert/strict';
import type { Member } from '../../../src/contract/accounts/members.ts';
import type { PasswordReset } from '../../../src/contract/accounts/password-reset.ts';
import type { OfferedSecondFactor, RecoveryCodes } from '../../../src/contract/accounts/second-factor.ts';
import { totpCode, wrongCode } from '../../support/authenticator-app.ts';
import { consoleBrowser } from '../../support/console-browser.ts';
import {
  makePerson,
  setUpSecondFactor,
  signIn,
  signInAs,
  type ConsoleCaller,
  type Person,
} from '../../support/console-person.ts';
import { commandPrints } from '../../support/run-command.ts';
import { useSignInStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('The second factor', () => {
  const stack = useSignInStack();

  /** A browser at an address of its own, which keeps its cookies. */
  const browser = () => {
    const visitor = consoleBrowser(stack());
    return {
      ...visitor,
      password: async (person: Person) => await visitor.call('POST', '/sign-in', person),
      code: async (code: string) => await visitor.call('POST', '/sign-in/code', { code }),
    };
  };
  /** Sets the second factor of a new person up, from a session of their own. */
  const protectedPerson = async () => {
    const person = await makePerson(stack());
    const session = browser();
    assert.equal((await session.password(person)).status, 204);
    return { person, session, ...(await setUpSecondFactor(session, person)) };
  };
  const eventsOf = async ({ email }: Person) =>
    await stack()
      .db.knex<{ action: string; target: string; id: string }>('audit_log')
      .where({ target: email })
      .orderBy('id')
      .pluck<string[]>('action');
  /** Ends the delays, as time would. */
  const waitForDelays = () =>
    stack()
      .db.knex('sign_in_counters')
      .update({ next_at: new Date(0) });
  /** Lets a code be used again that a test has used in the same 30 seconds. */
  const forgetSteps = () => stack().db.knex('console_two_factors').update({ last_step: 0 });

  it('is offered for the password, shown once, and asked for only once a code has confirmed it', async () => {
    const person = await makePerson(stack());
    const session = browser();
    await session.password(person);
    const unproven = await session.call('POST', '/second-factor', { password: 'not the password' });
    assert.equal(unproven.status, 422);
    assert.equal((await session.call('POST', '/second-factor', {})).status, 422);
    const offer = await session.call('POST', '/second-factor', { password: person.password });
    const { uri, secret } = offer.body as OfferedSecondFactor;
    assert.match(uri, /^otpauth:\/\/totp\//);
    assert.equal(new URL(uri).searchParams.get('secret'), secret);
    assert.match(new URL(uri).searchParams.get('issuer') ?? '', /^Parley \(127\.0\.0\.1/);
    assert.equal((await browser().password(person)).status, 204);
    const wrong = await session.call('POST', '/second-factor/confirm', { code: wrongCode(secret) });
    assert.equal(wrong.status, 422);
    const account = async () => (await session.call('GET', '/account')).body;
    assert.deepEqual(await account(), {
      has_password: true,
      second_factor: null,
      providers: [],
      mails_waiting: false,
    });

    const elsewhere = browser();
    await elsewhere.password(person);
    const confirmed = await session.call('POST', '/second-factor/confirm', { code: totpCode(secret) });
    const { recovery_codes: codes } = confirmed.body as RecoveryCodes;
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[2-9a-km-z]{5}-[2-9a-km-z]{5}$/);
    assert.deepEqual(await account(), {
      has_password: true,
      second_factor: { recovery_codes_left: 10 },
      providers: [],
      mails_waiting: false,
    });
    assert.ok(await session.isIn());
    assert.equal(await elsewhere.isIn(), false);
    assert.equal((await session.call('POST', '/second-factor', { password: person.password })).status, 409);
    // A session alone, without the password, reads no recovery codes again.
    const again = await session.call('POST', '/second-factor/confirm', { code: totpCode(secret, 1) });
    assert.equal(again.status, 422);
    assert.ok((await eventsOf(person)).includes('second_factor_added'));
  });

  it('opens no session with the password alone', async () => {
    const { person, secret } = await protectedPerson();
    const visitor = browser();
    const asked = await visitor.password(person);
    assert.deepEqual([asked.status, asked.body], [200, { second_factor: true }]);
    assert.deepEqual([...visitor.jar.keys()], ['parley.two_factor']);
    assert.equal(await visitor.isIn(), false);
    const signedIn = (await eventsOf(person)).filter((one) => one === 'signed_in').length;
    assert.equal((await visitor.code(wrongCode(secret))).status, 401);
    assert.equal(await visitor.isIn(), false);
    const typed = totpCode(secret).replace(/(...)(...)/, '$1 $2');
    assert.equal((await visitor.code(typed)).status, 204);
    assert.ok(await visitor.isIn());
    await until('the failed code', async () => (await eventsOf(person)).includes('second_factor_failed'));
    assert.equal((await eventsOf(person)).filter((one) => one === 'signed_in').length, signedIn + 1);
  });

  it('takes each code once, and none that is older than one it has taken', async () => {
    const { person, secret, confirmedBy } = await protectedPerson();
    const attempt = async (code: string) => {
      const visitor = browser();
      assert.equal((await visitor.password(person)).status, 200);
      return (await visitor.code(code)).status;
    };
    assert.equal(await attempt(confirmedBy), 401);
    const code = totpCode(secret);
    const twice = await Promise.all([attempt(code), attempt(code)]);
    assert.deepEqual(twice.toSorted(), [204, 401]);
    assert.equal(await attempt(code), 401);
    assert.equal(await attempt(totpCode(secret, 1)), 204);
    assert.equal(await attempt(code), 401);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const { person, codes, session } = await protectedPerson();
    const attempt = async (code: string) => {
      const visitor = browser();
      assert.equal((await visitor.password(person)).status, 200);
      return (await visitor.code(code)).status;
    };
    const [first = '', second = ''] = codes;
    const twice = await Promise.all([attempt(first), attempt(first)]);
    assert.deepEqual(twice.toSorted(), [204, 401]);
    assert.equal(await attempt(` ${second.toUpperCase()} `), 204);
    assert.deepEqual((await session.call('GET', '/account')).body, {
      has_password: true,
      second_factor: { recovery_codes_left: 8 },
      providers: [],
      mails_waiting: false,
    });
    assert.equal((await eventsOf(person)).filter((one) => one === 'recovery_code_used').length, 2);

    const renewed = await session.call('POST', '/second-factor/recovery-codes', {
      password: person.password,
    });
    assert.equal(renewed.status, 201);
    assert.equal(await attempt(codes[2]!), 401);
    assert.equal(await attempt((renewed.body as RecoveryCodes).recovery_codes[2]!), 204);
  });

  it('cannot be guessed: wrong codes count for the account, whatever the address and the challenge', async () => {
    const { person, secret } = await protectedPerson();
    const statuses = [];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      const visitor = browser();
      const password = (await visitor.password(person)).status;
      statuses.push(password === 200 ? (await visitor.code(wrongCode(secret))).status : password);
    }
    // Ten attempts, each password and each code one of them. The right password takes none back.
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
    await waitForDelays();
    const visitor = browser();
    assert.equal((await visitor.password(person)).status, 200);
    assert.equal((await visitor.code(totpCode(secret))).status, 429);
    await waitForDelays();
    assert.equal((await visitor.code(totpCode(secret))).status, 204);
    assert.equal((await browser().password(person)).status, 200);
  });

  it('ends a challenge after five wrong codes, with its time, and by a changed password', async () => {
    const { person, secret, session } = await protectedPerson();
    const tired = browser();
    await tired.password(person);
    for (let attempt = 1; attempt <= 5; attempt += 1)
      assert.equal((await tired.code(wrongCode(secret))).status, 401);
    await waitForDelays();
    assert.equal((await tired.code(totpCode(secret))).status, 401);
    assert.equal((await tired.code(totpCode(secret))).status, 409);

    await stack().db.knex('sign_in_counters').delete();
    const late = browser();
    await late.password(person);
    await stack()
      .db.knex('console_verifications')
      .whereLike('identifier', '2fa-%')
      .update({ expires_at: new Date(0) });
    assert.equal((await late.code(totpCode(secret))).status, 409);

    const stale = browser();
    await stale.password(person);
    const passwords = { current_password: person.password, new_password: 'the next password' };
    assert.equal((await session.call('POST', '/password', passwords)).status, 204);
    assert.equal((await stale.code(totpCode(secret))).status, 409);
    assert.equal((await browser().code(totpCode(secret))).status, 409);
  });

  it('checks the code of whoever gave the password, not of whoever has a session in the browser', async () => {
    const mine = await protectedPerson();
    const theirs = await protectedPerson();
    const visitor = browser();
    await visitor.password(mine.person);
    await visitor.code(totpCode(mine.secret));
    const own = new Map(visitor.jar);
    await visitor.password(theirs.person);
    // A program keeps the cookie that the answer deleted.
    for (const [name, value] of own) visitor.jar.set(name, value);
    await forgetSteps();
    assert.equal((await visitor.code(totpCode(mine.secret))).status, 401);
    assert.equal((await visitor.code(totpCode(theirs.secret))).status, 204);
    const { session } = (await visitor.call('GET', '/session')).body as {
      session: { user: { email: string } };
    };
    assert.equal(session.user.email, theirs.person.email);
  });

  it('is removed by the person with their password, which ends their other sessions', async () => {
    const { person, secret, session } = await protectedPerson();
    const elsewhere = browser();
    await elsewhere.password(person);
    assert.equal((await elsewhere.code(totpCode(secret))).status, 204);
    for (const proof of [{}, { password: 'not the password' }, { code: totpCode(secret, 1) }]) {
      assert.equal((await session.call('POST', '/second-factor/remove', proof)).status, 422);
      assert.equal((await session.call('POST', '/second-factor/recovery-codes', proof)).status, 422);
    }
    const removed = await session.call('POST', '/second-factor/remove', { password: person.password });
    assert.equal(removed.status, 204);
    assert.ok(await session.isIn());
    assert.equal(await elsewhere.isIn(), false);
    assert.equal((await browser().password(person)).status, 204);
    assert.equal((await stack().db.knex('console_two_factors').select()).length > 0, true);
    assert.ok((await eventsOf(person)).includes('second_factor_removed'));
    assert.equal(
      (await session.call('POST', '/second-factor/remove', { password: person.password })).status,
      409,
    );
  });

  it('is asked for after a reset of the password, and is removed only if the operator asks for that', async () => {
    const { person, secret } = await protectedPerson();
    const administrator = await signIn(stack());
    const cli = async (...more: string[]) =>
      JSON.parse(
        await commandPrints(['admin', 'reset', person.email, ...more], {
          ...stack().env,
          PUBLIC_URL: 'https://parley.example.com',
        }),
      ) as PasswordReset & { second_factor: string };
    const waiting = browser();
    await waiting.password(person);
    const kept = await cli();
    assert.equal(kept.second_factor, 'kept');
    assert.equal((await waiting.code(totpCode(secret))).status, 409);
    const visitor = browser();
    const password = 'the next password';
    const token = new URL(kept.link ?? '').hash.slice(1);
    assert.equal((await visitor.call('POST', '/password-reset/use', { token, password })).status, 204);
    assert.equal((await visitor.password({ ...person, password })).status, 200);
    assert.ok(!(await eventsOf(person)).includes('second_factor_removed'));

    const listed = async (caller: ConsoleCaller) =>
      ((await caller.call('GET', '/members')).body as { data: Member[] }).data.find(
        ({ email }) => email === person.email,
      )?.second_factor;
    assert.equal(await listed(administrator), true);
    assert.equal((await cli('--second-factor')).second_factor, 'removed');
    assert.equal(await listed(administrator), false);
    assert.equal((await eventsOf(person)).at(-1), 'second_factor_removed');
    await signInAs(stack(), { ...person, password });
  });

  it('is not bypassed by an invitation that is accepted with the password', async () => {
    const { person, secret } = await protectedPerson();
    const other = await stack().stranger();
    const inviter = await signIn({ ...stack(), ...other });
    const invited = await inviter.call('POST', '/invitations', { email: person.email, role_id: 'admin' });
    const token = new URL((invited.body as { link: string }).link).hash.slice(1);
    const visitor = browser();
    const refused = await visitor.call('POST', '/invitation/accept', { token, password: person.password });
    assert.equal(refused.status, 409);
    assert.equal(visitor.jar.size, 0);
    await visitor.password(person);
    assert.equal((await visitor.code(totpCode(secret))).status, 204);
    assert.equal((await visitor.call('POST', '/invitation/accept', { token })).status, 204);
  });
});
