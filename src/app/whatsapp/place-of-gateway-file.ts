/** Requests a link to a received file from the gateway. */
import type { FileSource } from '../../adapters/postgres/conversations/attachments.ts';
import { findChannel, openAccess } from '../../adapters/postgres/whatsapp/channels.ts';
import { laterMs, type FilePlace } from '../conversations/file-place.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Requests a link to the file of a message from the gateway of the message's channel.
 * @returns the URL and the client that may fetch it; `error` if the channel has no credentials or the gateway returns
 * no link. Only if the gateway may return a link later, `laterMs` is set: the milliseconds until it may be asked
 * again.
 * @throws Error if the channel's credentials cannot be decrypted
 */
export async function placeOfGatewayFile(
  { db, channel }: ActivityDeps,
  { messageId, agentId }: Extract<FileSource, { kind: 'gateway' }>,
): Promise<FilePlace> {
  const row = await findChannel(db, agentId);
  const access = row && openAccess(channel.encryption, row);
  if (access === undefined) return { error: 'the channel is disconnected' };
  const link = await channel.gateway.downloadLink(access, messageId);
  switch (link.outcome) {
    case 'ok':
      return {
        url: link.url,
        http: isOfSameOrigin(link.url, access.baseUrl) ? channel.http : channel.publicHttp,
        isOfGateway: true,
      };
    case 'gone':
      return { error: 'the gateway no longer has it' };
    case 'invalid_credentials':
    case 'blocked':
    case 'not_a_gateway':
      return { error: link.outcome };
    case 'rate_limited':
      return { error: 'the gateway is busy', laterMs: link.retryAfterMs ?? laterMs };
    case 'not_reachable':
      return { error: 'the gateway could not be reached', laterMs };
  }
}

/** True if the link leads to the gateway itself. The exceptions in GATEWAY_ALLOW must apply to no other server. */
function isOfSameOrigin(url: string, baseUrl: string): boolean {
  return new URL(url).origin === new URL(baseUrl).origin;
}
