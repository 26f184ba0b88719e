import type { Encryption } from '../../adapters/secrets/encryption.ts';
import {
  signingSecretPlace,
  type SealedEndpoint,
} from '../../adapters/postgres/conversations/webhook-endpoints.ts';

/**
 * Decrypts the secrets that sign callbacks to an endpoint: the current secret, then the previous one if the endpoint
 * has one.
 * @returns the secrets; `unreadable` if the current secret was lost, or either secret cannot be decrypted with the keys
 * of this process
 */
export function openSigningSecrets(
  encryption: Pick<Encryption, 'open'>,
  endpoint: SealedEndpoint,
): readonly string[] | 'unreadable' {
  const { secret, previous_secret: previous } = endpoint;
  if (secret === null) return 'unreadable';
  try {
    return [
      encryption.open(secret, signingSecretPlace(endpoint, 'secret')),
      ...(previous === null
        ? []
        : [encryption.open(previous, signingSecretPlace(endpoint, 'previous_secret'))]),
    ];
  } catch {
    return 'unreadable';
  }
}
