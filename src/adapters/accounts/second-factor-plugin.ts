/**
 * Configures better-auth's second factor on our own tables. Encrypts its secrets in the same way as all other secrets,
 * so that `parley secrets rotate` encrypts them again too.
 */
import { randomInt } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { secondFactorPlace } from '../postgres/sealed-secrets.ts';
import type { Encryption } from '../secrets/encryption.ts';

/**
 * Seconds that a user has to give the code, after the password or the sign-in at an identity provider. Chosen.
 */
export const challengeSeconds = 10 * 60;
const recoveryCodes = 10;
/** Characters of recovery codes. 0, 1, l and o are left out, because they are easily confused. */
const codeLetters = '23456789abcdefghijkmnpqrstuvwxyz';

/**
 * Returns the plug-in.
 * @param key the secret of the better-auth instance, with which better-auth's plug-in encrypts TOTP secrets
 */
export function secondFactorPlugin(key: string, encryption: Encryption) {
  const plugin = twoFactor({
    // Users who sign in at an identity provider may have no password.
    allowPasswordless: true,
    twoFactorCookieMaxAge: challengeSeconds,
    // Our own counters limit the attempts. They delay further attempts, but do not lock the account.
    accountLockout: { enabled: false },
    backupCodeOptions: {
      customBackupCodesGenerate: () => Array.from({ length: recoveryCodes }, newRecoveryCode),
      storeBackupCodes: {
        encrypt: (codes) => Promise.resolve(encryption.seal(codes, secondFactorPlace('backup_codes'))),
        decrypt: (sealed) => Promise.resolve(encryption.open(sealed, secondFactorPlace('backup_codes'))),
      },
    },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'console_two_factors',
        fields: {
          userId: 'user_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
  // The plug-in encrypts the TOTP secret with the key of the cookies, which changes with ENCRYPTION_KEY. `input`
  // therefore decrypts each secret and seals it with our encryption before it is stored; `output` does the reverse. The
  // table is copied, because all instances share the plug-in's schema.
  const { twoFactor: table } = plugin.schema;
  const transform = {
    input: async (data: unknown) =>
      encryption.seal(await symmetricDecrypt({ key, data: String(data) }), secondFactorPlace('secret')),
    output: async (sealed: unknown) =>
      await symmetricEncrypt({ key, data: encryption.open(String(sealed), secondFactorPlace('secret')) }),
  };
  const fields = { ...table.fields, secret: { ...table.fields.secret, transform } };
  return { ...plugin, schema: { ...plugin.schema, twoFactor: { ...table, fields } } };
}

/** Returns a code of 50 bits, for example `k3v9p-2mhxd`. */
function newRecoveryCode(): string {
  const part = () => Array.from({ length: 5 }, () => codeLetters[randomInt(codeLetters.length)]).join('');
  return `${part()}-${part()}`;
}
