/** People of the console, and their calls to it without a browser. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { statementsOf } from '../../src/adapters/accounts/access.ts';
import { ensureAdministrator } from '../../src/adapters/accounts/administrator.ts';
import { inTransaction } from '../../src/adapters/postgres/database.ts';
import type { Capability } from '../../src/contract/accounts/capabilities.ts';
import { ApiClient, type ApiAnswer } from './api-client.ts';
import type { Stack } from './stack.ts';

export type Person = { email: string; password: string };

/** @param capabilities of a role made for them; without it they are an administrator */
export async function makePerson(
  { db, organizationId }: Pick<Stack, 'db' | 'organizationId'>,
  capabilities?: readonly Capability[],
): Promise<Person> {
  const given = { email: `${randomUUID()}@example.com`, password: randomBytes(12).toString('base64url') };
  await inTransaction(db, (tx) => ensureAdministrator(tx, organizationId, given));
  if (capabilities !== undefined) {
    const role = `role-${randomUUID()}`;
    await db.knex('console_roles').insert({
      organization_id: organizationId,
      role,
      label: `Role ${role}`,
      permission: JSON.stringify(statementsOf(capabilities)),
    });
    const user = db.knex('console_users').where({ email: given.email }).select('id');
    await db.knex('console_members').where('user_id', 'in', user).update({ role });
  }
  return given;
}

export type ConsoleCaller = {
  /** Of their session, as a browser sends them. */
  cookies: string;
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

/** Signs in a person who exists. */
export async function signInAs({ apiUrl }: Pick<Stack, 'apiUrl'>, body: Person): Promise<ConsoleCaller> {
  const client = new ApiClient(new URL('/console/api', apiUrl).href, '');
  const answer = await client.call('POST', '/sign-in', { body, token: null });
  assert.equal(answer.status, 204, JSON.stringify(answer.body));
  const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
  const cookie = cookies.join('; ');
  return {
    cookies: cookie,
    call: async (method, path, given) =>
      await client.call(method, path, { token: null, headers: { cookie }, body: given }),
  };
}
