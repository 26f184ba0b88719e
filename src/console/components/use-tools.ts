import { useQuery } from '@tanstack/react-query';
import type { DocsToolDefinition } from '../../contract/workspace/actions.ts';
import { call } from '../client.ts';

/** Every action that an agent can be given. */
export function useTools() {
  return useQuery({
    queryKey: ['tool-actions'],
    queryFn: async () => (await call<{ data: DocsToolDefinition[] }>('GET', '/tools/docs/actions')).data,
    staleTime: 300_000,
  });
}
