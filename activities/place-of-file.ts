/** Where an attachment's bytes are: at the URL that was given, or behind a link that the gateway makes for it. */
import type { UnfetchedFile } from '../src/adapters/db/attachments.ts';
import { findChannel, openAccess } from '../src/adapters/db/channels.ts';
import { gatewayFileScheme } from '../src/adapters/db/gateway-inbox.ts';
import type { PublicHttp } from '../src/adapters/public-http.ts';
import type { ActivityDeps } from './deps.ts';
import { transient } from './failures.ts';

const retryMs = 5000;

/** @returns why there is none, where the gateway has no such file any more: the run goes on without it */
export async function placeOfFile(
  { db, http, channel }: ActivityDeps,
  file: UnfetchedFile,
  maxBytes: number,
): Promise<{ url: string; http: PublicHttp } | { error: string }> {
  if (!file.url.startsWith(gatewayFileScheme)) return { url: file.url, http };
  if (file.size !== null && file.size > maxBytes) return { error: `over ${maxBytes} bytes` };
  const row = await findChannel(db, file.channelAgentId);
  const access = row && openAccess(channel.encryption, row);
  if (access === undefined) return { error: 'the channel is disconnected' };
  const link = await channel.gateway.downloadLink(access, file.url.slice(gatewayFileScheme.length));
  switch (link.outcome) {
    case 'ok':
      return { url: link.url, http: channel.http };
    case 'gone':
      return { error: 'the gateway has it no more' };
    case 'invalid_credentials':
    case 'blocked':
    case 'not_a_gateway':
      return { error: link.outcome };
    case 'rate_limited':
      throw transient('GatewayBusy', 'The gateway makes no link for now.', link.retryAfterMs ?? retryMs);
    case 'not_reachable':
      return { error: 'the gateway could not be reached' };
  }
}
