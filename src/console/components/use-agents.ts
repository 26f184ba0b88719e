import { useQuery } from '@tanstack/react-query';
import type { Agent } from '../../contract/conversations/agents.ts';
import { call } from '../client.ts';

/** The first hundred agents, which is all of them nearly everywhere. */
export function useAgents() {
  return useQuery({
    queryKey: ['agents'],
    queryFn: async () => (await call<{ data: Agent[] }>('GET', '/agents', { query: { limit: 100 } })).data,
  });
}
