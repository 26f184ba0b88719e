/** Reads whether callbacks to a receiver on Parley's own machine are allowed, which only local mode can do. */
import type { LoopbackReceivers } from '../../contract/conversations/webhook-endpoints.ts';
import { useCan } from '../shell/session.ts';
import { useRead } from './queries.ts';

/**
 * @returns the receiver's host with its port, and whether the organization allows it; undefined while this is read, in
 * other modes, for URLs of other machines, and for members who may not manage webhooks
 */
export function useLoopbackReceiver(url: string): { host: string; isAllowed: boolean } | undefined {
  const enabled = useCan()('webhooks.manage');
  const { data } = useRead<LoopbackReceivers>(['loopback-receivers', url], '/loopback-receivers', {
    query: { url },
    enabled,
  });
  const host = data?.host;
  if (host === undefined || data?.offered !== true) return undefined;
  return { host, isAllowed: data.data.some((one) => one.host === host) };
}
