/**
 * Decides which addresses are public, and which others an operator allows. Uses IANA's special-purpose registries as
 * lists for Node's own BlockList.
 * Existing libraries were measured and rejected. When they check before an ordinary client connects, they accept the
 * following numbers of 263 URLs that must be refused: request-filtering-agent and ssrf-req-filter 28 each (and only
 * as http.Agent), ipaddr.js's ranges 39, private-ip 67, ssrfcheck 70, ip 101. When they check only in a `lookup`
 * hook, each accepts 183, because Node never calls `lookup` for an address in the URL. Two lists and one rule (IPv6
 * is refused unless listed) need no library.
 */
import { BlockList, isIP } from 'node:net';

/** Ranges that are not globally reachable, and addresses of the machine or its cloud. */
const REFUSED_IPV4 = [
  '0.0.0.0/8', // "this network"; Linux treats it as the machine itself
  '10.0.0.0/8',
  '100.64.0.0/10', // shared by carriers, VPNs, one cloud's metadata
  '127.0.0.0/8',
  '168.63.129.16/32', // a cloud's host agent, although in a public range
  '169.254.0.0/16', // link-local, most clouds' metadata
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments, one cloud's metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];
/** All other IPv6 addresses are refused: mapped, translated, unique local, link-local, multicast, unassigned. */
const GLOBAL_IPV6 = ['2000::/3'];
const REFUSED_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 wraps any IPv4 address
  '3fff::/20', // documentation
];

/** Creates a list of CIDR ranges. @throws Error if an entry is not `address/prefix` */
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
      // An address with a zone (`%eth0`) belongs to one link, so it is never public.
      return (
        !address.includes('%') && globalIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** The addresses that an operator allows besides public ones: `CALLBACK_ALLOW`, `GATEWAY_ALLOW`. */
type AddressExceptions = {
  /** True if the operator named this host: any address that it resolves to is allowed. */
  readonly coversHost: (host: string, port: number) => boolean;
  /** True if the address is in an allowed range. */
  readonly coversAddress: (address: string) => boolean;
  readonly hasRanges: boolean;
};

/**
 * Parses an operator's exceptions.
 * @param entries CIDR ranges (`172.18.0.0/16`: any port, also for internal names that resolve into them), hosts
 * (`gateway`: any port) or hosts with a port (`127.0.0.1:4000`, `[::1]:4000`)
 * @throws Error naming the first entry that is none of these
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

/** Returns the host in the URL parser's form, so that an entry and a URL compare equal. */
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
