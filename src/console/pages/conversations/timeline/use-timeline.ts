import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Timeline } from '../../../../contract/conversations/timeline.ts';
import { call } from '../../../client.ts';
import { askedAgainAfter, merged, sinceOf, type Shown } from './timeline-polls.ts';

/**
 * Reads and polls a conversation's timeline. `askedAgainAfter` determines the interval between polls.
 * @param id undefined while there is no conversation
 */
export function useTimeline(id: string | undefined) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['timeline', id],
    queryFn: async ({ signal }): Promise<Shown> => {
      const before = queries.getQueryData<Shown>(['timeline', id]);
      const since = before && sinceOf(before, Date.now());
      const query = since === undefined ? {} : { since };
      const page = await call<Timeline>('GET', `/conversations/${id ?? ''}/timeline`, { query, signal });
      return merged(before, page, since, Date.now());
    },
    enabled: id !== undefined,
    refetchInterval: ({ state }) => askedAgainAfter(state.data, Date.now()),
    staleTime: 0,
  });
}
