/** Makes the database logins of the API and the worker: gives the roles of the schema a password. */
import pg from 'pg';
import { databaseRoles } from '../adapters/postgres/organization-scope.ts';

/** Environment variables with which the API and the worker connect to the database. */
export type LoginSettings = Readonly<Record<'api' | 'worker', NodeJS.ProcessEnv>>;

/**
 * Returns the connection URLs of the logins, which differ from the owner's only in user name and password.
 * @param url connection URL of the database's owner
 */
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
 * Gives the roles this password, so that the API and the worker can log in. The database must be migrated.
 * @returns the connection URLs of the logins
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
