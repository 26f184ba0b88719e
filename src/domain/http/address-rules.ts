/**
 * Judges the text of a URL before its host is looked up, and the addresses that the look-up returns. Refuses a text
 * that other URL parsers may read as a different URL. This costs honest users nothing, because they can write the
 * plain form.
 */
import { BlockList, isIP } from 'node:net';

export type UrlRefusal =
  | 'malformed_url'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  /**
   * A host that other parsers may read as a different one, for example with octal numbers, percent signs or full-width
   * digits.
   */
  | 'odd_host';

export type JudgedUrl =
  | { readonly kind: 'refused'; readonly reason: UrlRefusal }
  | {
      readonly kind: 'plain';
      readonly url: URL;
      /** The host's name or address, without brackets and without a trailing dot. */
      readonly host: string;
      readonly port: number;
      readonly isAddress: boolean;
      /** True for a name of a private network (such as `db` or `db.local`) or of a cloud's metadata service. */
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
/** Names of cloud metadata services that look like public names. */
const METADATA_NAMES = new Set([
  'metadata.goog',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
]);

/** Maximum characters of a URL. Chosen: signed links are shorter, and most servers refuse more than 8 KiB. */
const MAX_LENGTH = 8192;
/**
 * Maximum characters between `//` and the path. Chosen: enough for a name and a port, and for credentials, which are
 * refused with a separate error.
 */
const MAX_AUTHORITY = 1024;
const ODD_ANYWHERE = /[\s\p{Cc}\\]/u;
const INVISIBLE_OR_FOREIGN_DOT = /[\p{Cf}\u3002]/u;
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/**
 * Judges a URL by its text only. `isPublicAddress` judges the addresses to which the URL's host resolves.
 * @returns the parsed URL, or `refused` with the reason
 */
export function judgeUrl(text: string): JudgedUrl {
  // The lengths are checked before parsing, because the parser takes quadratic time for a long host.
  const authority = AUTHORITY.exec(text)?.[1];
  if (text.length > MAX_LENGTH) return refused('malformed_url');
  if (authority !== undefined && authority.length > MAX_AUTHORITY) return refused('odd_host');
  // The URL parser drops tabs and newlines silently, so the raw text is checked.
  if (ODD_ANYWHERE.test(text) || !URL.canParse(text)) return refused('malformed_url');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('scheme_not_allowed');
  if (authority === undefined) return refused('malformed_url');
  if (authority.includes('@')) return refused('credentials_in_url');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port === 0) return refused('malformed_url');

  const shared = { kind: 'plain', url, port } as const;
  if (url.hostname.startsWith('['))
    return { ...shared, host: url.hostname.slice(1, -1), isAddress: true, isInternalName: false };
  const written = authority.replace(/:\d*$/, '');
  const host = url.hostname.replace(/\.$/, '');
  if (IPV4.test(host)) {
    // The parser also reads 0x7f.1, 2130706433, 127.1 and full-width digits as IPv4 addresses. Only the form with four
    // decimal numbers is accepted.
    if (written !== host) return refused('odd_host');
    return { ...shared, host, isAddress: true, isInternalName: false };
  }
  if (!NAME.test(host) || isWrittenOddly(written)) return refused('odd_host');
  return { ...shared, host, isAddress: false, isInternalName: isInternalName(host) };
}

/**
 * True if the host contains characters that the URL parser would replace with others. International names are allowed.
 */
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

/**
 * True for a loopback address: 127.0.0.0/8 or `::1`. Does not recognize other notations, such as IPv4-mapped IPv6
 * addresses.
 */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address);

/**
 * Returns the host and port of a URL whose host is `localhost` or a loopback address, for example `localhost:5000`;
 * undefined for any other URL. Judges the text only: `localhost` may resolve to another address.
 */
export function loopbackHost(text: string): string | undefined {
  const form = judgeUrl(text);
  if (form.kind === 'refused') return undefined;
  const { host, port } = form;
  if (host !== 'localhost' && !isLoopbackAddress(host)) return undefined;
  return `${host === '::1' ? '[::1]' : host}:${port}`;
}

