/** Where the bytes of a message's file are. */
import type { PublicHttp } from '../../adapters/http/public-http.ts';

/** Delay before a file that is unavailable for now is asked for again. Chosen. */
export const laterMs = 2000;

/** A URL and the client that may fetch it. */
export type FilePlace =
  | { url: string; http: PublicHttp; isOfGateway: boolean }
  /** `laterMs`: there may be a link after this time; absent if there never will be. */
  | { error: string; laterMs?: number };
