/** Describes from where the bytes of a message's file can be fetched. */
import type { PublicHttp } from '../../adapters/http/public-http.ts';

/** Milliseconds until a temporarily unavailable file is requested again. Chosen. */
export const laterMs = 2000;

/** The URL of a file and the HTTP client that may fetch it, or the reason why there is no URL. */
export type FilePlace =
  | { url: string; http: PublicHttp; isOfGateway: boolean }
  /**
   * `laterMs`: milliseconds until the gateway may be asked for a link again; absent if a retry would not help.
   */
  | { error: string; laterMs?: number };
