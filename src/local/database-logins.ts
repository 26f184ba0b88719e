/** Creates the database logins of the API and the worker in local mode: gives their roles a password. */
import pg from 'pg';
import { databaseRoles } from '../adapters/postgres/organization-scope.ts';

/** Environment variables with which the API and the worker connect to the database. */
export type LoginSettings = Readonly<Record<'api' | 'worker', NodeJS.ProcessEnv>>;

/**
 * Returns the environment variables that contain the connection URLs of the API and the worker. The URLs differ from
 * the owner's URL only in user name and password.
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
 * Sets the password of each role in `databaseRoles` and allows the role to log in. The roles must exist, so the
 * database must be migrated first. A repeated call replaces the password.
 * @param url connection URL of a user who may change the roles
 * @returns the connection URLs of the API and the worker, as `loginSettings` returns them
 * @throws the error of the connection or of the statement that failed
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
