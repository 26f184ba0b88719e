/** Where an attachment's bytes are: at the URL that was given, or behind a link that the gateway makes for it. */
import type { UnfetchedFile } from '../../adapters/postgres/conversations/attachments.ts';
import { findChannel, openAccess } from '../../adapters/postgres/whatsapp/channels.ts';
import { gatewayFileScheme } from '../../adapters/postgres/whatsapp/inbox.ts';
import type { PublicHttp } from '../../adapters/http/public-http.ts';
import type { ActivityDeps } from '../deps.ts';

export const laterMs = 2000;

/** @returns why there is none, where the gateway has no such file any more: the run goes on without it */
export async function placeOfFile(
  { db, http, channel }: ActivityDeps,
  file: UnfetchedFile,
): Promise<
  | { url: string; http: PublicHttp; isOfGateway: boolean }
  /** `laterMs`: the gateway may give it after that time. */
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

/** What an operator opens for gateways is not opened to whatever address a gateway names. */
function isOfSameOrigin(url: string, baseUrl: string): boolean {
  return new URL(url).origin === new URL(baseUrl).origin;
}
