/** Reads the tool calls that wait for a person's decision. */
import type { Approval } from '../../contract/conversations/approvals.ts';
import { useCan } from '../shell/session.ts';
import { useRead } from './queries.ts';

/** Maximum number of waiting approvals that are read: the most that the API returns in one page. */
export const maxWaitingApprovals = 100;

/**
 * Polls the waiting approvals every 10 s, newest first, for the overview, the menu and the page of approvals. Reads
 * nothing for a member who may not view conversations.
 */
export function useWaitingApprovals() {
  const isAllowed = useCan()('conversations.view');
  return useRead<{ data: Approval[] }, Approval[]>(['/approvals', 'waiting'], '/approvals', {
    query: { status: 'waiting', limit: maxWaitingApprovals },
    refetchInterval: 10_000,
    enabled: isAllowed,
    select: ({ data }) => data,
  });
}
