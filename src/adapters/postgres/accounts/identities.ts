/**
 * Links accounts to identities at OpenID Connect providers, and removes passwords. An identity is an issuer and a
 * subject.
 */
import { z } from 'zod';
import { rowOf, rowsOf, statement, type Database, type Transaction } from '../database.ts';

interface AccountRow {
  user_id: string;
  provider_id: string;
  account_id: string;
}

const userOfAccount = z.object({ user_id: z.string() });
const subjectOfAccount = z.object({ account_id: z.string() });
const emailOfUser = z.object({ email: z.string() });
const issuerOfAccount = z.object({ provider_id: z.string() });

const accounts = (db: Database) => db.knex<AccountRow>('console_accounts');
/** Provider id of the rows that contain a password instead of an identity. */
const passwords = 'credential';

/** @returns the id of the user who has this identity; undefined if nobody has it */
export async function findUserOfIdentity(
  db: Database,
  issuer: string,
  subject: string,
): Promise<string | undefined> {
  const account = await rowOf(
    userOfAccount,
    accounts(db).where({ provider_id: issuer, account_id: subject }).first('user_id'),
  );
  return account?.user_id;
}

/** @returns the subject of the user's identity at this issuer; undefined if there is none */
export async function findSubject(db: Database, userId: string, issuer: string): Promise<string | undefined> {
  const row = await rowOf(
    subjectOfAccount,
    accounts(db).where({ user_id: userId, provider_id: issuer }).first('account_id'),
  );
  return row?.account_id;
}

/**
 * Links an identity to a user.
 * @returns true if this call has linked it; false if it already belongs to a user, or the user has another identity at
 * this issuer
 */
export async function linkIdentity(
  tx: Transaction,
  userId: string,
  issuer: string,
  subject: string,
): Promise<boolean> {
  const linked = await rowsOf(
    userOfAccount,
    accounts(tx)
      .insert({ user_id: userId, provider_id: issuer, account_id: subject })
      .onConflict()
      .ignore()
      .returning('user_id'),
  );
  return linked.length > 0;
}

/** @returns the issuers at which the user has an identity */
export const listIssuers = statement('list-issuers', z.array(z.string())).result<[userId: string]>`
  select array(select provider_id from console_accounts where user_id = $1 and provider_id <> '${passwords}'
    order by provider_id) as result`;

/** @returns the email of a user who has a password; undefined if the user has none, or does not exist */
export async function findEmailWithPassword(db: Database, userId: string): Promise<string | undefined> {
  const row = await rowOf(
    emailOfUser,
    accounts(db)
      .join('console_users', 'console_users.id', 'console_accounts.user_id')
      .where({ user_id: userId, provider_id: passwords })
      .first('email'),
  );
  return row?.email;
}

/** Removes a user's password. @returns false if there was none */
export async function removePassword(tx: Transaction, userId: string): Promise<boolean> {
  return (await accounts(tx).where({ user_id: userId, provider_id: passwords }).delete()) > 0;
}

/** Removes all identities of a user. @returns their issuers */
export async function unlinkIdentities(tx: Transaction, userId: string): Promise<string[]> {
  const removed = await rowsOf(
    issuerOfAccount,
    accounts(tx).where({ user_id: userId }).whereNot({ provider_id: passwords }).delete('provider_id'),
  );
  return removed.map(({ provider_id }) => provider_id);
}
