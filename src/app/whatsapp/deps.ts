/** The dependencies of the WhatsApp channel's activities. */
import type { Encryption } from '../../adapters/secrets/encryption.ts';
import { createFileLinks, type FileLinks } from '../../adapters/secrets/file-links.ts';
import { createGateway, type Gateway } from '../../adapters/whatsapp/gateway.ts';
import type { Names } from '../../adapters/http/name-resolver.ts';
import { createPublicHttp, type PublicHttp } from '../../adapters/http/public-http.ts';
import { publicOrigin, type Config } from '../../config.ts';
import { defaultReplySettings, type ReplySettings } from '../../domain/whatsapp/plan-reply.ts';
import { defaultReplyTimes, type ReplyTimes } from '../../domain/whatsapp/reply-progress.ts';

export interface ChannelDeps {
  readonly gateway: Gateway;
  /** HTTP client for the gateway's own address. It may also call the internal addresses that GATEWAY_ALLOW lists. */
  readonly http: PublicHttp;
  /**
   * HTTP client for files at other addresses that a gateway names. It calls public addresses only, because anybody may
   * run a gateway.
   */
  readonly publicHttp: PublicHttp;
  readonly encryption: Encryption;
  /** The API's public address, to which the gateway posts events. */
  readonly origin: string;
  readonly replySettings: ReplySettings;
  readonly times: ReplyTimes;
  /** Maximum sends per minute through one gateway instance, counted over all processes; `off` for no limit. */
  readonly sendsPerMinute: number | 'off';
  /**
   * Creates links to files, which replace files that the gateway refuses; undefined if the operator does not allow
   * links.
   */
  readonly fileLinks: FileLinks | undefined;
}

type GatewaySetting = Extract<keyof Config, `GATEWAY_${string}`>;

export function channelDeps(
  config: Pick<Config, 'HOST' | 'PORT' | 'PUBLIC_URL' | 'ENCRYPTION_KEY' | GatewaySetting>,
  encryption: Encryption,
  names: Names,
): ChannelDeps {
  const http = createPublicHttp({ allow: config.GATEWAY_ALLOW, names });
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
    publicHttp: createPublicHttp({ allow: [], names }),
    encryption,
    origin: publicOrigin(config),
    replySettings: { ...defaultReplySettings, ...hurried },
    times,
    sendsPerMinute: config.GATEWAY_SENDS_PER_MINUTE,
    fileLinks: config.GATEWAY_FILE_LINKS
      ? createFileLinks(config.ENCRYPTION_KEY, publicOrigin(config))
      : undefined,
  };
}
