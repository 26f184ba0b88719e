/** Checks what a token may do: its scopes, and the agents that it is bound to. */
import { encodeCursor, uuidForm, type Page } from '../../adapters/postgres/cursor.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { findAgentOfTarget, findAgentsOfConversation } from '../../adapters/postgres/conversations/agents.ts';
import { findRunOfInput } from '../../adapters/postgres/conversations/stream-events.ts';
import type { TokenScope } from '../../contract/accounts/token-scopes.ts';
import { PublicError } from '../../contract/errors.ts';
import type { KnownCaller, TokenCaller } from '../caller.ts';
import type { AgentBinding } from '../endpoint.ts';

/** @throws PublicError forbidden, which names the missing scope */
export function demandScope({ scopes }: Pick<TokenCaller, 'scopes'>, scope: TokenScope): void {
  if (scopes === null || scopes.includes(scope)) return;
  throw new PublicError('forbidden', {
    sentence: `This API token does not have the scope ${scope}. Create a token that has it.`,
  });
}

/** The tools and connections of an agent; `connections` is null if the agent names none. */
interface Reach {
  tools: readonly string[];
  connections: readonly string[] | null;
}

/**
 * Checks a change of an agent's tools and connections, which requires `tools.manage`. A token that is bound to agents
 * cannot run actions, so it cannot let an agent run one either.
 * @param change absent fields do not change
 * @returns true if the tools or connections change
 * @throws PublicError forbidden if they change, and the caller does not have `tools.manage` or is bound to agents
 */
export function demandTools(
  caller: KnownCaller,
  before: Reach,
  { tools = before.tools, connections = before.connections }: { [F in keyof Reach]?: Reach[F] | undefined },
): boolean {
  if (isSame(before.tools, tools) && isSame(before.connections, connections)) return false;
  if (caller.kind === 'token') {
    demandScope(caller, 'tools.manage');
    if (boundAgents(caller) !== undefined) throw notBound();
  } else if (!caller.capabilities.includes('tools.manage'))
    throw new PublicError('forbidden', {
      sentence:
        'Your role does not allow you to change the tools or connections of an agent: that requires tools.manage.',
    });
  return true;
}

/** True if both have the same members in any order. */
function isSame(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (one === null || other === null) return one === other;
  const holds = (names: readonly string[], name: string) =>
    names.some((each) => each.toLowerCase() === name.toLowerCase());
  return one.every((name) => holds(other, name)) && other.every((name) => holds(one, name));
}

/** @returns the id of the caller's token, or of the member */
export const idOf = (caller: KnownCaller): string =>
  caller.kind === 'token' ? caller.tokenId : caller.userId;

/** True if the caller may view conversations. */
export function mayView(caller: KnownCaller): boolean {
  return caller.kind === 'token'
    ? (caller.scopes?.includes('conversations.view') ?? true)
    : caller.capabilities.includes('conversations.view');
}

/**
 * Checks a call that writes into a conversation, or reads its answers.
 * @throws PublicError forbidden if the caller may not view conversations
 */
export function demandView(caller: KnownCaller): void {
  if (mayView(caller)) return;
  if (caller.kind === 'token') demandScope(caller, 'conversations.view');
  throw new PublicError('forbidden', {
    sentence:
      'Your role does not allow you to view conversations: to write into one requires conversations.view.',
  });
}

/** @returns the agents that the caller's token is bound to, in lower case; undefined if it may reach every agent */
export function boundAgents(caller: KnownCaller): readonly string[] | undefined {
  return (caller.kind === 'token' ? caller.agentIds : null) ?? undefined;
}

/**
 * Checks a call of a token that is bound to agents. An object that does not exist is refused like another agent's
 * object. Allows every operation with the binding `list`, whose handler filters.
 * @param id the path's identifier; undefined if the path has none
 * @throws PublicError forbidden
 */
export async function demandAgents(
  db: Database,
  caller: KnownCaller,
  binding: AgentBinding,
  id: string | undefined,
): Promise<void> {
  const bound = boundAgents(caller);
  if (bound === undefined || binding === 'list') return;
  const concerned = await agentsOf(db, caller.organizationId, binding, id?.toLowerCase() ?? '');
  if (!concerned.some((one) => bound.includes(one))) throw notBound();
}

/** @throws PublicError forbidden if the caller's token is bound, and one of the agents is not among its agents */
export function demandEach(caller: KnownCaller, agentIds: readonly string[]): void {
  const bound = boundAgents(caller);
  if (bound !== undefined && !agentIds.every((one) => bound.includes(one.toLowerCase()))) throw notBound();
}

async function agentsOf(
  db: Database,
  organizationId: string,
  binding: Exclude<AgentBinding, 'list'>,
  id: string,
): Promise<readonly string[]> {
  if (binding === 'organization' || !uuidForm.test(id)) return [];
  switch (binding) {
    case 'agent':
      return [id];
    case 'target':
      return [await findAgentOfTarget(db, organizationId, id)].filter((one) => one !== undefined);
    case 'conversation':
      return await findAgentsOfConversation(db, organizationId, id);
    case 'message': {
      const run = await findRunOfInput(db, organizationId, id);
      return run === undefined ? [] : await findAgentsOfConversation(db, organizationId, run.conversationId);
    }
  }
}

function notBound(): PublicError {
  return new PublicError('forbidden', {
    sentence: 'This API token is bound to other agents. Create a token for this, or for every agent.',
  });
}

/**
 * Reads a page of a list, newest first, for a token that may be bound to agents: agent by agent, then merged.
 * @param wanted the agent that the caller asks for
 * @param read reads a page of one agent's rows, or of all if the agent is undefined
 */
export async function pageOfAgents<T extends { id: string }>(
  caller: KnownCaller,
  wanted: string | undefined,
  limit: number,
  read: (agentId: string | undefined) => Promise<Page<T>>,
): Promise<Page<T>> {
  const bound = boundAgents(caller);
  if (bound === undefined) return await read(wanted);
  const agents = wanted === undefined ? bound : bound.filter((one) => one === wanted.toLowerCase());
  const pages: Page<T>[] = [];
  // Sequential, so that a call holds only one connection.
  for (const agent of agents) pages.push(await read(agent));
  const all = pages.flatMap(({ data }) => data).sort((one, other) => (one.id < other.id ? 1 : -1));
  const data = all.slice(0, limit);
  const last = data.at(-1);
  const isMore = all.length > limit || pages.some(({ next_cursor }) => next_cursor !== null);
  return { data, next_cursor: isMore && last !== undefined ? encodeCursor(last.id) : null };
}
