import type { Unpublished } from '../../../contract/conversations/agent-versions.ts';
import { useRead } from '../../components/queries.ts';

/**
 * Reads an agent's draft.
 * @returns the query; its data is null if the agent has no draft
 */
export function useSavedDraft(agentId: string) {
  return useRead<Unpublished, Unpublished['draft']>(
    ['agents', agentId, 'draft'],
    `/agents/${agentId}/unpublished`,
    { select: ({ draft }) => draft },
  );
}
