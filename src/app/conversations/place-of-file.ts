/** Finds the URL of an attachment's bytes: the given one, or a link that the gateway creates. */
import type { UnfetchedFile } from '../../adapters/postgres/conversations/attachments.ts';
import { findChannel, openAccess } from '../../adapters/postgres/whatsapp/channels.ts';
import { gatewayFileScheme } from '../../adapters/postgres/whatsapp/inbox.ts';
import type { PublicHttp } from '../../adapters/http/public-http.ts';
import type { ActivityDeps } from '../deps.ts';

export const laterMs = 2000;

/**
 * Finds the file's URL and the client that may fetch it.
 * @returns `error` if the channel is disconnected or the gateway gives no link
 */
export async function placeOfFile(
  { db, http, channel }: ActivityDeps,
  file: UnfetchedFile,
): Promise<
  | { url: string; http: PublicHttp; isOfGateway: boolean }
  /** `laterMs`: the gateway may give a link after this time; absent if it never will. */
  | { error: string; laterMs?: number }
> {
  if (!file.url.startsWith(gatewayFileScheme)) return { url: file.url, http, isOfGateway: false };
  const row = await findChannel(db, file.channelAgentId);
  const access = row && openAccess(channel.encryption, row);
  if (access === undefined) return { error: 'the channel is disconnected' };
  const link = await channel.gateway.downloadLink(access, file.url.slice(gatewayFileScheme.length));
  switch (link.outcome) {
    case 'ok':
      return {
        url: link.url,
        http: isOfSameOrigin(link.url, access.baseUrl) ? channel.http : channel.publicHttp,
        isOfGateway: true,
      };
    case 'gone':
      return { error: 'the gateway has it no more' };
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

/** True if the gateway's link leads to the gateway itself. GATEWAY_ALLOW must not apply to any other address. */
function isOfSameOrigin(url: string, baseUrl: string): boolean {
  return new URL(url).origin === new URL(baseUrl).origin;
}
