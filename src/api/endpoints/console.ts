/** The table of the console's operations. For an operation of the API, it states the capability that users need. */
import type { Capability } from '../../contract/accounts/capabilities.ts';
import { forSession, type Endpoint, type EndpointFor } from '../endpoint.ts';
import { acceptOffer, getOffer } from './accounts/accept-invitation.ts';
import { beginSignIn, finishSignIn, listProviders } from './accounts/identity-providers.ts';
import { inviteMember, listInvitations, revokeInvitation } from './accounts/invitations.ts';
import { exportAuditCsv, exportAuditLines } from './accounts/export-audit.ts';
import { listAudit } from './accounts/list-audit.ts';
import { answerMcpClient, deleteGrant, getMcpClient, listGrants } from './accounts/mcp-clients.ts';
import { changeMember, listMembers, removeMember, resetMember, signOutMember } from './accounts/members.ts';
import * as ownAccount from './accounts/own-account.ts';
import { askReset, getReset, useReset } from './accounts/password-reset.ts';
import { changeRole, createRole, deleteRole, listRoles } from './accounts/roles.ts';
import { changePassword, getSession, signIn, signOut, switchOrganization } from './accounts/session.ts';
import * as factors from './accounts/second-factor.ts';
import { createToken, deleteToken, listTokens, revokeToken, rotateToken } from './accounts/tokens.ts';
import { getUnpublished, listAgentDrafts } from './conversations/agent-versions.ts';
import { getAgentsFile, putAgentsFile } from './conversations/agents-file.ts';
import { getRun, getRunHistory, tryRunAgain } from './conversations/inspect-runs.ts';
import * as inbox from './conversations/oversee-conversations.ts';
import * as teamwork from './conversations/teamwork.ts';
import { testPolicy } from './conversations/policy-tests.ts';
import { allowLoopback, forbidLoopback, listLoopback } from './conversations/webhooks.ts';
import { countExpiring, getErasureSize } from './data/erasure.ts';
import * as usage from './data/usage.ts';
import { beginMcpSignIn } from './mcp-servers/sign-in.ts';
import * as models from './models/models.ts';
import { listAgentChannels } from './whatsapp/channels.ts';
import { namedEndpoints as api } from './index.ts';

/** Makes operations of the API available to console users who have the capability. */
function shared(capability: Capability | 'member', endpoints: readonly EndpointFor<'token'>[]): Endpoint[] {
  return endpoints.map((endpoint) => forSession(endpoint, capability));
}

