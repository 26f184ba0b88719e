/** Lists every operation, under the name that generated clients use. */
import type { EndpointFor } from '../endpoint.ts';
import { changeOrganization, getOrganization } from './accounts/organization.ts';
import {
  discardAgentDraft,
  getAgentDraft,
  getAgentVersion,
  listAgentVersions,
  publishAgentDraft,
  rollBackAgent,
  saveAgentDraft,
  setAgentCandidate,
} from './conversations/agent-versions.ts';
import {
  bindInbox,
  createAgent,
  deleteAgent,
  getAgent,
  listAgents,
  updateAgent,
} from './conversations/agents.ts';
import {
  cancelRuns,
  deleteConversation,
  getConversation,
  listConversations,
  listDeliveries,
  listMessages,
  pauseConversation,
  resumeConversation,
  writeAsPerson,
} from './conversations/conversations.ts';
import { decideApproval, getApproval, listApprovals } from './conversations/approvals.ts';
import { followMessage } from './conversations/follow-message.ts';
import { createOpenAiCompletion } from './conversations/openai-chat.ts';
import { getOpenAiModel, listOpenAiModels } from './conversations/openai-models.ts';
import { createOpenAiResponse } from './conversations/openai-responses.ts';
import { postChat } from './conversations/post-chat.ts';
import { regenerateAnswer } from './conversations/regenerate-answer.ts';
import {
  createHttpTool,
  deleteHttpTool,
  getHttpTool,
  listHttpTools,
  readOpenapi,
  runHttpTool,
  updateHttpTool,
} from './http-tools/http-tools.ts';
import {
  chooseMcpTools,
  createMcpServer,
  deleteMcpServer,
  getMcpServer,
  listMcpServers,
  readMcpTools,
  runMcpTool,
  updateMcpServer,
} from './mcp-servers/mcp-servers.ts';
import {
  addWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  resendCallback,
  rotateWebhookSecret,
  sendTestCallback,
} from './conversations/webhooks.ts';
import { deleteContact } from './data/erasure.ts';
import { exportContact, exportOrganization } from './data/export-data.ts';
import { getUsage } from './data/usage.ts';
import {
  cancelRehearsal,
  getRehearsal,
  listRehearsals,
  listRehearsalTurns,
  resumeRehearsal,
  startRehearsal,
} from './rehearsals/rehearsals.ts';
import { addTestTurns, listTestTurns, removeTestTurn } from './rehearsals/test-turns.ts';
import { checkWebhook, renewWebhook, setWebhook } from './whatsapp/channel-webhook.ts';
import {
  checkChannel,
  connectChannel,
  disconnectChannel,
  editChannel,
  getChannel,
  listChannelEvents,
  moveChannel,
  verifyChannel,
} from './whatsapp/channels.ts';
import {
  connectTool,
  deleteToolConnection,
  getToolConnection,
  listToolActions,
  listToolConnections,
  runToolAction,
} from './workspace/tools.ts';

export const namedEndpoints = {
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  listAgentVersions,
  getAgentVersion,
  rollBackAgent,
  getAgentDraft,
  saveAgentDraft,
  discardAgentDraft,
  publishAgentDraft,
  setAgentCandidate,
  listRehearsals,
  startRehearsal,
  getRehearsal,
  listRehearsalTurns,
  cancelRehearsal,
  resumeRehearsal,
  listTestTurns,
  addTestTurns,
  removeTestTurn,
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
  renewWebhook,
  listChannelEvents,
  sendMessage: postChat,
  followMessage,
  listOpenAiModels,
  getOpenAiModel,
  createOpenAiCompletion,
  createOpenAiResponse,
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
  listApprovals,
  getApproval,
  decideApproval,
  listDeliveries,
  resendCallback,
  listWebhookEndpoints,
  addWebhookEndpoint,
  rotateWebhookSecret,
  removeWebhookEndpoint,
  sendTestCallback,
  listToolActions,
  runToolAction,
  listToolConnections,
  connectTool,
  getToolConnection,
  deleteToolConnection,
  listHttpTools,
  createHttpTool,
  readOpenapi,
  getHttpTool,
  updateHttpTool,
  deleteHttpTool,
  runHttpTool,
  listMcpServers,
  createMcpServer,
  getMcpServer,
  updateMcpServer,
  deleteMcpServer,
  readMcpTools,
  chooseMcpTools,
  runMcpTool,
  getOrganization,
  changeOrganization,
  exportOrganization,
  getUsage,
} satisfies Record<string, EndpointFor<'token'>>;

export const endpoints: readonly EndpointFor<'token'>[] = Object.values(namedEndpoints);
