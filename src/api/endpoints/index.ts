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

/** @returns the endpoints of a module that have these names, in this order */
function pick<Module, Name extends keyof Module & string>(module: Module, names: Name[]) {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- Object.fromEntries returns string keys
  return Object.fromEntries(names.map((name) => [name, module[name]])) as Pick<Module, Name>;
}

/** The operations. Their order determines the order of the paths in the OpenAPI document. */
export const namedEndpoints = {
  ...pick(agents, ['listAgents', 'createAgent', 'getAgent', 'updateAgent', 'deleteAgent']),
  ...pick(agents, ['listDeletedAgents', 'restoreAgent']),
  ...pick(agentVersions, ['listAgentVersions', 'getAgentVersion', 'rollBackAgent', 'getAgentDraft']),
  ...pick(agentVersions, ['saveAgentDraft', 'discardAgentDraft', 'publishAgentDraft', 'setAgentCandidate']),
  ...pick(rehearsals, ['listRehearsals', 'startRehearsal', 'getRehearsal', 'listRehearsalTurns']),
  ...pick(rehearsals, ['cancelRehearsal', 'resumeRehearsal']),
  ...pick(testTurns, ['listTestTurns', 'addTestTurns', 'removeTestTurn']),
  bindInbox: agents.bindInbox,
  ...pick(channels, ['getChannel', 'connectChannel', 'editChannel', 'verifyChannel', 'checkChannel']),
  ...pick(channels, ['moveChannel', 'disconnectChannel']),
  ...pick(channelWebhook, ['checkWebhook', 'setWebhook', 'renewWebhook']),
  ...pick(channelHello, ['sendChannelHello', 'getChannelHello']),
  listChannelEvents: channels.listChannelEvents,
  sendMessage: postChat,
  followMessage,
  ...pick(openaiModels, ['listOpenAiModels', 'getOpenAiModel']),
  createOpenAiCompletion,
  createOpenAiResponse,
  ...pick(conversations, ['listConversations', 'getConversation', 'deleteConversation', 'cancelRuns']),
  regenerateAnswer,
  deleteContact: erasure.deleteContact,
  exportContact: exportData.exportContact,
  ...pick(conversations, ['pauseConversation', 'resumeConversation', 'listMessages', 'writeAsPerson']),
  ...pick(approvals, ['listApprovals', 'getApproval', 'decideApproval']),
  listDeliveries: conversations.listDeliveries,
  ...pick(webhooks, ['resendCallback', 'listWebhookEndpoints', 'addWebhookEndpoint']),
  ...pick(webhooks, ['rotateWebhookSecret', 'removeWebhookEndpoint', 'sendTestCallback']),
  ...pick(tools, ['listToolActions', 'runToolAction', 'listToolConnections', 'connectTool']),
  ...pick(tools, ['getToolConnection', 'deleteToolConnection']),
  ...pick(httpTools, ['listHttpTools', 'createHttpTool', 'readOpenapi', 'getHttpTool', 'updateHttpTool']),
  ...pick(httpTools, ['deleteHttpTool', 'runHttpTool']),
  ...pick(mcpServers, ['listMcpServers', 'createMcpServer', 'getMcpServer', 'updateMcpServer']),
  ...pick(mcpServers, ['deleteMcpServer', 'readMcpTools', 'chooseMcpTools', 'runMcpTool']),
  ...pick(organization, ['getOrganization', 'changeOrganization']),
  exportOrganization: exportData.exportOrganization,
  getUsage: usage.getUsage,
  listRequests,
} satisfies Record<string, EndpointFor<'token'>>;

export const endpoints: readonly EndpointFor<'token'>[] = Object.values(namedEndpoints);
