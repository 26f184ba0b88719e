import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Timeline } from '../../../../contract/conversations/timeline.ts';
import { call } from '../../../client.ts';
import { askedAgainAfter, merged, sinceOf, type Shown } from './timeline-polls.ts';

/** The key of the mutation that erases a conversation. */
export const erasureKey = (id: string | undefined) => ['erase', id];

/** True while the user erases the conversation: a poll would find that it is gone. */
export const useIsErasing = (id: string | undefined): boolean =>
  useIsMutating({ mutationKey: erasureKey(id) }) > 0;

/**
 * Reads and polls a conversation's timeline. `askedAgainAfter` determines the interval between polls.
 * @param id undefined while there is no conversation
 */
export function useTimeline(id: string | undefined) {
  const queries = useQueryClient();
  const isErasing = useIsErasing(id);
  return useQuery({
    queryKey: ['timeline', id],
    queryFn: async ({ signal }): Promise<Shown> => {
      const before = queries.getQueryData<Shown>(['timeline', id]);
      const since = before && sinceOf(before, Date.now());
      const query = since === undefined ? {} : { since };
      const page = await call<Timeline>('GET', `/conversations/${id ?? ''}/timeline`, { query, signal });
      return merged(before, page, since, Date.now());
    },
    enabled: id !== undefined && !isErasing,
    refetchInterval: ({ state }) => askedAgainAfter(state.data, Date.now()),
    staleTime: 0,
  });
}
