/** `npm run parley -- admin reset`: lets a user who lost the password or the second factor sign in again. */
import type { Command } from 'commander';
import { makeResetLink } from '../adapters/accounts/password-resets.ts';
import { deleteSecondFactor, findSecondFactor } from '../adapters/postgres/accounts/accounts.ts';
import { recordForAccount } from '../adapters/postgres/accounts/audit-log.ts';
import { unlinkIdentities } from '../adapters/postgres/accounts/identities.ts';
import { idRow, inTransaction, rowOf, type Transaction } from '../adapters/postgres/database.ts';
import type { CommandContext } from './command-context.ts';
import { findConsoleOrigin } from './database-url.ts';
import { operator } from './operator.ts';

export function addAdminCommands(program: Command, { env, withDatabase }: CommandContext): void {
  program
    .command('admin')
    .description('accounts of the console')
    .command('reset <email>')
    .description('ends all sessions of an account, and prints a link with which its password is chosen once')
    .option('--second-factor', 'also removes the second factor, for who lost the app and the recovery codes')
    .option('--providers', 'also unlinks the account from its identities at OpenID Connect providers')
    .action((given: string, options: { secondFactor?: true; providers?: true }) =>
      withDatabase(async (db) => {
        const origin = await findConsoleOrigin(env);
        const email = given.toLowerCase();
        return await inTransaction(db, async (tx) => {
          const user = await rowOf(idRow, tx.knex('console_users').where({ email }).first('id'));
          const organizations =
            user && (await recordForAccount(tx, user.id, operator(), 'password_reset_created', email));
          if (user === undefined || organizations === 0) throw new Error(`There is no account ${given}.`);
          const second_factor = await secondFactorAfter(tx, user.id, email, options.secondFactor === true);
          const issuers = options.providers === true ? await unlinkIdentities(tx, user.id) : [];
          for (const issuer of issuers)
            await recordForAccount(tx, user.id, operator(), 'provider_unlinked', `${email} from ${issuer}`);
          return { email, second_factor, ...(await makeResetLink(tx, user.id, operator(), origin)) };
        });
      }),
    );
}

/**
 * Removes the account's second factor if `removes` is true.
 * @returns `none` if the account has no confirmed second factor; otherwise `removed`, or `kept` if `removes` is false
 */
async function secondFactorAfter(
  tx: Transaction,
  userId: string,
  email: string,
  removes: boolean,
): Promise<'none' | 'kept' | 'removed'> {
  if ((await findSecondFactor(tx, userId))?.isConfirmed !== true) return 'none';
  if (!removes) return 'kept';
  await deleteSecondFactor(tx, userId);
  await recordForAccount(tx, userId, operator(), 'second_factor_removed', email);
  return 'removed';
}
