/**
 * Judges a URL by its text, before any name is looked up. Text that URL parsers interpret differently is refused; the
 * owner of a receiver can always write the plain form.
 */

export type UrlRefusal =
  | 'malformed_url'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  /** A host that another parser could read as a different one: octal, percent signs, full-width digits. */
  | 'odd_host';

export type JudgedUrl =
  | { readonly kind: 'refused'; readonly reason: UrlRefusal }
  | {
      readonly kind: 'plain';
      readonly url: URL;
      /** Name or address, without brackets and without a trailing dot. */
      readonly host: string;
      readonly port: number;
      readonly isAddress: boolean;
      /** True for a name that resolves only inside a network (dotless, `.local`, a metadata service). */
      readonly isInternalName: boolean;
    };

/**
 * Top-level domains that the public DNS does not have: reserved by RFC 6761, RFC 6762 appendix G, RFC 7686, RFC 9476 or
 * ICANN, or common in private networks.
 */
const INTERNAL_SUFFIXES = new Set(
  (
    'alt cluster consul corp domain home i2p internal intra intranet invalid lan local ' +
    'localdomain localhost mail onion private svc test workgroup'
  ).split(' '),
);
/** Metadata services whose names look public. */
const METADATA_NAMES = new Set([
  'metadata.goog',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
]);

/**
 * Maximum characters of a URL. Longer than any URL of a server or a signed link; most servers refuse more than 8 KiB.
 */
const MAX_LENGTH = 8192;
/**
 * Maximum characters between `//` and the path: enough for a name, a port, and credentials, which are refused with
 * their own error.
 */
const MAX_AUTHORITY = 1024;
const ODD_ANYWHERE = /[\s\p{Cc}\\]/u;
const INVISIBLE_OR_FOREIGN_DOT = /[\p{Cf}\u3002]/u;
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/**
 * Judges the form of a URL, but not the addresses that a name resolves to; `isPublicAddress` judges those after the
 * look-up.
 */
export function judgeUrl(text: string): JudgedUrl {
  // Checked before parsing, because the parser takes quadratic time over a long host. No name has more than 253
  // characters in any script.
  const authority = AUTHORITY.exec(text)?.[1];
  if (text.length > MAX_LENGTH) return refused('malformed_url');
  if (authority !== undefined && authority.length > MAX_AUTHORITY) return refused('odd_host');
  // The URL parser drops tabs and newlines silently, so this checks the raw text.
  if (ODD_ANYWHERE.test(text) || !URL.canParse(text)) return refused('malformed_url');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('scheme_not_allowed');
  if (authority === undefined) return refused('malformed_url');
  if (authority.includes('@')) return refused('credentials_in_url');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port === 0) return refused('malformed_url');

  if (url.hostname.startsWith('[')) {
    return {
      kind: 'plain',
      url,
      host: url.hostname.slice(1, -1),
      port,
      isAddress: true,
      isInternalName: false,
    };
  }
  const written = authority.replace(/:\d*$/, '');
  const host = url.hostname.replace(/\.$/, '');
  if (IPV4.test(host)) {
    // The parser reads 0x7f.1, 2130706433, 127.1 and full-width digits as IPv4 addresses, although none of them is
    // written as four decimal numbers.
    if (written !== host) return refused('odd_host');
    return { kind: 'plain', url, host, port, isAddress: true, isInternalName: false };
  }
  if (!NAME.test(host) || isWrittenOddly(written)) return refused('odd_host');
  return { kind: 'plain', url, host, port, isAddress: false, isInternalName: isInternalName(host) };
}

/** True if the host contains characters that the parser maps to others. International names are allowed. */
function isWrittenOddly(written: string): boolean {
  const composed = written.normalize('NFC');
  return (
    written.includes('%') || INVISIBLE_OR_FOREIGN_DOT.test(written) || composed.normalize('NFKC') !== composed
  );
}

function isInternalName(host: string): boolean {
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  return (
    labels.length < 2 ||
    INTERNAL_SUFFIXES.has(last) ||
    host === 'home.arpa' ||
    host.endsWith('.home.arpa') ||
    METADATA_NAMES.has(host)
  );
}

const refused = (reason: UrlRefusal): JudgedUrl => ({ kind: 'refused', reason });

/** True for an address of this machine only: 127.0.0.0/8 or ::1. Text that is not an address may be true too. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address);

/**
 * Returns host and port of a URL that names this machine by `localhost` or a loopback address, such as
 * `localhost:5000`; undefined for every other URL. Judges the text only: `localhost` may resolve to another address.
 */
export function loopbackHost(text: string): string | undefined {
  const form = judgeUrl(text);
  if (form.kind === 'refused') return undefined;
  const { host, port } = form;
  if (host !== 'localhost' && !isLoopbackAddress(host)) return undefined;
  return `${host === '::1' ? '[::1]' : host}:${port}`;
}