/**
 * IPv4 ranges that are not globally reachable, most of them from IANA's special-purpose registry
 * (https://www.iana.org/assignments/iana-ipv4-special-registry), and the address of a cloud's host agent.
 *
 * No library is used, because the existing ones accept too much. Measured with 263 URLs that must be refused: as a
 * check before the connection, request-filtering-agent and ssrf-req-filter (usable only as an http.Agent) accept 28,
 * the ranges of ipaddr.js 39, private-ip 67, ssrfcheck 70 and ip 101. As a check in a `lookup` hook, each of them
 * accepts 183, because Node never calls `lookup` if the URL contains an address.
 */
const REFUSED_IPV4 = [
  '0.0.0.0/8', // "this network"; on Linux, the machine itself
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT and VPNs; metadata service of Alibaba Cloud
  '127.0.0.0/8',
  '168.63.129.16/32', // host agent of Azure; refused although the address is public
  '169.254.0.0/16', // link-local; metadata service of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments; metadata service of Oracle Cloud
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved; broadcast
];
/** IPv6 addresses outside of this range are refused: mapped, translated, unique local, link-local, multicast. */
const GLOBAL_IPV6 = ['2000::/3'];
const REFUSED_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4; may contain any IPv4 address
  '3fff::/20', // documentation
];

/**
 * Builds a BlockList from CIDR ranges.
 * @throws Error if an entry is not `address/prefix`
 */
function addressList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix = ''] = cidr.split('/');
    const family = isIP(address);
    if (family === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 4 ? 32 : 128)) {
      throw new Error(`"${cidr}" is not a CIDR range. Write it as 172.16.0.0/12 or fd00::/8.`);
    }
    list.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

const refusedIpv4 = addressList(REFUSED_IPV4);
const globalIpv6 = addressList(GLOBAL_IPV6);
const refusedIpv6 = addressList(REFUSED_IPV6);

/**
 * True for a plain, globally reachable IPv4 or IPv6 address; false for everything else, including text that is not
 * an address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refusedIpv4.check(address, 'ipv4');
    case 6:
      // An address with a zone (`%eth0`) is valid only on one network link, so it is never public.
      return (
        !address.includes('%') && globalIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** Hosts and addresses that the operator allows although they are not public, for example with `CALLBACK_ALLOW`. */
type AddressExceptions = {
  /** True if the operator allows this host by name. Every address to which it resolves is then allowed. */
  readonly coversHost: (host: string, port: number) => boolean;
  /** True if the address is in an allowed range. */
  readonly coversAddress: (address: string) => boolean;
  readonly hasRanges: boolean;
};

/**
 * Parses the operator's exceptions.
 * @param entries each a CIDR range (`172.18.0.0/16`: any port, also for internal names that resolve to its
 * addresses), a host (`gateway`: any port), or a host with a port (`127.0.0.1:4000`, `[::1]:4000`)
 * @throws Error that names an entry that is none of these
 */
export function readExceptions(entries: readonly string[]): AddressExceptions {
  const ranges = entries.filter((entry) => entry.includes('/'));
  const list = addressList(ranges);
  const hosts = new Set(entries.filter((entry) => !entry.includes('/')).map(hostKey));
  return {
    coversHost: (host, port) => hosts.has(host) || hosts.has(`${host} ${port}`),
    coversAddress: (address) => {
      const family = isIP(address);
      if (family === 0 || address.includes('%')) return false;
      return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
    },
    hasRanges: ranges.length > 0,
  };
}

/**
 * Returns the entry's host as the URL parser writes it, so that it can be compared with the hosts of URLs as text. If
 * the entry has a port, the host is followed by a space and the port.
 * @throws Error if the entry is neither a host nor a host with a port
 */
function hostKey(entry: string): string {
  const bracketed = isIP(entry) === 6 ? `[${entry}]` : entry;
  const port = /:(\d+)$/.exec(bracketed)?.[1];
  const name = port === undefined ? bracketed : bracketed.slice(0, -port.length - 1);
  const wanted = `http://${name}/`;
  const isHost = name !== '' && !/[\s@?#\\%*:]/.test(name.replace(/^\[.*\]$/, '')) && URL.canParse(wanted);
  if (!isHost || (port !== undefined && (Number(port) === 0 || Number(port) > 65_535))) {
    throw new Error(`"${entry}" is not an exception. Write a CIDR range, a host, or host:port.`);
  }
  const host = new URL(wanted).hostname.replace(/^\[|\]$|\.$/g, '');
  return port === undefined ? host : `${host} ${Number(port)}`;
}
