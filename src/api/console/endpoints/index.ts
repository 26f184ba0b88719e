/** Every console operation in one view, and what each asks for. */
import { cancelRuns } from '../../endpoints/cancel-runs.ts';
import { connectChannel } from '../../endpoints/connect-channel.ts';
import { checkChannel } from '../../endpoints/check-channel.ts';
import { moveChannel } from '../../endpoints/move-channel.ts';
import { checkWebhook, setWebhook } from '../../endpoints/channel-webhook.ts';
import { connectTool } from '../../endpoints/connect-tool.ts';
import { createAgent } from '../../endpoints/create-agent.ts';
import { deleteAgent } from '../../endpoints/delete-agent.ts';
import { deleteContact } from '../../endpoints/delete-contact.ts';
import { deleteConversation } from '../../endpoints/delete-conversation.ts';
import { deleteToolConnection } from '../../endpoints/delete-tool-connection.ts';
import { disconnectChannel } from '../../endpoints/disconnect-channel.ts';
import { editChannel } from '../../endpoints/edit-channel.ts';
import { followMessage } from '../../endpoints/follow-message.ts';
import { exportContact, exportOrganization } from '../../endpoints/export-data.ts';
import { getAgent } from '../../endpoints/get-agent.ts';
import { getChannel } from '../../endpoints/get-channel.ts';
import { getUsage } from '../../endpoints/get-usage.ts';
import { listAgents } from '../../endpoints/list-agents.ts';
import { listChannelEvents } from '../../endpoints/list-channel-events.ts';
import { listToolActions } from '../../endpoints/list-tool-actions.ts';
import { listToolConnections } from '../../endpoints/list-tool-connections.ts';
import { changeOrganization, getOrganization } from '../../endpoints/organization.ts';
import { postChat } from '../../endpoints/post-chat.ts';
import { regenerateAnswer } from '../../endpoints/regenerate-answer.ts';
import { runToolAction } from '../../endpoints/run-tool-action.ts';
import { updateAgent } from '../../endpoints/update-agent.ts';
import { verifyChannel } from '../../endpoints/verify-channel.ts';
import { writeAsPerson } from '../../endpoints/write-as-person.ts';
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
