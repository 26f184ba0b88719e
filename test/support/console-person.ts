/** People of the console, and their calls to it without a browser. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { statementsOf } from '../../src/adapters/accounts/access.ts';
import { inTransaction } from '../../src/adapters/postgres/database.ts';
import { administratorRole, type Capability } from '../../src/contract/accounts/capabilities.ts';
import type { OfferedSecondFactor, RecoveryCodes } from '../../src/contract/accounts/second-factor.ts';
import { ApiClient, type ApiAnswer } from './api-client.ts';
import { totpCodeBefore } from './authenticator-app.ts';
import type { Stack } from './stack.ts';

export type Person = { email: string; password: string };

/** Everyone's password in this process. Its hash is computed once: each costs a tenth of a second of a processor. */
const password = randomBytes(12).toString('base64url');
let passwordHash: Promise<string> | undefined;

/** @param capabilities of a role made for them; without it they are an administrator */
export async function makePerson(
  { db, organizationId }: Pick<Stack, 'db' | 'organizationId'>,
  capabilities?: readonly Capability[],
): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const hash = await (passwordHash ??= hashPassword(password));
  await inTransaction(db, async ({ knex }) => {
    const [user] = await knex('console_users')
      .insert({ name: 'Administrator', email, email_verified: true })
      .returning<{ id: string }[]>('id');
    const user_id = user?.id ?? assert.fail();
    await knex('console_accounts').insert({
      ...{ user_id, account_id: user_id, provider_id: 'credential', password: hash },
    });
    const role = capabilities === undefined ? administratorRole : `role-${randomUUID()}`;
    if (capabilities !== undefined)
      await knex('console_roles').insert({
        ...{ organization_id: organizationId, role, label: `Role ${role}` },
        permission: JSON.stringify(statementsOf(capabilities)),
      });
    await knex('console_members').insert({ organization_id: organizationId, user_id, role });
  });
  return { email, password };
}

export type ConsoleCaller = {
  /** Cookies of their session, as a browser sends them. */
  readonly cookies: string;
  /** @param path below /console/api */
  call: (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;
};

/** Signs a person in who is made for it. @param capabilities as for makePerson */
export async function signIn(
  stack: Pick<Stack, 'db' | 'organizationId' | 'apiUrl'>,
  capabilities?: readonly Capability[],
): Promise<ConsoleCaller> {
  return await signInAs(stack, await makePerson(stack, capabilities));
}

/** Signs in a person who exists. @param headers of the sign-in, such as the browser's User-Agent */
export async function signInAs(
  { apiUrl }: Pick<Stack, 'apiUrl'>,
  body: Person,
  headers: Record<string, string> = {},
): Promise<ConsoleCaller> {
  const client = new ApiClient(new URL('/console/api', apiUrl).href, '');
  const answer = await client.call('POST', '/sign-in', { body, token: null, headers });
  assert.equal(answer.status, 204, JSON.stringify(answer.body));
  let cookie = '';
  const keep = ({ headers }: ApiAnswer) => {
    const given = headers.getSetCookie().map((one) => one.split(';')[0]);
    if (given.length > 0) cookie = given.join('; ');
  };
  keep(answer);
  return {
    get cookies() {
      return cookie;
    },
    call: async (method, path, given) => {
      const answered = await client.call(method, path, { token: null, headers: { cookie }, body: given });
      keep(answered);
      return answered;
    },
  };
}

/** Sets a second factor up, with the code before the present one, which it returns as `confirmedBy`. */
export async function setUpSecondFactor(
  { call }: Pick<ConsoleCaller, 'call'>,
  { password }: Person,
): Promise<{ secret: string; codes: string[]; confirmedBy: string }> {
  const offer = await call('POST', '/second-factor', { password });
  assert.equal(offer.status, 201, JSON.stringify(offer.body));
  const { secret } = offer.body as OfferedSecondFactor;
  const confirmedBy = await totpCodeBefore(secret);
  const confirmed = await call('POST', '/second-factor/confirm', { code: confirmedBy });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  return { secret, codes: (confirmed.body as RecoveryCodes).recovery_codes, confirmedBy };
}
