/** Every console operation in one view, and what each asks for. */
import { cancelRuns } from '../../endpoints/conversations/cancel-runs.ts';
import { connectChannel } from '../../endpoints/whatsapp/connect-channel.ts';
import { checkChannel } from '../../endpoints/whatsapp/check-channel.ts';
import { moveChannel } from '../../endpoints/whatsapp/move-channel.ts';
import { checkWebhook, setWebhook } from '../../endpoints/whatsapp/channel-webhook.ts';
import { connectTool } from '../../endpoints/workspace/connect-tool.ts';
import { createAgent } from '../../endpoints/conversations/create-agent.ts';
import { deleteAgent } from '../../endpoints/conversations/delete-agent.ts';
import { deleteContact } from '../../endpoints/data/delete-contact.ts';
import { deleteConversation } from '../../endpoints/conversations/delete-conversation.ts';
import { deleteToolConnection } from '../../endpoints/workspace/delete-tool-connection.ts';
import { disconnectChannel } from '../../endpoints/whatsapp/disconnect-channel.ts';
import { editChannel } from '../../endpoints/whatsapp/edit-channel.ts';
import { followMessage } from '../../endpoints/conversations/follow-message.ts';
import { exportContact, exportOrganization } from '../../endpoints/data/export-data.ts';
import { getAgent } from '../../endpoints/conversations/get-agent.ts';
import { getChannel } from '../../endpoints/whatsapp/get-channel.ts';
import { getUsage } from '../../endpoints/data/get-usage.ts';
import { listAgents } from '../../endpoints/conversations/list-agents.ts';
import { listChannelEvents } from '../../endpoints/whatsapp/list-channel-events.ts';
import { listToolActions } from '../../endpoints/workspace/list-tool-actions.ts';
import { listToolConnections } from '../../endpoints/workspace/list-tool-connections.ts';
import { changeOrganization, getOrganization } from '../../endpoints/accounts/organization.ts';
import { postChat } from '../../endpoints/conversations/post-chat.ts';
import { regenerateAnswer } from '../../endpoints/conversations/regenerate-answer.ts';
import { runToolAction } from '../../endpoints/workspace/run-tool-action.ts';
import { updateAgent } from '../../endpoints/conversations/update-agent.ts';
import { verifyChannel } from '../../endpoints/whatsapp/verify-channel.ts';
import { writeAsPerson } from '../../endpoints/conversations/write-as-person.ts';
import { fromPublic, type ConsoleEndpoint } from '../console-endpoint.ts';
import { acceptOffer, getOffer } from './accept-invitation.ts';
import { getAgentsFile, putAgentsFile } from './agents-file.ts';
import { changePassword } from './change-password.ts';
import { countExpiring } from './count-expiring.ts';
import { getTimeline, listConversations, pause, resume } from './conversations.ts';
import { getOverview } from './get-overview.ts';
import { getSession } from './get-session.ts';
import { getLimitState, limitApiToken, limitOrganization } from './limits.ts';
import { inviteMember, listInvitations, revokeInvitation } from './invitations.ts';
import { listAudit } from './list-audit.ts';
import { listDeliveries } from './list-deliveries.ts';
import { answerMcpClient, deleteGrant, getMcpClient, listGrants } from './mcp-clients.ts';
import { addMember, changeMember, listMembers, removeMember } from './members.ts';
import { changeRole, createRole, deleteRole, listRoles } from './roles.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { switchOrganization } from './switch-organization.ts';
import { createToken, deleteToken, listTokens, revokeToken } from './tokens.ts';

export const consoleEndpoints: readonly ConsoleEndpoint[] = [
  ...[getSession, signIn, signOut, changePassword, switchOrganization],
  ...[getOffer, acceptOffer],
  getOverview,
  ...[listTokens, createToken, revokeToken, deleteToken],
  ...[getMcpClient, answerMcpClient, listGrants, deleteGrant],
  ...[getAgentsFile, putAgentsFile],
  fromPublic(listToolActions, 'member'),
  fromPublic(listToolConnections, 'member'),
  fromPublic(connectTool, 'tools.manage'),
  fromPublic(deleteToolConnection, 'tools.manage'),
  fromPublic(runToolAction, 'tools.manage'),
  fromPublic(listAgents, 'member'),
  fromPublic(createAgent, 'agents.manage'),
  fromPublic(getAgent, 'member'),
  fromPublic(updateAgent, 'agents.manage'),
  fromPublic(deleteAgent, 'agents.manage'),
  fromPublic(postChat, 'agents.manage'),
  fromPublic(followMessage, 'conversations.view'),
  fromPublic(getChannel, 'channels.manage'),
  fromPublic(connectChannel, 'channels.manage'),
  fromPublic(editChannel, 'channels.manage'),
  fromPublic(verifyChannel, 'channels.manage'),
  fromPublic(checkChannel, 'channels.manage'),
  fromPublic(moveChannel, 'channels.manage'),
  fromPublic(disconnectChannel, 'channels.manage'),
  fromPublic(checkWebhook, 'channels.manage'),
  fromPublic(setWebhook, 'channels.manage'),
  fromPublic(listChannelEvents, 'channels.manage'),
  ...[listConversations, getTimeline, pause, resume],
  fromPublic(cancelRuns, 'conversations.take_over'),
  fromPublic(regenerateAnswer, 'conversations.take_over'),
  fromPublic(writeAsPerson, 'conversations.take_over'),
  fromPublic(deleteConversation, 'data.manage'),
  fromPublic(deleteContact, 'data.manage'),
  listDeliveries,
  fromPublic(getOrganization, 'data.manage'),
  fromPublic(changeOrganization, 'data.manage'),
  fromPublic(exportOrganization, 'data.manage'),
  fromPublic(getUsage, 'data.manage'),
  countExpiring,
  ...[getLimitState, limitOrganization, limitApiToken],
  fromPublic(exportContact, 'data.manage'),
  ...[listMembers, addMember, changeMember, removeMember],
  ...[listInvitations, inviteMember, revokeInvitation],
  ...[listRoles, createRole, changeRole, deleteRole],
  listAudit,
];
