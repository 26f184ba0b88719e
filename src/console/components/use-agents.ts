import { useQuery } from '@tanstack/react-query';
import type { Agent } from '../../contract/conversations/agents.ts';
import { call } from '../client.ts';

/** The first hundred agents; nearly every organization has fewer. */
export function useAgents() {
  return useQuery({
    queryKey: ['agents'],
    queryFn: async () => (await call<{ data: Agent[] }>('GET', '/agents', { query: { limit: 100 } })).data,
  });
}
