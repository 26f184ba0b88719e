/** The table of the API's operations, by the names that generated clients use. */
import type { EndpointFor } from '../endpoint.ts';
import { listRequests } from './accounts/api-requests.ts';
import * as organization from './accounts/organization.ts';
import * as agentVersions from './conversations/agent-versions.ts';
import * as agents from './conversations/agents.ts';
import * as approvals from './conversations/approvals.ts';
import * as conversations from './conversations/conversations.ts';
import { followMessage } from './conversations/follow-message.ts';
import { createOpenAiCompletion } from './conversations/openai-chat.ts';
import * as openaiModels from './conversations/openai-models.ts';
import { createOpenAiResponse } from './conversations/openai-responses.ts';
import { postChat } from './conversations/post-chat.ts';
import { regenerateAnswer } from './conversations/regenerate-answer.ts';
import * as webhooks from './conversations/webhooks.ts';
import * as erasure from './data/erasure.ts';
import * as exportData from './data/export-data.ts';
import * as usage from './data/usage.ts';
import * as httpTools from './http-tools/http-tools.ts';
import * as mcpServers from './mcp-servers/mcp-servers.ts';
import * as rehearsals from './rehearsals/rehearsals.ts';
import * as testTurns from './rehearsals/test-turns.ts';
import * as channelHello from './whatsapp/channel-hello.ts';
import * as channelWebhook from './whatsapp/channel-webhook.ts';
import * as channels from './whatsapp/channels.ts';
import * as tools from './workspace/tools.ts';

/** The operations. Their order determines the order of the paths in the OpenAPI document. */
export const namedEndpoints = {
  listAgents: agents.listAgents,
  createAgent: agents.createAgent,
  getAgent: agents.getAgent,
  updateAgent: agents.updateAgent,
  deleteAgent: agents.deleteAgent,
  listDeletedAgents: agents.listDeletedAgents,
  restoreAgent: agents.restoreAgent,
  listAgentVersions: agentVersions.listAgentVersions,
  getAgentVersion: agentVersions.getAgentVersion,
  rollBackAgent: agentVersions.rollBackAgent,
  getAgentDraft: agentVersions.getAgentDraft,
  saveAgentDraft: agentVersions.saveAgentDraft,
  discardAgentDraft: agentVersions.discardAgentDraft,
  publishAgentDraft: agentVersions.publishAgentDraft,
  setAgentCandidate: agentVersions.setAgentCandidate,
  listRehearsals: rehearsals.listRehearsals,
  startRehearsal: rehearsals.startRehearsal,
  getRehearsal: rehearsals.getRehearsal,
  listRehearsalTurns: rehearsals.listRehearsalTurns,
  cancelRehearsal: rehearsals.cancelRehearsal,
  resumeRehearsal: rehearsals.resumeRehearsal,
  listTestTurns: testTurns.listTestTurns,
  addTestTurns: testTurns.addTestTurns,
  removeTestTurn: testTurns.removeTestTurn,
  bindInbox: agents.bindInbox,
  getChannel: channels.getChannel,
  connectChannel: channels.connectChannel,
  editChannel: channels.editChannel,
  verifyChannel: channels.verifyChannel,
  checkChannel: channels.checkChannel,
  moveChannel: channels.moveChannel,
  disconnectChannel: channels.disconnectChannel,
  checkWebhook: channelWebhook.checkWebhook,
  setWebhook: channelWebhook.setWebhook,
  renewWebhook: channelWebhook.renewWebhook,
  sendChannelHello: channelHello.sendChannelHello,
  getChannelHello: channelHello.getChannelHello,
  listChannelEvents: channels.listChannelEvents,
  sendMessage: postChat,
  followMessage,
  listOpenAiModels: openaiModels.listOpenAiModels,
  getOpenAiModel: openaiModels.getOpenAiModel,
  createOpenAiCompletion,
  createOpenAiResponse,
  listConversations: conversations.listConversations,
  getConversation: conversations.getConversation,
  deleteConversation: conversations.deleteConversation,
  cancelRuns: conversations.cancelRuns,
  regenerateAnswer,
  deleteContact: erasure.deleteContact,
  exportContact: exportData.exportContact,
  pauseConversation: conversations.pauseConversation,
  resumeConversation: conversations.resumeConversation,
  listMessages: conversations.listMessages,
  writeAsPerson: conversations.writeAsPerson,
  listApprovals: approvals.listApprovals,
  getApproval: approvals.getApproval,
  decideApproval: approvals.decideApproval,
  listDeliveries: conversations.listDeliveries,
  resendCallback: webhooks.resendCallback,
  listWebhookEndpoints: webhooks.listWebhookEndpoints,
  addWebhookEndpoint: webhooks.addWebhookEndpoint,
  changeWebhookEndpoint: webhooks.changeWebhookEndpoint,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  removeWebhookEndpoint: webhooks.removeWebhookEndpoint,
  sendTestCallback: webhooks.sendTestCallback,
  listToolActions: tools.listToolActions,
  runToolAction: tools.runToolAction,
  listToolConnections: tools.listToolConnections,
  connectTool: tools.connectTool,
  getToolConnection: tools.getToolConnection,
  deleteToolConnection: tools.deleteToolConnection,
  listHttpTools: httpTools.listHttpTools,
  createHttpTool: httpTools.createHttpTool,
  readOpenapi: httpTools.readOpenapi,
  getHttpTool: httpTools.getHttpTool,
  updateHttpTool: httpTools.updateHttpTool,
  deleteHttpTool: httpTools.deleteHttpTool,
  runHttpTool: httpTools.runHttpTool,
  listMcpServers: mcpServers.listMcpServers,
  createMcpServer: mcpServers.createMcpServer,
  getMcpServer: mcpServers.getMcpServer,
  updateMcpServer: mcpServers.updateMcpServer,
  deleteMcpServer: mcpServers.deleteMcpServer,
  readMcpTools: mcpServers.readMcpTools,
  chooseMcpTools: mcpServers.chooseMcpTools,
  runMcpTool: mcpServers.runMcpTool,
  getOrganization: organization.getOrganization,
  changeOrganization: organization.changeOrganization,
  exportOrganization: exportData.exportOrganization,
  getUsage: usage.getUsage,
  listRequests,
} satisfies Record<string, EndpointFor<'token'>>;

export const endpoints: readonly EndpointFor<'token'>[] = Object.values(namedEndpoints);
