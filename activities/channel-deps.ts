/** What the WhatsApp channel's activities are given. */
import { createEncryption, type Encryption } from '../src/adapters/encryption.ts';
import { createGateway, type Gateway } from '../src/adapters/gateway.ts';
import { createPublicHttp, type PublicHttp } from '../src/adapters/public-http.ts';
import type { Config } from '../src/config.ts';
import { defaultReplySettings, type ReplySettings } from '../src/domain/plan-gateway-reply.ts';
import { defaultReplyTimes, type ReplyTimes } from '../src/domain/reply-progress.ts';

export interface ChannelDeps {
  readonly gateway: Gateway;
  /** For files that the gateway hands out: its own exceptions, not those of callbacks. */
  readonly http: PublicHttp;
  readonly encryption: Encryption;
  readonly replySettings: ReplySettings;
  readonly times: ReplyTimes;
}

export function channelDeps(
  config: Pick<
    Config,
    | 'GATEWAY_ALLOW'
    | 'GATEWAY_TIMEOUT_SECONDS'
    | 'GATEWAY_ASK_SECONDS'
    | 'GATEWAY_WATCH_SECONDS'
    | 'GATEWAY_PACE'
    | 'ENCRYPTION_KEY'
  >,
): ChannelDeps {
  const http = createPublicHttp({ allow: config.GATEWAY_ALLOW });
  const textMs = config.GATEWAY_TIMEOUT_SECONDS * 1000;
  const times: ReplyTimes = {
    ...defaultReplyTimes,
    textMs,
    mediaMs: 3 * textMs,
    askAfterMs: config.GATEWAY_ASK_SECONDS * 1000,
    sessionCheckMs: config.GATEWAY_WATCH_SECONDS * 1000,
  };
  const hurried = config.GATEWAY_PACE === 'none' ? { typing: false, gapMs: 0 } : {};
  return {
    gateway: createGateway(http, times),
    http,
    encryption: createEncryption(config.ENCRYPTION_KEY),
    replySettings: { ...defaultReplySettings, ...hurried },
    times,
  };
}
