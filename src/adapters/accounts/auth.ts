/**
 * Configures better-auth on our own tables: users, passwords, sessions, members, invitations and roles. Its HTTP
 * routes are not served; our code calls its functions.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { hkdfSync, randomBytes } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { organization } from 'better-auth/plugins/organization';
import { PostgresDialect } from 'kysely';
import { administratorRole } from '../../contract/accounts/capabilities.ts';
import { browserNames } from '../../domain/accounts/browser-names.ts';
import type { StatementPool } from '../postgres/database.ts';
import { createEncryption } from '../secrets/encryption.ts';
import { accessControl, builtInRoles } from './access.ts';
import { identifiedSignIn } from './identified-sign-in.ts';
import { secondFactorPlugin } from './second-factor-plugin.ts';

const idleSeconds = 12 * 60 * 60;
const refreshSeconds = 10 * 60;
const invitationSeconds = 7 * 24 * 60 * 60;
const openInvitations = 1000;

/** Maximum age of a session, even if it is in use. Chosen. */
export const sessionMs = 7 * 24 * 60 * 60 * 1000;
export const minPasswordChars = 10;

const created = { createdAt: 'created_at' };
const stamps = { ...created, updatedAt: 'updated_at' };

/** An additional text of a session, which requests cannot set. */
const storedOnly = { type: 'string', required: false, input: false } as const;

interface AuthOptions {
  pool: StatementPool;
  encryptionKey: string | undefined;
  origin: string;
  /** True if `pool` is the connection of an open transaction. */
  inTransaction?: boolean;
}

/**
 * Creates a better-auth instance.
 * @param options.encryptionKey signs the cookies and encrypts second factors; if undefined, sessions end with the
 * process, and nobody can set up a second factor
 * @param options.origin the console's origin; if it is https, the cookies are Secure
 */
export function createAuth({ inTransaction = false, ...options }: AuthOptions) {
  const secret = secretFrom(options.encryptionKey);
  return betterAuth({
    appName: 'Parley',
    baseURL: options.origin,
    basePath: '/console/api/auth',
    secret,
    database: {
      dialect: new PostgresDialect({ pool: options.pool }),
      type: 'postgres',
      // better-auth must not begin another transaction on this connection, because its commit would end the open one.
      transaction: !inTransaction,
    },
    telemetry: { enabled: false },
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: minPasswordChars,
      maxPasswordLength: 128,
    },
    user: {
      modelName: 'console_users',
      fields: { ...stamps, emailVerified: 'email_verified' },
    },
    session: {
      modelName: 'console_sessions',
      expiresIn: idleSeconds,
      updateAge: refreshSeconds,
      fields: {
        ...stamps,
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      additionalFields: { browser: storedOnly, system: storedOnly },
    },
    databaseHooks: {
      session: {
        create: {
          before: ({ userAgent, ...session }) =>
            Promise.resolve({ data: { ...session, userAgent: null, ...browserNames(userAgent) } }),
        },
      },
    },
    account: {
      modelName: 'console_accounts',
      fields: {
        ...stamps,
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
    },
    verification: {
      modelName: 'console_verifications',
      fields: { ...stamps, expiresAt: 'expires_at' },
    },
    advanced: {
      cookiePrefix: 'parley',
      useSecureCookies: options.origin.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
      // By default, better-auth takes the address from a header that callers can set.
      ipAddress: { disableIpTracking: true },
      // An instance for transactions does not validate the schema, because the validation queries the whole catalog.
      database: { generateId: 'uuid', ...(inTransaction && { validateSchema: false }) },
    },
    // Only our own endpoints call better-auth. They limit the rate by address and account, across all processes.
    rateLimit: { enabled: false },
    plugins: [
      identifiedSignIn(),
      secondFactorPlugin(secret, createEncryption(options.encryptionKey)),
      organization({
        ac: accessControl,
        roles: builtInRoles,
        creatorRole: administratorRole,
        dynamicAccessControl: { enabled: true, maximumRolesPerOrganization: 100 },
        allowUserToCreateOrganization: false,
        disableOrganizationDeletion: true,
        membershipLimit: 10_000,
        invitationExpiresIn: invitationSeconds,
        invitationLimit: openInvitations,
        cancelPendingInvitationsOnReInvite: true,
        // An invitation must work without a mail server, so its email may be unverified. Whoever has the link can
        // create the invited account; the owner of an existing account must sign in.
        requireEmailVerificationOnInvitation: false,
        schema: {
          session: { fields: { activeOrganizationId: 'active_organization_id' } },
          organization: { modelName: 'organizations', fields: created },
          member: {
            modelName: 'console_members',
            fields: { ...created, organizationId: 'organization_id', userId: 'user_id' },
          },
          invitation: {
            modelName: 'console_invitations',
            fields: {
              ...created,
              organizationId: 'organization_id',
              inviterId: 'inviter_id',
              expiresAt: 'expires_at',
            },
            additionalFields: {
              tokenHash: { type: 'string', required: true, fieldName: 'token_hash' },
            },
          },
          organizationRole: {
            modelName: 'console_roles',
            fields: { ...stamps, organizationId: 'organization_id' },
            additionalFields: { label: { type: 'string', required: true } },
          },
        },
      }),
    ],
  });
}

export type Auth = ReturnType<typeof createAuth>;

/**
 * The secret of better-auth if there is no encryption key. All better-auth instances of this process share it, so that
 * each accepts the sessions of the others. After a restart, all sessions are invalid.
 */
const secretOfProcess = randomBytes(32).toString('base64');

function secretFrom(encryptionKey: string | undefined): string {
  if (encryptionKey === undefined) return secretOfProcess;
  return Buffer.from(hkdfSync('sha256', encryptionKey, '', 'console session cookies', 32)).toString('base64');
}

/**
 * Creates one better-auth instance for all transactions. Creating one for each transaction would occupy the process's
 * only thread for several milliseconds, even for a failed sign-in.
 * @returns a function that returns the instance, and binds it to a transaction for the rest of the caller's
 * asynchronous work
 * @throws Error, from the calls of the instance, if they are made outside of such work
 */
export function authInTransactions(
  options: Omit<AuthOptions, 'pool' | 'inTransaction'>,
): (transaction: { pool: StatementPool }) => Auth {
  const current = new AsyncLocalStorage<StatementPool>();
  const open = (): StatementPool => {
    const pool = current.getStore();
    if (pool === undefined) throw new Error('better-auth is used outside of its transaction');
    return pool;
  };
  const pool: StatementPool = {
    query: (statement, values) => open().query(statement, values),
    connect: () => open().connect(),
    end: () => Promise.resolve(),
  };
  const auth = createAuth({ ...options, pool, inTransaction: true });
  return (transaction) => {
    current.enterWith(transaction.pool);
    return auth;
  };
}
