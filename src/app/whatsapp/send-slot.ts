/**
 * Limits the rate of sends per gateway instance. `takeSendSlot` itself waits if the wait is short; otherwise, the
 * caller must retry.
 */
import type { Database } from '../../adapters/postgres/database.ts';
import { Pace } from '../../adapters/postgres/pace.ts';
import { instanceKey } from '../../adapters/postgres/whatsapp/channels.ts';
import type { GatewayAccess } from '../../adapters/whatsapp/gateway-call.ts';
import type { ChannelDeps } from './deps.ts';

/**
 * Maximum milliseconds for which one call waits. Chosen: far below the activity's timeout, but long enough that most
 * waits happen within the activity and add no events to the workflow's history.
 */
const maxWaitMs = 10_000;
/** Maximum milliseconds added at random to `retryMs`, so that waiting sends do not all retry at once. Chosen. */
const spreadMs = 5000;

/**
 * Takes a slot for one send from the rate limit of the gateway's instance. Waits at most `maxWaitMs` for it.
 * @returns `waited` if a slot was taken, so that the message may be sent; it is true if the call waited. `retryMs` if
 * no slot was taken: the milliseconds until the call must be repeated
 * @throws AbortError if the signal aborts the wait
 */
export async function takeSendSlot(
  { db, channel: { sendsPerMinute } }: { db: Database; channel: Pick<ChannelDeps, 'sendsPerMinute'> },
  access: GatewayAccess,
  signal: AbortSignal,
): Promise<{ waited: boolean } | { retryMs: number }> {
  if (sendsPerMinute === 'off') return { waited: false };
  // Channels that use the same instance share its slots. The hash reveals neither the gateway's URL nor the token.
  const key = `gateway:${instanceKey(access)}`;
  const slot = await new Pace(db, key, { max: sendsPerMinute, windowMs: 60_000, maxWaitMs }).take(signal);
  return 'waited' in slot ? slot : { retryMs: Math.ceil(slot.retryMs + Math.random() * spreadMs) };
}
