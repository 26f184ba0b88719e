/** Sign-in at OpenID Connect providers, real and hostile ones: who gets in, with which account, and who never does. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Member } from '../../../src/contract/accounts/members.ts';
import type { OfferedSecondFactor } from '../../../src/contract/accounts/second-factor.ts';
import { totpCode, totpCodeBefore } from '../../support/authenticator-app.ts';
import { consoleBrowser, type ConsoleBrowser } from '../../support/console-browser.ts';
import {
  makePerson,
  setUpSecondFactor,
  signIn,
  signInAs,
  type Person,
} from '../../support/console-person.ts';
import {
  foreignKey,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/identity-provider.ts';
import { commandPrints } from '../../support/run-command.ts';
import { startStack, type Stack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const newEmail = () => `${randomUUID()}@example.com`;

describe('Sign-in at an identity provider', () => {
  let corp: TestIdentityProvider;
  let other: TestIdentityProvider;
  let stack: Stack;
  before(async () => {
    corp = await startIdentityProvider('corp');
    other = await startIdentityProvider('other', { emailAt: 'userinfo' });
    stack = await startStack({
      workers: 0,
      env: {
        TRUST_PROXY: '1',
        ORGANIZATION_RATE_LIMIT: 'off',
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        OIDC_PROVIDERS: JSON.stringify([corp.setting(), other.setting({ email_domains: ['other.example'] })]),
      },
    });
    for (const one of [corp, other]) one.register(new URL(stack.apiUrl).origin);
  });
  after(async () => {
    await stack.stop();
    await Promise.all([corp.stop(), other.stop()]);
  });
  afterEach(() => {
    for (const one of [corp, other]) Object.assign(one, { tamper: undefined, instead: undefined });
  });

  const begin = async (visitor: ConsoleBrowser, id = 'corp', body: object = {}) => {
    const answer = await visitor.call('POST', `/sign-in-providers/${id}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return (answer.body as { url: string }).url;
  };
  const finish = async (visitor: ConsoleBrowser, parameters: string, id = 'corp') =>
    await visitor.call('POST', `/sign-in-providers/${id}/finish`, { parameters });
  /** All of it, in a browser. */
  const comeIn = async (
    email: string,
    more: {
      sub?: string;
      email_verified?: unknown;
      invitation?: string;
      at?: TestIdentityProvider;
      visitor?: ConsoleBrowser;
    } = {},
  ) => {
    const { sub = `sub-of-${email}`, email_verified = true, invitation, at = corp } = more;
    const { visitor = consoleBrowser(stack) } = more;
    const id = at === corp ? 'corp' : 'other';
    at.person = { sub, email, email_verified, name: 'A Person' };
    const url = await begin(visitor, id, invitation === undefined ? {} : { invitation });
    const answer = await finish(visitor, await at.visit(url), id);
    return {
      ...visitor,
      answer,
      status: answer.status,
      error: (answer.body as { error?: string } | undefined)?.error,
    };
  };
  const userOf = async (email: string) =>
    await stack.db.knex<{ id: string; email: string }>('console_users').where({ email }).first('id');
  const identitiesOf = async (email: string) =>
    await stack.db
      .knex('console_accounts as a')
      .join('console_users as u', 'u.id', 'a.user_id')
      .where('u.email', email)
      .whereNot('a.provider_id', 'credential')
      .select<{ provider_id: string; account_id: string }[]>('a.provider_id', 'a.account_id');
  const eventsOf = async (email: string) =>
    await stack.db
      .knex<{ action: string; target: string; id: string }>('audit_log')
      .whereLike('target', `${email}%`)
      .orderBy('id')
      .pluck<string[]>('action');
  const inviteTo = async (email: string) => {
    const inviter = await signIn(stack);
    const { body } = await inviter.call('POST', '/invitations', { email, role_id: 'admin' });
    return new URL((body as { link: string }).link).hash.slice(1);
  };

  it('opens the account of the email that the provider vouches for, and links it with the identity', async () => {
    const { email } = await makePerson(stack);
    const first = await comeIn(email.toUpperCase(), { sub: 'first' });
    assert.deepEqual([first.status, first.error], [204, undefined]);
    assert.ok(await first.isIn());
    assert.deepEqual(await identitiesOf(email), [{ provider_id: corp.issuer, account_id: 'first' }]);
    assert.deepEqual(await eventsOf(email), ['provider_linked', 'signed_in']);
    assert.equal((await comeIn(email, { sub: 'first' })).status, 204);
    assert.equal((await identitiesOf(email)).length, 1);
    const { body } = await consoleBrowser(stack).call('GET', '/sign-in-providers');
    assert.deepEqual(body, {
      data: [
        { id: 'corp', label: 'Provider corp' },
        { id: 'other', label: 'Provider other' },
      ],
      mails_resets: false,
    });
  });

  it('asks the userinfo endpoint for an email that the ID token lacks', async () => {
    const person = { email: `${randomUUID()}@other.example`, password: 'ten characters' };
    const token = await inviteTo(person.email);
    assert.equal((await comeIn(person.email, { at: other, invitation: token })).status, 204);
    assert.equal((await comeIn(person.email, { at: other })).status, 204);
  });

  it('sends the browser with state, nonce and a code challenge, and keeps them where no script reads them', async () => {
    const visitor = consoleBrowser(stack);
    const answer = await visitor.call('POST', '/sign-in-providers/corp', {});
    const { searchParams, origin } = new URL((answer.body as { url: string }).url);
    assert.equal(origin, corp.issuer);
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.ok((searchParams.get(name)?.length ?? 0) >= 40, name);
    assert.equal(searchParams.get('code_challenge_method'), 'S256');
    const [cookie = ''] = answer.headers.getSetCookie();
    assert.match(cookie, /HttpOnly; SameSite=Lax/);
    for (const name of ['state', 'nonce']) assert.ok(!cookie.includes(searchParams.get(name)!), name);
  });

  describe('makes no account and opens none', () => {
    const refused = async (email: string, more: Parameters<typeof comeIn>[1], why: RegExp) => {
      const before = await userOf(email);
      const links = await identitiesOf(email);
      const visitor = await comeIn(email, more);
      assert.equal(visitor.status, 401, JSON.stringify(visitor.answer.body));
      assert.match(visitor.error ?? '', why);
      assert.equal(await visitor.isIn(), false);
      assert.deepEqual(await userOf(email), before);
      assert.deepEqual(await identitiesOf(email), links);
    };

    it('for an email that has no account', async () => {
      await refused(newEmail(), {}, /no account/);
    });

    it('for an email that the provider does not state as verified, although its account counts as verified', async () => {
      const { email } = await makePerson(stack);
      for (const email_verified of [false, null, 'true', 1])
        await refused(email, { email_verified }, /verified/);
    });

    it('for an email of a domain that the provider may not vouch for', async () => {
      const { email } = await makePerson(stack);
      await refused(email, { at: other }, /cannot sign in with Provider other/);
      await refused(`${randomUUID()}@sub.example.com`, {}, /cannot sign in/);
      for (const odd of [`"x@example.com"@evil.example`, `"x@evil.example"@example.com`])
        await refused(odd, {}, /usable email/);
    });

    it('for an email that is another one but for its letters', async () => {
      const email = `kim-${randomUUID()}@example.com`;
      const invitation = await inviteTo(email);
      assert.equal((await comeIn(email, { invitation })).status, 204);
      // The sign of the unit kelvin, which becomes a k as a lower-case letter.
      await refused(email.replace('k', '\u212a'), { sub: 'another Kim' }, /usable email/);
    });

    it('for another identity with the email of a linked account', async () => {
      const { email } = await makePerson(stack);
      assert.equal((await comeIn(email, { sub: `${email} 1` })).status, 204);
      await refused(email, { sub: `${email} 2` }, /another identity/);
      await until('its audit event', async () => (await eventsOf(email)).includes('sign_in_failed'));
    });

    it('for a linked identity that now states the email of somebody else', async () => {
      const { email } = await makePerson(stack);
      const { email: victim } = await makePerson(stack);
      const sub = `sub of ${email}`;
      assert.equal((await comeIn(email, { sub })).status, 204);
      await refused(victim, { sub }, /another identity/);
    });
  });

  describe('refuses what a provider or a stranger forges', () => {
    const forgeries: Record<string, TestIdentityProvider['tamper']> = {
      'another nonce': () => ({ claims: { nonce: 'another' } }),
      'no nonce': () => ({ claims: { nonce: undefined } }),
      'another audience': () => ({ claims: { aud: 'another-client' } }),
      'another issuer': () => ({ claims: { iss: 'https://issuer.example' } }),
      'an expired token': ({ iat }) => ({ claims: { iat: Number(iat) - 7200, exp: Number(iat) - 3600 } }),
      'a token without a subject': () => ({ claims: { sub: undefined } }),
      'a signature of another key': () => ({ key: foreignKey() }),
      'no signature': () => ({ alg: 'none' }),
      'a signature with the public key as a secret': () => ({ alg: 'HS256' }),
    };
    for (const [what, tamper] of Object.entries(forgeries))
      it(what, async () => {
        const { email } = await makePerson(stack);
        corp.tamper = tamper;
        const visitor = await comeIn(email);
        assert.equal(visitor.status, 401, JSON.stringify(visitor.answer.body));
        assert.match(visitor.error ?? '', /did not confirm/);
        assert.equal(await visitor.isIn(), false);
        assert.deepEqual(await identitiesOf(email), []);
        corp.tamper = undefined;
        assert.equal((await comeIn(email)).status, 204);
      });

    it('another state, a code of another browser, and an answer that comes twice', async () => {
      const { email } = await makePerson(stack);
      corp.person = { sub: email, email, email_verified: true };
      const visitor = consoleBrowser(stack);
      const parameters = await corp.visit(await begin(visitor));
      const changed = new URLSearchParams(parameters);
      changed.set('state', 'another');
      assert.equal((await finish(visitor, changed.toString())).status, 401);
      // The cookie is used up by any answer.
      assert.equal((await finish(visitor, parameters)).status, 409);
      const stranger = consoleBrowser(stack);
      await begin(stranger);
      assert.equal((await finish(stranger, parameters)).status, 401);
      assert.equal((await finish(consoleBrowser(stack), parameters)).status, 409);

      const again = consoleBrowser(stack);
      const right = await corp.visit(await begin(again));
      const cookies = new Map(again.jar);
      assert.equal((await finish(again, right)).status, 204);
      const thief = consoleBrowser(stack);
      for (const [name, value] of cookies) thief.jar.set(name, value);
      assert.equal((await finish(thief, right)).status, 401);
    });

    it('an answer of one provider for another, an error, and nonsense', async () => {
      const { email } = await makePerson(stack);
      corp.person = { sub: email, email, email_verified: true };
      const visitor = consoleBrowser(stack);
      const parameters = await corp.visit(await begin(visitor));
      assert.equal((await finish(visitor, parameters, 'other')).status, 409);
      const statuses = [];
      for (const made of ['error=access_denied', '', 'code=x', '%%%', `code=${'x'.repeat(4000)}`]) {
        const one = consoleBrowser(stack);
        const state = new URL(await begin(one)).searchParams.get('state');
        statuses.push((await finish(one, `${made}&state=${state}`)).status);
      }
      assert.deepEqual(statuses, [401, 401, 401, 401, 401]);
      assert.equal((await consoleBrowser(stack).call('POST', '/sign-in-providers/none', {})).status, 404);
    });
  });

  describe('shows that the provider does not answer', () => {
    const ways: Record<string, RequestListener> = {
      'when it cuts the connection': (request) => request.socket.destroy(),
      'when its answer is too large': (_, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(`{"x":"${'x'.repeat(1_000_000)}"}`);
      },
    };
    for (const [what, instead] of Object.entries(ways))
      it(what, async () => {
        const { email } = await makePerson(stack);
        corp.person = { sub: email, email, email_verified: true };
        const visitor = consoleBrowser(stack);
        const parameters = await corp.visit(await begin(visitor));
        corp.instead = instead;
        const answer = await finish(visitor, parameters);
        assert.equal(answer.status, 503);
        assert.match(JSON.stringify(answer.body), /Provider corp does not answer/);
        assert.equal(await visitor.isIn(), false);
      });

    it('within its time when it never answers, while others sign in with their passwords', async () => {
      const person = await makePerson(stack);
      corp.person = { sub: person.email, email: person.email, email_verified: true };
      const visitor = consoleBrowser(stack);
      const parameters = await corp.visit(await begin(visitor));
      corp.instead = () => undefined;
      const started = performance.now();
      const waiting = finish(visitor, parameters);
      await signInAs(stack, person);
      assert.equal((await waiting).status, 503);
      assert.ok(performance.now() - started < 30_000);
    });
  });

  describe('accepts an invitation', () => {
    it('with a new account that has no password', async () => {
      const email = newEmail();
      const invitation = await inviteTo(email);
      const wrong = await comeIn(newEmail(), { invitation });
      assert.match(wrong.error ?? '', /The invitation is for/);
      assert.equal((await comeIn(email, { invitation, email_verified: false })).status, 401);
      assert.equal(await userOf(email), undefined);
      const visitor = await comeIn(email, { invitation });
      assert.deepEqual([visitor.status, visitor.error], [204, undefined]);
      assert.ok(await visitor.isIn());
      assert.deepEqual((await visitor.call('GET', '/account')).body, {
        has_password: false,
        second_factor: null,
        providers: ['Provider corp'],
        mails_waiting: false,
      });
      assert.deepEqual(await eventsOf(email), [
        ...['invitation_created', 'invitation_accepted', 'provider_linked', 'signed_in'],
      ]);
    });

    it('once, and not after it was revoked', async () => {
      const email = newEmail();
      const invitation = await inviteTo(email);
      assert.equal((await comeIn(email, { invitation })).status, 204);
      const used = await consoleBrowser(stack).call('POST', '/sign-in-providers/corp', { invitation });
      assert.equal(used.status, 404);
    });
  });

  describe('leaves an account to the person whose email it is', () => {
    const signInStatus = async (person: Person) =>
      (await consoleBrowser(stack).call('POST', '/sign-in', person)).status;
    const targetsOf = async (email: string) =>
      await stack.db
        .knex('audit_log')
        .where({ action: 'provider_linked' })
        .whereLike('target', `${email}%`)
        .pluck<string[]>('target');

    it('when somebody else has accepted an invitation to it: their password, sessions and reset links end', async () => {
      const person = { email: newEmail(), password: 'of who had the link' };
      const squatter = consoleBrowser(stack);
      const accepted = await squatter.call('POST', '/invitation/accept', {
        ...{ token: await inviteTo(person.email), password: person.password },
      });
      assert.equal(accepted.status, 204, JSON.stringify(accepted.body));
      assert.ok(await squatter.isIn());
      const { id } = (await userOf(person.email))!;
      const resets = ['password-reset', 'asked-password-reset'].map((kind) => `${kind}:${id}`);
      const stored = () => stack.db.knex('console_verifications');
      for (const identifier of resets)
        await stored().insert({ identifier, value: 'a hash', expires_at: new Date(Date.now() + 60_000) });
      const owner = await comeIn(person.email);
      assert.deepEqual(await stored().whereIn('identifier', resets), []);
      assert.equal(owner.status, 204);
      assert.ok(await owner.isIn());
      assert.equal(await squatter.isIn(), false);
      assert.equal(await signInStatus(person), 401);
      assert.deepEqual(await targetsOf(person.email), [
        `${person.email} with Provider corp, password removed`,
      ]);
    });

    it('and leaves the password of somebody who is signed in already', async () => {
      const person = await makePerson(stack);
      const visitor = consoleBrowser(stack);
      assert.equal((await visitor.call('POST', '/sign-in', person)).status, 204);
      assert.equal((await comeIn(person.email, { visitor })).status, 204);
      assert.equal(await signInStatus(person), 204);
      assert.deepEqual(await targetsOf(person.email), [`${person.email} with Provider corp`]);
    });

    it('so no administrator makes a link by hand for the password of a linked account', async () => {
      const { email } = await makePerson(stack);
      const owner = await comeIn(email);
      const administrator = await signIn(stack);
      const { body } = await administrator.call('GET', '/members');
      const { id } = (body as { data: Member[] }).data.find((one) => one.email === email)!;
      const reset = await administrator.call('POST', `/members/${id}/reset`, {});
      assert.equal(reset.status, 409);
      assert.match(JSON.stringify(reset.body), /identity provider/);
      assert.ok(await owner.isIn());
    });
  });

  it('makes one account and one member of an invitation that is accepted twice at once', async () => {
    for (let n = 0; n < 5; n += 1) {
      const email = newEmail();
      const invitation = await inviteTo(email);
      corp.person = { sub: email, email, email_verified: true };
      const visitors = [consoleBrowser(stack), consoleBrowser(stack)];
      const returns: string[] = [];
      for (const one of visitors) returns.push(await corp.visit(await begin(one, 'corp', { invitation })));
      const answers = await Promise.all(visitors.map((one, at) => finish(one, returns[at]!)));
      const statuses = answers.map(({ status }) => status).sort();
      assert.equal(statuses[0], 204, JSON.stringify(answers.map(({ body }) => body)));
      assert.ok([404, 409].includes(statuses[1]!), JSON.stringify(answers.map(({ body }) => body)));
      const user = await userOf(email);
      const { rows } = await stack.db.pool.query('select 1 from console_members where user_id = $1', [
        user?.id,
      ]);
      assert.equal(rows.length, 1);
    }
  });

  it('opens the account for another identity once the operator has unlinked it', async () => {
    const { email } = await makePerson(stack);
    assert.equal((await comeIn(email, { sub: `${email} 1` })).status, 204);
    assert.equal((await comeIn(email, { sub: `${email} 2` })).status, 401);
    const env = { ...stack.env, PUBLIC_URL: 'https://parley.example.com' };
    await commandPrints(['admin', 'reset', email, '--providers'], env);
    assert.ok((await eventsOf(email)).includes('provider_unlinked'));
    assert.equal((await comeIn(email, { sub: `${email} 2` })).status, 204);
  });

  it('links an account that has a second factor only after its code, so that nobody else takes its place', async () => {
    const person = await makePerson(stack);
    const { secret, codes } = await setUpSecondFactor(await signInAs(stack, person), person);
    const thief = await comeIn(person.email, { sub: `thief of ${person.email}` });
    assert.equal(thief.status, 200);
    assert.deepEqual(await identitiesOf(person.email), []);
    assert.ok(!(await eventsOf(person.email)).includes('provider_linked'));
    const owner = await comeIn(person.email, { sub: `owner of ${person.email}` });
    assert.equal((await owner.call('POST', '/sign-in/code', { code: totpCode(secret) })).status, 204);
    assert.deepEqual(await identitiesOf(person.email), [
      { provider_id: corp.issuer, account_id: `owner of ${person.email}` },
    ]);
    assert.deepEqual((await eventsOf(person.email)).slice(-2), ['provider_linked', 'signed_in']);
    const late = await thief.call('POST', '/sign-in/code', { code: codes[0] });
    assert.equal(late.status, 401);
    assert.match(JSON.stringify(late.body), /another identity/);
    assert.equal(await thief.isIn(), false);
    // The code of a refused sign-in is not used up.
    const again = await comeIn(person.email, { sub: `owner of ${person.email}` });
    assert.equal((await again.call('POST', '/sign-in/code', { code: codes[0] })).status, 204);
  });

  it('counts a sign-in whose code does not follow as a failed one', async () => {
    const person = await makePerson(stack);
    const { secret } = await setUpSecondFactor(await signInAs(stack, person), person);
    const attempts = async () => {
      const { rows } = await stack.db.pool.query<{ n: number }>(
        'select coalesce(sum(attempts), 0)::integer as n from sign_in_counters',
      );
      return rows[0]!.n;
    };
    const before = await attempts();
    const visitor = consoleBrowser(stack);
    await comeIn(person.email, { visitor });
    await comeIn(person.email, { visitor });
    assert.equal(await attempts(), before + 2);
    assert.equal((await visitor.call('POST', '/sign-in/code', { code: totpCode(secret) })).status, 204);
    assert.equal(await attempts(), before);
  });

  it('asks for the second factor too; one without a password is removed with a code', async () => {
    const person = await makePerson(stack);
    const { secret } = await setUpSecondFactor(await signInAs(stack, person), person);
    const visitor = await comeIn(person.email);
    assert.deepEqual([visitor.status, visitor.answer.body], [200, { second_factor: true }]);
    assert.equal(await visitor.isIn(), false);
    assert.equal((await visitor.call('POST', '/sign-in/code', { code: totpCode(secret) })).status, 204);
    assert.ok(await visitor.isIn());

    const email = newEmail();
    const alone = await comeIn(email, { invitation: await inviteTo(email) });
    const offer = await alone.call('POST', '/second-factor', {});
    const { secret: own } = offer.body as OfferedSecondFactor;
    const confirmedBy = await totpCodeBefore(own);
    const confirmed = await alone.call('POST', '/second-factor/confirm', { code: confirmedBy });
    assert.equal(confirmed.status, 200);
    const remove = async (body: object) => (await alone.call('POST', '/second-factor/remove', body)).status;
    for (const proof of [{}, { password: 'anything at all' }, { code: confirmedBy }])
      assert.equal(await remove(proof), 422);
    assert.equal(await remove({ code: totpCode(own) }), 204);
  });
});
