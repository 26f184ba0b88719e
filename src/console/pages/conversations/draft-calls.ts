/** The requests that save an agent's draft and publish it. */
import type {
  AgentContent,
  AgentDraft as SavedDraft,
  AgentVersionDetail,
} from '../../../contract/conversations/agent-versions.ts';
import type { Agent } from '../../../contract/conversations/agents.ts';
import { call } from '../../client.ts';
import { changesAsBody } from './version-content.ts';

/**
 * Saves content as the agent's draft, based on its published version.
 * @param at when the draft or, if there is none, the agent was last changed, as the caller knows it
 * @throws ApiProblem `version_conflict` if it has been changed since
 */
export const putDraft = async (agent: Agent, content: AgentContent, at: string): Promise<SavedDraft> =>
  await call<SavedDraft>('PUT', `/agents/${agent.id}/draft`, {
    body: { ...changesAsBody(agent, content), base_version: agent.version },
    headers: { 'If-Match': at },
  });

/**
 * Publishes the agent's draft as a new version.
 * @param note empty for none
 * @param percent share of new conversations that get the version; 100 for all conversations
 * @param at when the draft was last changed, as the caller knows it
 * @throws ApiProblem `version_conflict` if it has been changed since
 */
export const publishDraft = async (
  agentId: string,
  note: string,
  percent: number,
  at: string,
): Promise<AgentVersionDetail> =>
  await call<AgentVersionDetail>('POST', `/agents/${agentId}/versions`, {
    body: { ...(note !== '' && { note }), percent },
    headers: { 'If-Match': at },
  });
