/** Reads an agent's draft from the server. */
import type { Unpublished } from '../../../contract/conversations/agent-versions.ts';
import { useRead } from '../../components/queries.ts';

/** @returns the query of the draft; its data is null if the agent has none */
export function useSavedDraft(agentId: string) {
  return useRead<Unpublished, Unpublished['draft']>(
    ['agents', agentId, 'draft'],
    `/agents/${agentId}/unpublished`,
    { select: ({ draft }) => draft },
  );
}
