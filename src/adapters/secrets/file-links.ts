/** Creates and checks signed links to files of conversations. Until it expires, a link works without an API token. */
import { createHmac, hkdfSync } from 'node:crypto';
import { equalSecrets } from './equal-secrets.ts';

export type FileLinks = {
  /**
   * Creates the link to a file. Does not check that the file exists.
   * @param until when the link expires (epoch ms)
   * @returns undefined if there is no key to sign with
   */
  readonly urlOf: (attachmentId: string, until: number) => string | undefined;
  /** Returns true if the signature is valid and the link has not expired. */
  readonly allows: (link: { id: string; until: string; signature: string }) => boolean;
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Creates the link to a file that an API response contains.
 * @param file `kept` is true if the file's content is stored
 * @returns a link that is valid for one to two days, the same for all calls on one UTC day; an empty object if the file
 * is not stored, or there is no key to sign with
 */
export function dailyLink(links: FileLinks, { id, kept }: { id: string; kept: boolean }): { url?: string } {
  const url = kept ? links.urlOf(id, Math.ceil(Date.now() / dayMs) * dayMs + dayMs) : undefined;
  return url === undefined ? {} : { url };
}

export const filesPath = '/v1/files';

/**
 * Creates the functions that sign and check links.
 * @param keys ENCRYPTION_KEY: the first key signs; links signed with any of the keys are valid
 * @param origin the API's public address, with its path prefix if it has one
 */
export function createFileLinks(keys: string | undefined, origin: string): FileLinks {
  const signing = (keys?.split(',') ?? []).map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key.trim(), 'base64'), '', 'links to files', 32)),
  );
  return {
    urlOf: (attachmentId, until) => {
      const [key] = signing;
      if (key === undefined) return undefined;
      const seconds = Math.floor(until / 1000).toString();
      const signature = sign(key, attachmentId, seconds).toString('base64url');
      return `${origin}${filesPath}/${attachmentId}/${seconds}/${signature}`;
    },
    allows: ({ id, until, signature }) => {
      if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 < Date.now()) return false;
      const given = Buffer.from(signature, 'base64url');
      return signing.some((key) => equalSecrets(given, sign(key, id, until)));
    },
  };
}

function sign(key: Buffer, attachmentId: string, seconds: string): Buffer {
  return createHmac('sha256', key).update(`${attachmentId} ${seconds}`).digest();
}
