/** Secrets at rest: AES-256-GCM, bound to the place where they stand, so that no row's secret opens in another. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export type SecretPlace = {
  readonly organizationId: string;
  readonly table: string;
  readonly rowId: string;
  readonly column: string;
};

export type Encryption = {
  /** @returns `v1:key id:nonce:ciphertext:tag`, the last three in base64url */
  readonly seal: (secret: string, place: SecretPlace) => string;
  /** @throws Error when it was sealed with another key, for another place, or was changed */
  readonly open: (sealed: string, place: SecretPlace) => string;
};

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** @param key 32 bytes as base64; without one, nothing can be sealed or opened, and the error says so at the first use */
export function createEncryption(key: string | undefined): Encryption {
  const bytes = key === undefined ? undefined : Buffer.from(key, 'base64');
  if (bytes !== undefined && bytes.length !== keyBytes) {
    throw new Error('ENCRYPTION_KEY must be 32 bytes as base64 (openssl rand -base64 32).');
  }
  const needed = (): Buffer => {
    if (bytes === undefined)
      throw new Error('Set ENCRYPTION_KEY to keep credentials: openssl rand -base64 32.');
    return bytes;
  };
  const keyId = (): string => createHash('sha256').update(needed()).digest('hex').slice(0, 8);
  return {
    seal: (secret, place) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, needed(), nonce, { authTagLength: tagBytes });
      cipher.setAAD(boundTo(place));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return [
        'v1',
        keyId(),
        ...[nonce, sealed, cipher.getAuthTag()].map((one) => one.toString('base64url')),
      ].join(':');
    },
    open: (sealed, place) => {
      const [version, id, nonce, text, tag] = sealed.split(':');
      if (version !== 'v1' || nonce === undefined || text === undefined || tag === undefined) {
        throw new Error('This is not a sealed secret.');
      }
      if (id !== keyId()) throw new Error('This secret was sealed with another ENCRYPTION_KEY.');
      const decipher = createDecipheriv(algorithm, needed(), Buffer.from(nonce, 'base64url'), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(boundTo(place));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}

function boundTo({ organizationId, table, rowId, column }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([organizationId, table, rowId, column]));
}
