import { isLoopbackAddress, loopbackHost } from '../../domain/http/address-rules.ts';
import type { Names } from './name-resolver.ts';
import { createPublicHttp, type Prepared, type PublicHttp, type Target } from './public-http.ts';

export interface LoopbackOptions {
  readonly names: Names;
  /**
   * Resolves to true if the organization has allowed this receiver.
   * @param host the receiver's host and port, in the form of `loopbackHost()`
   */
  readonly isAllowed: (organizationId: string, host: string) => Promise<boolean>;
}

/**
 * Extends a client so that an organization can also call the receivers on this machine that it has allowed. Only local
 * mode may use it. Extends only `prepare` and `send`; `request` still refuses these receivers.
 */
export function withLoopback(http: PublicHttp, { names, isAllowed }: LoopbackOptions): PublicHttp {
  const clients = new WeakMap<Target, PublicHttp>();
  const prepare = async (url: string, organization?: string): Promise<Prepared> => {
    const judged = await http.prepare(url, organization);
    if (judged.kind !== 'blocked' || organization === undefined) return judged;
    const host = loopbackHost(url);
    if (host === undefined || !(await isAllowed(organization, host))) return judged;
    const own = createPublicHttp({ allow: [host], names });
    const prepared = await own.prepare(url, organization);
    // The hosts file may map `localhost` to any address, so the addresses that were found are checked too.
    if (prepared.kind !== 'allowed' || !prepared.target.addresses.every(isLoopbackAddress)) return judged;
    clients.set(prepared.target, own);
    return prepared;
  };
  return {
    ...http,
    prepare,
    send: async (target, sending) => await (clients.get(target) ?? http).send(target, sending),
  };
}
