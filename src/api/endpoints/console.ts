/** Lists every console operation and the capability that it requires. */
import { cancelRuns } from './conversations/cancel-runs.ts';
import { connectChannel } from './whatsapp/connect-channel.ts';
import { checkChannel } from './whatsapp/check-channel.ts';
import { moveChannel } from './whatsapp/move-channel.ts';
import { checkWebhook, setWebhook } from './whatsapp/channel-webhook.ts';
import { connectTool } from './workspace/connect-tool.ts';
import { createAgent } from './conversations/create-agent.ts';
import { deleteAgent } from './conversations/delete-agent.ts';
import { deleteContact } from './data/delete-contact.ts';
import { deleteConversation } from './conversations/delete-conversation.ts';
import { deleteToolConnection } from './workspace/delete-tool-connection.ts';
import { disconnectChannel } from './whatsapp/disconnect-channel.ts';
import { editChannel } from './whatsapp/edit-channel.ts';
import { followMessage } from './conversations/follow-message.ts';
import { exportContact, exportOrganization } from './data/export-data.ts';
import { getAgent } from './conversations/get-agent.ts';
import { getChannel } from './whatsapp/get-channel.ts';
import { getUsage } from './data/get-usage.ts';
import { listAgents } from './conversations/list-agents.ts';
import { listChannelEvents } from './whatsapp/list-channel-events.ts';
import { listToolActions } from './workspace/list-tool-actions.ts';
import { listToolConnections } from './workspace/list-tool-connections.ts';
import { changeOrganization, getOrganization } from './accounts/organization.ts';
import { postChat } from './conversations/post-chat.ts';
import { regenerateAnswer } from './conversations/regenerate-answer.ts';
import { runToolAction } from './workspace/run-tool-action.ts';
import { updateAgent } from './conversations/update-agent.ts';
import { verifyChannel } from './whatsapp/verify-channel.ts';
import { writeAsPerson } from './conversations/write-as-person.ts';
import { forSession, type Endpoint } from '../endpoint.ts';
import { acceptOffer, getOffer } from './accounts/accept-invitation.ts';
import { getAgentsFile, putAgentsFile } from './conversations/agents-file.ts';
import { changePassword } from './accounts/change-password.ts';
import { countExpiring } from './data/count-expiring.ts';
import { getTimeline, listConversations, pause, resume } from './conversations/oversee-conversations.ts';
import { getOverview } from './data/get-overview.ts';
import { getSession } from './accounts/get-session.ts';
import { getLimitState, limitApiToken, limitOrganization } from './data/limits.ts';
import { inviteMember, listInvitations, revokeInvitation } from './accounts/invitations.ts';
import { listAudit } from './accounts/list-audit.ts';
import { listDeliveryViews } from './conversations/list-delivery-views.ts';
import { answerMcpClient, deleteGrant, getMcpClient, listGrants } from './accounts/mcp-clients.ts';
import { addMember, changeMember, listMembers, removeMember } from './accounts/members.ts';
import { changeRole, createRole, deleteRole, listRoles } from './accounts/roles.ts';
import { signIn } from './accounts/sign-in.ts';
import { signOut } from './accounts/sign-out.ts';
import { switchOrganization } from './accounts/switch-organization.ts';
import { createToken, deleteToken, listTokens, revokeToken } from './accounts/tokens.ts';

export const consoleEndpoints: readonly Endpoint[] = [
  ...[getSession, signIn, signOut, changePassword, switchOrganization],
  ...[getOffer, acceptOffer],
  getOverview,
  ...[listTokens, createToken, revokeToken, deleteToken],
  ...[getMcpClient, answerMcpClient, listGrants, deleteGrant],
  ...[getAgentsFile, putAgentsFile],
  forSession(listToolActions, 'member'),
  forSession(listToolConnections, 'member'),
  forSession(connectTool, 'tools.manage'),
  forSession(deleteToolConnection, 'tools.manage'),
  forSession(runToolAction, 'tools.manage'),
  forSession(listAgents, 'member'),
  forSession(createAgent, 'agents.manage'),
  forSession(getAgent, 'member'),
  forSession(updateAgent, 'agents.manage'),
  forSession(deleteAgent, 'agents.manage'),
  forSession(postChat, 'agents.manage'),
  forSession(followMessage, 'conversations.view'),
  forSession(getChannel, 'channels.manage'),
  forSession(connectChannel, 'channels.manage'),
  forSession(editChannel, 'channels.manage'),
  forSession(verifyChannel, 'channels.manage'),
  forSession(checkChannel, 'channels.manage'),
  forSession(moveChannel, 'channels.manage'),
  forSession(disconnectChannel, 'channels.manage'),
  forSession(checkWebhook, 'channels.manage'),
  forSession(setWebhook, 'channels.manage'),
  forSession(listChannelEvents, 'channels.manage'),
  ...[listConversations, getTimeline, pause, resume],
  forSession(cancelRuns, 'conversations.take_over'),
  forSession(regenerateAnswer, 'conversations.take_over'),
  forSession(writeAsPerson, 'conversations.take_over'),
  forSession(deleteConversation, 'data.manage'),
  forSession(deleteContact, 'data.manage'),
  listDeliveryViews,
  forSession(getOrganization, 'data.manage'),
  forSession(changeOrganization, 'data.manage'),
  forSession(exportOrganization, 'data.manage'),
  forSession(getUsage, 'data.manage'),
  countExpiring,
  ...[getLimitState, limitOrganization, limitApiToken],
  forSession(exportContact, 'data.manage'),
  ...[listMembers, addMember, changeMember, removeMember],
  ...[listInvitations, inviteMember, revokeInvitation],
  ...[listRoles, createRole, changeRole, deleteRole],
  listAudit,
];
