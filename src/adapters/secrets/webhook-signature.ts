/** Creates the signature headers of webhooks according to Standard Webhooks 1.0: https://www.standardwebhooks.com */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
/** Number of random bytes in a new secret. The specification recommends 24 to 64. */
const secretBytes = 32;

/** @returns a new secret: `whsec_` and `secretBytes` random bytes as base64 */
export function newSigningSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`;
}

/**
 * Returns the headers that sign a request.
 * @param message.id must not contain a full stop, because full stops separate the signed parts
 * @param message.at when the request is sent
 * @param secrets as `newSigningSecret` returns them. `webhook-signature` contains one signature for each, in this order
 */
export function signatureHeaders(
  message: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
