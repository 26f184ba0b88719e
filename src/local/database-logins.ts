/** Makes the database logins of the API and the worker, by giving the roles of the schema a password. */
import pg from 'pg';
import { databaseRoles } from '../adapters/postgres/organization-scope.ts';

/** The settings with which a process connects to the database. */
export type LoginSettings = Readonly<Record<'api' | 'worker', NodeJS.ProcessEnv>>;

/** @param url connection URL of the database's owner; those of the logins differ in user name and password only */
export function loginSettings(url: string, password: string): LoginSettings {
  const as = (role: string) => {
    const login = new URL(url);
    login.username = role;
    login.password = password;
    return login.href;
  };
  return {
    api: {
      DATABASE_URL: as(databaseRoles.api),
      DATABASE_ACROSS_URL: as(databaseRoles.across),
      DATABASE_ACCOUNTS_URL: as(databaseRoles.accounts),
    },
    worker: { DATABASE_URL: as(databaseRoles.worker) },
  };
}

/**
 * Gives the roles a password, with which the API and the worker can then log in. The database must be migrated.
 * @param url connection URL of a user who may change the roles
 */
export async function makeLogins(url: string, password: string): Promise<LoginSettings> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const role of Object.values(databaseRoles))
      await client.query(`alter role ${role} login password ${client.escapeLiteral(password)}`);
  } finally {
    await client.end();
  }
  return loginSettings(url, password);
}