export const consoleEndpoints: readonly Endpoint[] = [
  getSession,
  signIn,
  signOut,
  changePassword,
  switchOrganization,
  factors.signInWithCode,
  factors.getAccount,
  ownAccount.renameAccount,
  ownAccount.listOwnSessions,
  ownAccount.endSession,
  ownAccount.endOtherSessions,
  factors.chooseWaitingMails,
  factors.offerFactor,
  factors.confirmFactor,
  factors.removeFactor,
  factors.renewCodes,
  listProviders,
  beginSignIn,
  finishSignIn,
  getOffer,
  acceptOffer,
  usage.getOverview,
  usage.getHealth,
  usage.getToolActivity,
  listTokens,
  createToken,
  rotateToken,
  revokeToken,
  deleteToken,
  ...shared('tokens.view', [api.listRequests]),
  getMcpClient,
  answerMcpClient,
  listGrants,
  deleteGrant,
  getAgentsFile,
  putAgentsFile,
  testPolicy,
  ...shared('member', [api.listToolActions, api.listToolConnections, api.listHttpTools, api.listMcpServers]),
  ...shared('member', [api.listAgents, api.getAgent, api.listAgentVersions, api.getAgentVersion]),
  ...shared('member', [api.getAgentDraft, api.listDeletedAgents]),
  getUnpublished,
  listAgentDrafts,
  ...shared('tools.manage', [api.connectTool, api.deleteToolConnection, api.runToolAction, api.readOpenapi]),
  ...shared('tools.manage', [api.createHttpTool, api.updateHttpTool, api.deleteHttpTool, api.runHttpTool]),
  ...shared('tools.manage', [api.createMcpServer, api.updateMcpServer, api.deleteMcpServer]),
  ...shared('tools.manage', [api.readMcpTools, api.chooseMcpTools, api.runMcpTool]),
  beginMcpSignIn,
  ...shared('agents.manage', [api.createAgent, api.updateAgent, api.deleteAgent, api.restoreAgent]),
  ...shared('agents.manage', [api.rollBackAgent]),
  ...shared('agents.manage', [api.sendMessage, api.saveAgentDraft, api.discardAgentDraft]),
  ...shared('agents.manage', [api.publishAgentDraft, api.setAgentCandidate]),
  models.getModels,
  models.addModelProvider,
  models.changeModelProvider,
  models.testModelProvider,
  models.removeModelProvider,
  models.setDefaultModel,
  models.setModelPrice,
  models.getLocalModel,
  models.startLocalModel,
  models.getModelServers,
  listAgentChannels,
  ...shared('channels.manage', [api.getChannel, api.connectChannel, api.editChannel, api.verifyChannel]),
  ...shared('channels.manage', [api.checkChannel, api.renewWebhook, api.moveChannel, api.disconnectChannel]),
  ...shared('channels.manage', [api.checkWebhook, api.setWebhook, api.listChannelEvents]),
  ...shared('channels.manage', [api.sendChannelHello, api.getChannelHello]),
  inbox.listConversations,
  inbox.listCalledTools,
  inbox.getWaiting,
  inbox.getTimeline,
  getRun,
  getRunHistory,
  tryRunAgain,
  inbox.markSeen,
  inbox.markAllSeen,
  inbox.markDone,
  inbox.reopenConversation,
  teamwork.listAssignees,
  teamwork.assignConversation,
  teamwork.listNotes,
  teamwork.writeNote,
  teamwork.deleteNote,
  teamwork.reportPresence,
  inbox.listDeliveryViews,
  inbox.getDeliveryView,
  inbox.listDeliveryHosts,
  inbox.listDeliveryReceivers,
  ...shared('conversations.view', [api.followMessage, api.listApprovals, api.getApproval]),
  ...shared('approvals.decide', [api.decideApproval]),
  ...shared('conversations.view', [api.listRehearsals, api.getRehearsal, api.listRehearsalTurns]),
  ...shared('conversations.view', [api.listTestTurns]),
  ...shared('agents.manage', [api.startRehearsal, api.cancelRehearsal, api.resumeRehearsal]),
  ...shared('agents.manage', [api.addTestTurns, api.removeTestTurn]),
  ...shared('conversations.take_over', [api.pauseConversation, api.resumeConversation, api.cancelRuns]),
  ...shared('conversations.take_over', [api.regenerateAnswer, api.writeAsPerson]),
  ...shared('webhooks.manage', [api.listWebhookEndpoints, api.addWebhookEndpoint, api.rotateWebhookSecret]),
  ...shared('webhooks.manage', [
    api.changeWebhookEndpoint,
    api.removeWebhookEndpoint,
    api.resendCallback,
    api.sendTestCallback,
  ]),
  listLoopback,
  allowLoopback,
  forbidLoopback,
  ...shared('data.manage', [api.deleteConversation, api.deleteContact, api.exportContact]),
  ...shared('data.manage', [api.exportOrganization, api.getOrganization, api.changeOrganization]),
  ...shared('data.manage', [api.getUsage]),
  countExpiring,
  getErasureSize,
  usage.getModelUsage,
  usage.getLimitState,
  usage.limitOrganization,
  usage.limitApiToken,
  listMembers,
  changeMember,
  removeMember,
  resetMember,
  signOutMember,
  askReset,
  getReset,
  useReset,
  listInvitations,
  inviteMember,
  revokeInvitation,
  listRoles,
  createRole,
  changeRole,
  deleteRole,
  listAudit,
  exportAuditCsv,
  exportAuditLines,
];
