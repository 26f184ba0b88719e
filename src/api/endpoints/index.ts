/** Lists every operation, under the name that generated clients use. */
import type { EndpointFor } from '../endpoint.ts';
import { bindInbox } from './whatsapp/bind-inbox.ts';
import { cancelRuns } from './conversations/cancel-runs.ts';
import { checkChannel } from './whatsapp/check-channel.ts';
import { checkWebhook, setWebhook } from './whatsapp/channel-webhook.ts';
import { connectChannel } from './whatsapp/connect-channel.ts';
import { createAgent } from './conversations/create-agent.ts';
import { deleteAgent } from './conversations/delete-agent.ts';
import { deleteContact } from './data/delete-contact.ts';
import { deleteConversation } from './conversations/delete-conversation.ts';
import { disconnectChannel } from './whatsapp/disconnect-channel.ts';
import { editChannel } from './whatsapp/edit-channel.ts';
import { connectTool } from './workspace/connect-tool.ts';
import { deleteToolConnection } from './workspace/delete-tool-connection.ts';
import { followMessage } from './conversations/follow-message.ts';
import { exportContact, exportOrganization } from './data/export-data.ts';
import { getAgent } from './conversations/get-agent.ts';
import { getChannel } from './whatsapp/get-channel.ts';
import { getConversation } from './conversations/get-conversation.ts';
import { changeOrganization, getOrganization } from './accounts/organization.ts';
import { getToolConnection } from './workspace/get-tool-connection.ts';
import { getUsage } from './data/get-usage.ts';
import { listAgents } from './conversations/list-agents.ts';
import { listChannelEvents } from './whatsapp/list-channel-events.ts';
import { listConversations } from './conversations/list-conversations.ts';
import { listDeliveries } from './conversations/list-deliveries.ts';
import { listMessages } from './conversations/list-messages.ts';
import { moveChannel } from './whatsapp/move-channel.ts';
import { pauseConversation, resumeConversation } from './conversations/pause-conversation.ts';
import { listToolActions } from './workspace/list-tool-actions.ts';
import { listToolConnections } from './workspace/list-tool-connections.ts';
import { postChat } from './conversations/post-chat.ts';
import { regenerateAnswer } from './conversations/regenerate-answer.ts';
import { runToolAction } from './workspace/run-tool-action.ts';
import { updateAgent } from './conversations/update-agent.ts';
import { verifyChannel } from './whatsapp/verify-channel.ts';
import { writeAsPerson } from './conversations/write-as-person.ts';

export const namedEndpoints = {
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  bindInbox,
  getChannel,
  connectChannel,
  editChannel,
  verifyChannel,
  checkChannel,
  moveChannel,
  disconnectChannel,
  checkWebhook,
  setWebhook,
  listChannelEvents,
  sendMessage: postChat,
  followMessage,
  listConversations,
  getConversation,
  deleteConversation,
  cancelRuns,
  regenerateAnswer,
  deleteContact,
  exportContact,
  pauseConversation,
  resumeConversation,
  listMessages,
  writeAsPerson,
  listDeliveries,
  listToolActions,
  runToolAction,
  listToolConnections,
  connectTool,
  getToolConnection,
  deleteToolConnection,
  getOrganization,
  changeOrganization,
  exportOrganization,
  getUsage,
} satisfies Record<string, EndpointFor<'token'>>;

export const endpoints: readonly EndpointFor<'token'>[] = Object.values(namedEndpoints);
