/** Groups network addresses for limits, so that a host with many IPv6 addresses counts as one caller. */
import { isIP } from 'node:net';

/**
 * Returns the address under which a caller is counted: an IPv4 address, or the /64 of an IPv6 address, because one host
 * usually has a whole /64. An IPv4-mapped IPv6 address counts as its IPv4 address. Returns '' without an address, so
 * all such calls count as one caller.
 */
export function addressGroup(address: string | undefined): string {
  const [plain = ''] = (address ?? '').split('%', 1);
  if (isIP(plain) !== 6) return plain;
  const groups = groupsOf(plain);
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return `${groups.slice(0, 4).join(':')}::/64`;
  return groups
    .slice(6)
    .flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
    .join('.');
}

/** @returns the eight groups of an IPv6 address, in lower case and without leading zeros */
function groupsOf(address: string): string[] {
  // The URL parser normalizes the address: lower case, no leading zeros, no IPv4 part.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const known = [...(first ?? []), ...(last ?? [])].length;
  return [...(first ?? []), ...Array.from({ length: 8 - known }, () => '0'), ...(last ?? [])];
}
