/** The addresses that an operator allows besides public ones: `CALLBACK_ALLOW`, `GATEWAY_ALLOW`. */
import { isIP } from 'node:net';
import { addressList } from './public-address.ts';

export type AddressExceptions = {
  /** The operator named this host: any address that it resolves to is allowed. */
  readonly coversHost: (host: string, port: number) => boolean;
  /** The address lies in an allowed range. */
  readonly coversAddress: (address: string) => boolean;
  readonly hasRanges: boolean;
};

/**
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

/** The host as the URL parser writes it, so that an entry and a URL compare equal. */
function hostKey(entry: string): string {
  const bracketed = isIP(entry) === 6 ? `[${entry}]` : entry;
  const port = /:(\d+)$/.exec(bracketed)?.[1];
  const name = port === undefined ? bracketed : bracketed.slice(0, -port.length - 1);
  const wanted = `http://${name}/`;
  const isHost = name !== '' && !/[\s@?#\\%*:]/.test(name.replace(/^\[.*\]$/, '')) && URL.canParse(wanted);
  if (!isHost || (port !== undefined && (Number(port) === 0 || Number(port) > 65_535))) {
    throw new Error(`"${entry}" is no exception; write a CIDR range, a host, or host:port.`);
  }
  const host = new URL(wanted).hostname.replace(/^\[|\]$|\.$/g, '');
  return port === undefined ? host : `${host} ${Number(port)}`;
}
