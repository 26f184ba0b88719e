/** `parley admin …`: gives people access to the console again. */
import type { Command } from 'commander';
import { makeResetLink } from '../adapters/accounts/password-resets.ts';
import { recordForAccount } from '../adapters/postgres/accounts/audit-log.ts';
import { inTransaction, type Database } from '../adapters/postgres/database.ts';
import { findConsoleOrigin } from './database-url.ts';
import { operator } from './operator.ts';

/** @param withDatabase opens the database, prints the result and closes it */
export function addAdminCommands(
  program: Command,
  withDatabase: (work: (db: Database) => Promise<object>) => Promise<void>,
): void {
  program
    .command('admin')
    .description('accounts of the console')
    .command('reset <email>')
    .description('ends all sessions of an account, and prints a link with which its password is chosen once')
    .action((given: string) =>
      withDatabase(async (db) => {
        const origin = await findConsoleOrigin();
        const email = given.toLowerCase();
        return await inTransaction(db, async (tx) => {
          const user = await tx
            .knex<{ id: string; email: string }>('console_users')
            .where({ email })
            .first('id');
          const organizations =
            user && (await recordForAccount(tx, user.id, operator(), 'password_reset_created', email));
          if (user === undefined || organizations === 0) throw new Error(`There is no account ${given}.`);
          return { email, ...(await makeResetLink(tx, user.id, operator(), origin)) };
        });
      }),
    );
}
