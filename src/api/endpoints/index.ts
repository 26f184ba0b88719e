/** Every operation in one view, under the name that generated clients call it by. */
import type { Endpoint } from '../endpoint.ts';
import { bindInbox } from './bind-inbox.ts';
import { cancelRuns } from './cancel-runs.ts';
import { checkChannel } from './check-channel.ts';
import { checkWebhook, setWebhook } from './channel-webhook.ts';
import { connectChannel } from './connect-channel.ts';
import { createAgent } from './create-agent.ts';
import { deleteAgent } from './delete-agent.ts';
import { deleteContact } from './delete-contact.ts';
import { deleteConversation } from './delete-conversation.ts';
import { disconnectChannel } from './disconnect-channel.ts';
import { editChannel } from './edit-channel.ts';
import { connectTool } from './connect-tool.ts';
import { deleteToolConnection } from './delete-tool-connection.ts';
import { followMessage } from './follow-message.ts';
import { exportContact, exportOrganization } from './export-data.ts';
import { getAgent } from './get-agent.ts';
import { getChannel } from './get-channel.ts';
import { getConversation } from './get-conversation.ts';
import { changeOrganization, getOrganization } from './organization.ts';
import { getToolConnection } from './get-tool-connection.ts';
import { getUsage } from './get-usage.ts';
import { listAgents } from './list-agents.ts';
import { listChannelEvents } from './list-channel-events.ts';
import { listConversations } from './list-conversations.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listMessages } from './list-messages.ts';
import { moveChannel } from './move-channel.ts';
import { pauseConversation, resumeConversation } from './pause-conversation.ts';
import { listToolActions } from './list-tool-actions.ts';
import { listToolConnections } from './list-tool-connections.ts';
import { postChat } from './post-chat.ts';
import { regenerateAnswer } from './regenerate-answer.ts';
import { runToolAction } from './run-tool-action.ts';
import { updateAgent } from './update-agent.ts';
import { verifyChannel } from './verify-channel.ts';
import { writeAsPerson } from './write-as-person.ts';

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
} satisfies Record<string, Endpoint>;

export const endpoints: readonly Endpoint[] = Object.values(namedEndpoints);
