/** Every console operation in one view, and what each asks for. */
import { createAgent } from '../../endpoints/create-agent.ts';
import { deleteAgent } from '../../endpoints/delete-agent.ts';
import { getAgent } from '../../endpoints/get-agent.ts';
import { listAgents } from '../../endpoints/list-agents.ts';
import { updateAgent } from '../../endpoints/update-agent.ts';
import { fromPublic, type ConsoleEndpoint } from '../console-endpoint.ts';
import { getSession } from './get-session.ts';
import { listAudit } from './list-audit.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { createToken, deleteToken, listTokens, revokeToken } from './tokens.ts';

export const consoleEndpoints: readonly ConsoleEndpoint[] = [
  ...[getSession, signIn, signOut],
  ...[listTokens, createToken, revokeToken, deleteToken],
  fromPublic(listAgents, 'member'),
  fromPublic(createAgent, 'agents.manage'),
  fromPublic(getAgent, 'member'),
  fromPublic(updateAgent, 'agents.manage'),
  fromPublic(deleteAgent, 'agents.manage'),
  listAudit,
];
