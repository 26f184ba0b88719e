/**
 * Records an error on a connected channel if an event with the right webhook secret has another instance token or
 * comes from another phone. The console shows the error. The caller still processes the event, because the credentials
 * may have been changed a moment ago.
 * @throws Error if the channel's credentials cannot be decrypted
 */
import type { Database } from '../../adapters/postgres/database.ts';
import { recordChannelError } from '../../adapters/postgres/whatsapp/channel-watch.ts';
import type { ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import type { ChannelError } from '../../contract/whatsapp/channel.ts';
import type { GatewayEvent } from '../../contract/whatsapp/gateway-event.ts';
import { numberOf } from '../../domain/whatsapp/gateway-status.ts';
import type { ChannelSteps } from './channel-steps.ts';

export async function warnOfMismatch(
  { db, channels }: { db: Database; channels: ChannelSteps },
  channel: ChannelRow,
  { token, owner }: Pick<GatewayEvent, 'token' | 'owner'>,
): Promise<void> {
  if (channel.state !== 'connected') return;
  const warning = mismatch(channel, channels.access(channel).token, token, numberOf(owner));
  // A warning that the channel already shows is not recorded again. Otherwise, each message would cause a write.
  if (warning === undefined || channel.last_error?.code === warning[0]) return;
  await recordChannelError(db, channel.agent_id, ...warning);
}

function mismatch(
  { connected_number }: ChannelRow,
  ours: string,
  token: string,
  number: string | null,
): [ChannelError['code'], string] | undefined {
  if (token !== '' && token !== ours) {
    return [
      'other_token',
      'An event came with another instance token. Another instance posts to this webhook URL, or its token was renewed: edit the channel.',
    ];
  }
  if (number !== null && connected_number !== null && number !== connected_number) {
    return ['other_number', `The instance is paired with another phone now: ${number}.`];
  }
  return undefined;
}
