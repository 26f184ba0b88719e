import { useQuery } from '@tanstack/react-query';
import type { Timeline, TimelineRun } from '../../contract/console/conversations.ts';
import { call } from '../client.ts';
import { isUnderWay } from './is-under-way.ts';

const liveMs = 400;
const quietMs = 3000;

/** @param id of a conversation, or nothing while there is none. Asked again quickly while something is under way. */
export function useTimeline(id: string | undefined) {
  return useQuery({
    queryKey: ['timeline', id],
    queryFn: ({ signal }) => call<Timeline>('GET', `/conversations/${id ?? ''}/timeline`, { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.runs.some(isChanging) === true ? liveMs : quietMs),
    staleTime: 0,
  });
}

function isChanging(run: TimelineRun): boolean {
  return (
    isUnderWay(run) || run.deliveries.some(({ status }) => status === 'pending' || status === 'attempting')
  );
}
