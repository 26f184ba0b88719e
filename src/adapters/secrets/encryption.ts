/**
 * Encrypts stored secrets with AES-256-GCM. Each secret is bound to its row and column: if its ciphertext is copied to
 * another place, it cannot be decrypted there.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export type SecretPlace = {
  readonly organizationId: string;
  readonly table: string;
  readonly rowId: string;
  readonly column: string;
};

export type Encryption = {
  /**
   * Encrypts a secret with the first key.
   * @returns `v1:key id:nonce:ciphertext:tag`, the last three in base64url
   * @throws Error if there is no key
   */
  readonly seal: (secret: string, place: SecretPlace) => string;
  /**
   * Decrypts a secret with the key that its text names.
   * @throws Error if the text is not an encrypted secret or was changed, or was encrypted with another key or for
   * another place
   */
  readonly open: (sealed: string, place: SecretPlace) => string;
  /** The id of each key: the first 8 hexadecimal digits of its SHA-256. The key that encrypts comes first. */
  readonly keyIds: readonly string[];
};

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Creates the functions that encrypt and decrypt.
 * @param keys one key of 32 bytes as base64. During a rotation: the new key, a comma, and the old key; `seal` uses the
 * first key, `open` any of them. If undefined, `seal` and `open` always throw.
 * @throws Error if a key is not 32 bytes
 */
export function createEncryption(keys: string | undefined): Encryption {
  const known = new Map((keys?.split(',') ?? []).map((key) => readKey(key.trim())));
  return {
    keyIds: [...known.keys()],
    seal: (secret, place) => {
      const [first] = known;
      if (first === undefined)
        throw new Error('Set ENCRYPTION_KEY to store credentials: openssl rand -base64 32.');
      const [id, key] = first;
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(boundTo(place));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return ['v1', id, ...[nonce, sealed, cipher.getAuthTag()].map((one) => one.toString('base64url'))].join(
        ':',
      );
    },
    open: (sealed, place) => {
      const [version, id = '', nonce, text, tag] = sealed.split(':');
      if (version !== 'v1' || nonce === undefined || text === undefined || tag === undefined) {
        throw new Error('This is not an encrypted secret.');
      }
      const key = known.get(id);
      if (key === undefined)
        throw new Error(`This secret was encrypted with another ENCRYPTION_KEY (${id}).`);
      const decipher = createDecipheriv(algorithm, key, Buffer.from(nonce, 'base64url'), {
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

/** Returns the key's id and its bytes. @throws Error if it is not 32 bytes as base64 */
function readKey(key: string): [id: string, bytes: Buffer] {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== keyBytes) {
    throw new Error('ENCRYPTION_KEY must be 32 bytes as base64 (openssl rand -base64 32).');
  }
  return [createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes];
}

function boundTo({ organizationId, table, rowId, column }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([organizationId, table, rowId, column]));
}
