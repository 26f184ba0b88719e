/** Lists every console operation and the capability that it requires. */
import type { Capability } from '../../contract/accounts/capabilities.ts';
import { forSession, type Endpoint, type EndpointFor } from '../endpoint.ts';
import { acceptOffer, getOffer } from './accounts/accept-invitation.ts';
import { beginSignIn, finishSignIn, listProviders } from './accounts/identity-providers.ts';
import { inviteMember, listInvitations, revokeInvitation } from './accounts/invitations.ts';
import { exportAuditCsv, exportAuditLines } from './accounts/export-audit.ts';
import { listAudit } from './accounts/list-audit.ts';
import { answerMcpClient, deleteGrant, getMcpClient, listGrants } from './accounts/mcp-clients.ts';
import { changeMember, listMembers, removeMember, resetMember, signOutMember } from './accounts/members.ts';
import { changeOrganization, getOrganization } from './accounts/organization.ts';
import { getReset, useReset } from './accounts/password-reset.ts';
import { changeRole, createRole, deleteRole, listRoles } from './accounts/roles.ts';
import { changePassword, getSession, signIn, signOut, switchOrganization } from './accounts/session.ts';
import {
  confirmFactor,
  getAccount,
  offerFactor,
  removeFactor,
  renewCodes,
  signInWithCode,
} from './accounts/second-factor.ts';
import { createToken, deleteToken, listTokens, revokeToken, rotateToken } from './accounts/tokens.ts';
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
import { createAgent, deleteAgent, getAgent, listAgents, updateAgent } from './conversations/agents.ts';
import { decideApproval, getApproval, listApprovals } from './conversations/approvals.ts';
import { getAgentsFile, putAgentsFile } from './conversations/agents-file.ts';
import {
  cancelRuns,
  deleteConversation,
  pauseConversation,
  resumeConversation,
  writeAsPerson,
} from './conversations/conversations.ts';
import { followMessage } from './conversations/follow-message.ts';
import { getRun, getRunHistory, tryRunAgain } from './conversations/inspect-runs.ts';
import {
  getDeliveryView,
  getTimeline,
  listConversations,
  listDeliveryHosts,
  listDeliveryReceivers,
  listDeliveryViews,
  markAllSeen,
  markDone,
  markSeen,
} from './conversations/oversee-conversations.ts';
import { postChat } from './conversations/post-chat.ts';
import { regenerateAnswer } from './conversations/regenerate-answer.ts';
import {
  addWebhookEndpoint,
  allowLoopback,
  forbidLoopback,
  listLoopback,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  resendCallback,
  rotateWebhookSecret,
  sendTestCallback,
} from './conversations/webhooks.ts';
import { countExpiring, deleteContact } from './data/erasure.ts';
import { exportContact, exportOrganization } from './data/export-data.ts';
import {
  getHealth,
  getLimitState,
  getModelUsage,
  getOverview,
  getToolActivity,
  getUsage,
  limitApiToken,
  limitOrganization,
} from './data/usage.ts';
import {
  createHttpTool,
  deleteHttpTool,
  listHttpTools,
  readOpenapi,
  runHttpTool,
  updateHttpTool,
} from './http-tools/http-tools.ts';
import {
  chooseMcpTools,
  createMcpServer,
  deleteMcpServer,
  listMcpServers,
  readMcpTools,
  runMcpTool,
  updateMcpServer,
} from './mcp-servers/mcp-servers.ts';
import {
  addModelProvider,
  changeModelProvider,
  getModels,
  removeModelProvider,
  setDefaultModel,
  testModelProvider,
} from './models/models.ts';
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
  listToolActions,
  listToolConnections,
  runToolAction,
} from './workspace/tools.ts';

/** Makes operations of the API available to console users with the capability. */
function shared(capability: Capability | 'member', endpoints: readonly EndpointFor<'token'>[]): Endpoint[] {
  return endpoints.map((endpoint) => forSession(endpoint, capability));
}

export const consoleEndpoints: readonly Endpoint[] = [
  ...[getSession, signIn, signOut, changePassword, switchOrganization],
  ...[signInWithCode, getAccount, offerFactor, confirmFactor, removeFactor, renewCodes],
  ...[listProviders, beginSignIn, finishSignIn],
  ...[getOffer, acceptOffer],
  ...[getOverview, getHealth, getToolActivity],
  ...[listTokens, createToken, rotateToken, revokeToken, deleteToken],
  ...[getMcpClient, answerMcpClient, listGrants, deleteGrant],
  ...[getAgentsFile, putAgentsFile],
  ...shared('member', [listToolActions, listToolConnections, listHttpTools, listMcpServers]),
  ...shared('member', [listAgents, getAgent, listAgentVersions, getAgentVersion]),
  ...shared('member', [getAgentDraft]),
  ...shared('tools.manage', [connectTool, deleteToolConnection, runToolAction]),
  ...shared('tools.manage', [readOpenapi, createHttpTool, updateHttpTool, deleteHttpTool, runHttpTool]),
  ...shared('tools.manage', [createMcpServer, updateMcpServer, deleteMcpServer, readMcpTools]),
  ...shared('tools.manage', [chooseMcpTools, runMcpTool]),
  ...shared('agents.manage', [createAgent, updateAgent, deleteAgent, rollBackAgent, postChat]),
  ...shared('agents.manage', [saveAgentDraft, discardAgentDraft, publishAgentDraft, setAgentCandidate]),
  ...[getModels, addModelProvider, changeModelProvider, testModelProvider],
  ...[removeModelProvider, setDefaultModel],
  ...shared('channels.manage', [getChannel, connectChannel, editChannel, verifyChannel, checkChannel]),
  ...shared('channels.manage', [renewWebhook]),
  ...shared('channels.manage', [moveChannel, disconnectChannel, checkWebhook, setWebhook, listChannelEvents]),
  ...[
    listConversations,
    getTimeline,
    getRun,
    getRunHistory,
    tryRunAgain,
    listDeliveryViews,
    getDeliveryView,
    listDeliveryHosts,
    listDeliveryReceivers,
    markSeen,
    markAllSeen,
    markDone,
  ],
  ...shared('conversations.view', [followMessage, listApprovals, getApproval]),
  ...shared('approvals.decide', [decideApproval]),
  ...shared('conversations.view', [listRehearsals, getRehearsal, listRehearsalTurns, listTestTurns]),
  ...shared('agents.manage', [startRehearsal, cancelRehearsal, resumeRehearsal]),
  ...shared('agents.manage', [addTestTurns, removeTestTurn]),
  ...shared('conversations.take_over', [
    pauseConversation,
    resumeConversation,
    cancelRuns,
    regenerateAnswer,
    writeAsPerson,
  ]),
  ...shared('webhooks.manage', [listWebhookEndpoints, addWebhookEndpoint, rotateWebhookSecret]),
  ...shared('webhooks.manage', [removeWebhookEndpoint, resendCallback, sendTestCallback]),
  ...[listLoopback, allowLoopback, forbidLoopback],
  ...shared('data.manage', [deleteConversation, deleteContact, exportContact, exportOrganization]),
  ...shared('data.manage', [getOrganization, changeOrganization, getUsage]),
  ...[countExpiring, getModelUsage, getLimitState, limitOrganization, limitApiToken],
  ...[listMembers, changeMember, removeMember, resetMember, signOutMember, getReset, useReset],
  ...[listInvitations, inviteMember, revokeInvitation],
  ...[listRoles, createRole, changeRole, deleteRole],
  listAudit,
  exportAuditCsv,
  exportAuditLines,
];
