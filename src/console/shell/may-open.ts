/** Decides which pages the signed-in user may open. */
import type { Capability } from '../../contract/accounts/capabilities.ts';
import { useCan } from './session.ts';

/** Capabilities by path. To open a path, a user needs one of them. Every member may open the unlisted paths. */
const needs: Readonly<Record<string, readonly Capability[] | undefined>> = {
  '/settings/api': ['tokens.view', 'tokens.create', 'tokens.delete'],
  '/requests': ['tokens.view'],
  '/requests/:id?': ['tokens.view'],
  '/connect-mcp': ['tokens.create'],
  '/agents/:id/playground': ['agents.manage'],
  '/agents/:id/rehearsals': ['conversations.view'],
  '/agents/:id/rehearsals/:rehearsalId': ['conversations.view'],
  '/agents/:id/channel': ['channels.manage'],
  '/conversations': ['conversations.view'],
  '/conversations/:id?': ['conversations.view'],
  '/approvals': ['conversations.view'],
  '/deliveries': ['deliveries.view'],
  '/deliveries/:id?': ['deliveries.view'],
  '/webhooks': ['webhooks.manage'],
  '/models': ['models.manage'],
  '/members': ['members.manage'],
  '/roles': ['members.manage'],
  '/audit': ['audit.view'],
  '/data': ['data.manage'],
};

/**
 * Returns a function that returns true if the signed-in user may open the path. The path must be written as in `needs`,
 * with `:id` instead of an id. For any other path, the function returns true.
 */
export function useMayOpen(): (path: string) => boolean {
  const can = useCan();
  return (path) => needs[path]?.some(can) ?? true;
}
