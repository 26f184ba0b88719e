/** Every console operation in one view, and what each asks for. */
import { z } from 'zod';
import { connectChannel } from '../../endpoints/connect-channel.ts';
import { checkWebhook, setWebhook } from '../../endpoints/channel-webhook.ts';
import { connectTool } from '../../endpoints/connect-tool.ts';
import { createAgent } from '../../endpoints/create-agent.ts';
import { deleteAgent } from '../../endpoints/delete-agent.ts';
import { deleteConversation } from '../../endpoints/delete-conversation.ts';
import { deleteToolConnection } from '../../endpoints/delete-tool-connection.ts';
import { disconnectChannel } from '../../endpoints/disconnect-channel.ts';
import { editChannel } from '../../endpoints/edit-channel.ts';
import { getAgent } from '../../endpoints/get-agent.ts';
import { getChannel } from '../../endpoints/get-channel.ts';
import { listAgents } from '../../endpoints/list-agents.ts';
import { listChannelEvents } from '../../endpoints/list-channel-events.ts';
import { listToolActions } from '../../endpoints/list-tool-actions.ts';
import { listToolConnections } from '../../endpoints/list-tool-connections.ts';
import { postChat } from '../../endpoints/post-chat.ts';
import { runToolAction } from '../../endpoints/run-tool-action.ts';
import { updateAgent } from '../../endpoints/update-agent.ts';
import { verifyChannel } from '../../endpoints/verify-channel.ts';
import { writeAsPerson } from '../../endpoints/write-as-person.ts';
import { fromPublic, type ConsoleEndpoint } from '../console-endpoint.ts';
import { getAgentsFile, putAgentsFile } from './agents-file.ts';
import { changePassword } from './change-password.ts';
import { getTimeline, listConversations, pause, resume } from './conversations.ts';
import { getOverview } from './get-overview.ts';
import { getSession } from './get-session.ts';
import { listAudit } from './list-audit.ts';
import { listDeliveries } from './list-deliveries.ts';
import { addMember, changeMember, listMembers, removeMember } from './members.ts';
import { changeRole, createRole, deleteRole, listRoles } from './roles.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { createToken, deleteToken, listTokens, revokeToken } from './tokens.ts';

const named = z.object({ name: z.string() });
const identified = z.object({ id: z.string() });
const nameOf = (answer: unknown) => named.parse(answer).name;
const workspace = z.object({ workspace_name: z.string().nullable() });
const workspaceOf = (answer: unknown) => workspace.parse(answer).workspace_name ?? '';
const inConversation = z.object({ conversationId: z.string() });
const idOf = (_: unknown, params: unknown) => identified.parse(params).id;

export const consoleEndpoints: readonly ConsoleEndpoint[] = [
  ...[getSession, signIn, signOut, changePassword],
  getOverview,
  ...[listTokens, createToken, revokeToken, deleteToken],
  ...[getAgentsFile, putAgentsFile],
  fromPublic(listToolActions, 'member'),
  fromPublic(listToolConnections, 'member'),
  fromPublic(connectTool, 'tools.manage', { action: 'connection_created', target: workspaceOf }),
  fromPublic(deleteToolConnection, 'tools.manage', { action: 'connection_deleted', target: idOf }),
  fromPublic(runToolAction, 'tools.manage'),
  fromPublic(listAgents, 'member'),
  fromPublic(createAgent, 'agents.manage', { action: 'agent_created', target: nameOf }),
  fromPublic(getAgent, 'member'),
  fromPublic(updateAgent, 'agents.manage', { action: 'agent_changed', target: nameOf }),
  fromPublic(deleteAgent, 'agents.manage', { action: 'agent_deleted', target: idOf }),
  fromPublic(postChat, 'agents.manage'),
  fromPublic(getChannel, 'channels.manage'),
  fromPublic(connectChannel, 'channels.manage', { action: 'channel_connected', target: idOf }),
  fromPublic(editChannel, 'channels.manage', { action: 'channel_edited', target: idOf }),
  fromPublic(verifyChannel, 'channels.manage'),
  fromPublic(disconnectChannel, 'channels.manage', { action: 'channel_disconnected', target: idOf }),
  fromPublic(checkWebhook, 'channels.manage'),
  fromPublic(setWebhook, 'channels.manage'),
  fromPublic(listChannelEvents, 'channels.manage'),
  ...[listConversations, getTimeline, pause, resume],
  fromPublic(writeAsPerson, 'conversations.take_over', {
    action: 'person_wrote',
    target: (_, params) => inConversation.parse(params).conversationId,
  }),
  fromPublic(deleteConversation, 'conversations.take_over', {
    action: 'conversation_erased',
    target: idOf,
  }),
  listDeliveries,
  ...[listMembers, addMember, changeMember, removeMember],
  ...[listRoles, createRole, changeRole, deleteRole],
  listAudit,
];
