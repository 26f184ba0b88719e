/** Every function that reaches Postgres, called once or more with seeded rows, as the process calls it that does so. */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createEncryption } from '../../src/adapters/secrets/encryption.ts';
import { createFileLinks } from '../../src/adapters/secrets/file-links.ts';
import * as apiRequests from '../../src/adapters/postgres/accounts/api-requests.ts';
import * as agentsFile from '../../src/adapters/postgres/conversations/agents-file.ts';
import * as versions from '../../src/adapters/postgres/conversations/agent-versions.ts';
import * as agents from '../../src/adapters/postgres/conversations/agents.ts';
import * as approvals from '../../src/adapters/postgres/conversations/approvals.ts';
import * as argumentSchemas from '../../src/adapters/postgres/conversations/argument-schemas.ts';
import * as assignees from '../../src/adapters/postgres/conversations/assignees.ts';
import * as attempts from '../../src/adapters/postgres/attempts.ts';
import * as attachments from '../../src/adapters/postgres/conversations/attachments.ts';
import * as auditChain from '../../src/adapters/postgres/accounts/audit-chain.ts';
import * as accounts from '../../src/adapters/postgres/accounts/accounts.ts';
import * as auditLog from '../../src/adapters/postgres/accounts/audit-log.ts';
import * as cancel from '../../src/adapters/postgres/conversations/cancel-runs.ts';
import * as channelAlerts from '../../src/adapters/postgres/whatsapp/alerts.ts';
import * as channelWatch from '../../src/adapters/postgres/whatsapp/channel-watch.ts';
import * as approvalMessages from '../../src/adapters/postgres/whatsapp/approval-messages.ts';
import * as channelStates from '../../src/adapters/postgres/whatsapp/channel-states.ts';
import * as channels from '../../src/adapters/postgres/whatsapp/channels.ts';
import * as changeMembers from '../../src/adapters/postgres/accounts/change-members.ts';
import * as cleanUps from '../../src/adapters/postgres/data/clean-ups.ts';
import * as conversationRows from '../../src/adapters/postgres/conversations/conversation-rows.ts';
import * as receivers from '../../src/adapters/postgres/conversations/delivery-receivers.ts';
import * as deliveryViews from '../../src/adapters/postgres/conversations/delivery-views.ts';
import * as erasureSizes from '../../src/adapters/postgres/data/erasure-size.ts';
import * as health from '../../src/adapters/postgres/data/health.ts';
import * as inboxState from '../../src/adapters/postgres/conversations/inbox-state.ts';
import * as waitingMails from '../../src/adapters/postgres/accounts/waiting-mails.ts';
import * as waiting from '../../src/adapters/postgres/conversations/waiting.ts';
import * as identities from '../../src/adapters/postgres/accounts/identities.ts';
import * as invitations from '../../src/adapters/postgres/accounts/invitations.ts';
import * as overview from '../../src/adapters/postgres/data/overview.ts';
import * as runDetails from '../../src/adapters/postgres/conversations/run-details.ts';
import * as timeline from '../../src/adapters/postgres/conversations/timeline-entries.ts';
import type { ConversationsFilter } from '../../src/contract/conversations/timeline.ts';
import { inTransaction, type Database } from '../../src/adapters/postgres/database.ts';
import * as deliveries from '../../src/adapters/postgres/conversations/deliveries.ts';
import * as erasures from '../../src/adapters/postgres/data/erasures.ts';
import * as exports_ from '../../src/adapters/postgres/data/export.ts';
import * as hellos from '../../src/adapters/postgres/whatsapp/hellos.ts';
import * as inbox from '../../src/adapters/postgres/whatsapp/inbox.ts';
import { Pace } from '../../src/adapters/postgres/pace.ts';
import { countWithinHour, RateLimiter } from '../../src/adapters/postgres/rate-limiter.ts';
import * as sends from '../../src/adapters/postgres/whatsapp/sends.ts';
import * as history from '../../src/adapters/postgres/conversations/history.ts';
import * as inputs from '../../src/adapters/postgres/conversations/inputs.ts';
import * as mcpGrants from '../../src/adapters/postgres/accounts/mcp-grants.ts';
import * as signInCounters from '../../src/adapters/postgres/accounts/sign-in-counters.ts';
import * as sessions from '../../src/adapters/postgres/accounts/sessions.ts';
import * as members from '../../src/adapters/postgres/accounts/members.ts';
import * as notes from '../../src/adapters/postgres/conversations/notes.ts';
import * as openRuns from '../../src/adapters/postgres/conversations/open-runs.ts';
import * as organizations from '../../src/adapters/postgres/accounts/organizations.ts';
import * as pauses from '../../src/adapters/postgres/conversations/pauses.ts';
import * as regenerate from '../../src/adapters/postgres/conversations/regenerate-answer.ts';
import * as retention from '../../src/adapters/postgres/data/retention.ts';
import * as runAnswers from '../../src/adapters/postgres/conversations/run-answers.ts';
import * as runTexts from '../../src/adapters/postgres/conversations/run-texts.ts';
import * as runTraces from '../../src/adapters/postgres/conversations/run-traces.ts';
import { Runs } from '../../src/adapters/postgres/conversations/runs.ts';
import * as serving from '../../src/adapters/postgres/conversations/serving.ts';
import * as stalled from '../../src/adapters/postgres/conversations/stalled.ts';
import * as storage from '../../src/adapters/postgres/data/storage.ts';
import * as storedFiles from '../../src/adapters/postgres/conversations/stored-files.ts';
import * as streams from '../../src/adapters/postgres/conversations/stream-events.ts';
import * as tokens from '../../src/adapters/postgres/accounts/tokens.ts';
import * as toolCalls from '../../src/adapters/postgres/conversations/tool-calls.ts';
import * as mcpServers from '../../src/adapters/postgres/mcp-servers/mcp-servers.ts';
import * as mcpSignIns from '../../src/adapters/postgres/mcp-servers/mcp-sign-ins.ts';
import * as httpTools from '../../src/adapters/postgres/http-tools/http-tools.ts';
import * as modelProviders from '../../src/adapters/postgres/models/model-providers.ts';
import * as connections from '../../src/adapters/postgres/workspace/tool-connections.ts';
import * as executions from '../../src/adapters/postgres/workspace/tool-executions.ts';
import * as toolActivity from '../../src/adapters/postgres/data/tool-activity.ts';
import * as toolUsage from '../../src/adapters/postgres/workspace/tool-usage.ts';
import * as loopback from '../../src/adapters/postgres/conversations/loopback-receivers.ts';
import * as resends from '../../src/adapters/postgres/conversations/resend-delivery.ts';
import * as webhookEndpoints from '../../src/adapters/postgres/conversations/webhook-endpoints.ts';
import * as transcript from '../../src/adapters/postgres/conversations/transcript.ts';
import * as requiredRehearsals from '../../src/adapters/postgres/rehearsals/required-rehearsals.ts';
import * as rehearsals from '../../src/adapters/postgres/rehearsals/rehearsals.ts';
import * as rehearsalTurns from '../../src/adapters/postgres/rehearsals/rehearsal-turns.ts';
import * as testTurns from '../../src/adapters/postgres/rehearsals/test-turns.ts';
import * as creditCaps from '../../src/adapters/postgres/data/credit-caps.ts';
import * as usage from '../../src/adapters/postgres/data/usage.ts';
import { unavailable } from '../../src/domain/conversations/unfetched-file.ts';
import { runNumber, seedId } from './seed-tenants.ts';

export interface Budget {
  rows: number;
  /** Reads so much of the table that Postgres may read all of it. */
  scans?: boolean;
  because: string;
}

export interface Call {
  /**
   * The process that makes the call: the API under row-level security in one organization, or across all; or the
   * worker.
   */
  as: 'api' | 'across' | 'accounts' | 'worker';
  name: string;
  run: (db: Database) => Promise<unknown>;
  /** If this call may read more rows than usual. */
  budget?: Budget;
}

const noContent = {
  ...{ instructions: '', model: null, script: null, follow_ups: [] },
  ...{
    transfers_to: [],
    may_hand_over: false,
    tools: [],
    tool_policies: [],
    approvers: [],
    connections: null,
  },
};
const aPrice = { input: 1, output: 2, cached_input: null };
const aTest = { tested_at: new Date(), tested_model: 'm', test_error: null };
const rehearsalId = randomUUID();
const rehearsalOf = (source: 'recent' | 'test_set') => ({
  ...{ id: randomUUID(), version: 1, model: null, source },
  ...{ runsReadOnlyTools: false, checks: { rules: [], accepts: [], judge: null }, maxTurns: 100 },
});
const links = createFileLinks(undefined, '');
const actor = { kind: 'system', name: 'a test' } as const;
const encryption = createEncryption(randomBytes(32).toString('base64'));

const day = (rows: number) => ({ rows, because: 'counts the days that were asked for, of one organization' });
const everyConversation = {
  rows: 20_100,
  scans: true,
  because: 'filters the conversations of one organization',
};
const counted = { rows: 30_100, because: 'counts at most 10,000 messages, files and deliveries each' };
const oneConversation = { rows: 20_000, because: 'reads the inputs of one long conversation' };
const auditBatch = { rows: 1100, because: 'seals or deletes a batch of 1000 entries' };
const oneLog = { rows: 6500, because: 'filters or trims the log of one organization, which is bounded' };
/** The last 7 days (UTC), as YYYY-MM-DD. */
const week = () =>
  Array.from({ length: 7 }, (_, index) =>
    new Date(Date.now() - (6 - index) * 86_400_000).toISOString().slice(0, 10),
  );
const month = { rows: 60_000, because: 'sums up the month of one organization that has a limit' };

/**
 * In this order: later ones find what earlier ones wrote.
 * @param o whose: all identifiers of organization 1 come before those of 2, so that a listing in any order meets
 * foreign rows first
 */
export function calls(o: 1 | 2): Call[] {
  const id = (kind: Parameters<typeof seedId>[0], n = 0) => seedId(kind, o, n);
  const organization = id('organization');
  const noMcpServer = { id: randomUUID(), organization_id: organization };
  /** The long conversation of the organization, and a usual one. */
  const long = id('conversation', 1);
  const conversation = 10;
  const run = (ordinal = 1) => id('run', runNumber(conversation, ordinal));
  const number = (ordinal = 1) => runNumber(conversation, ordinal);
  const question = (ordinal: number, of = conversation) => id('question', runNumber(of, ordinal) * 10 + 1);
  const agent = id('agent', 11);
  const hello = {
    ...{ agentId: agent, requestId: randomUUID(), number: '5511999990009', compared: '551199990009' },
  };
  /** Has read nothing of what was written since they joined. */
  const reader = { organizationId: organization, userId: id('user', 1) };
  const reservation = randomUUID();
  const creditCall = { organizationId: organization, runId: run(), credits: 1, seconds: 60 };
  const fileAttempt = { attachmentId: id('attachment', number(2)), attempt: id('run', 1) };
  const token = id('token', 11);
  const ofAgent = { id: agent, organizationId: organization };
  const api = (name: string, run: Call['run'], budget?: Call['budget']): Call => ({
    as: 'api',
    name,
    run,
    ...(budget && { budget }),
  });
  const worker = (name: string, run: Call['run'], budget?: Call['budget']): Call => ({
    as: 'worker',
    name,
    run,
    ...(budget && { budget }),
  });
  const aPace = (db: Database) => new Pace(db, 'workspace:an id', { max: 3, windowMs: 1000, maxWaitMs: 10 });
  const across = (name: string, run: Call['run']): Call => ({ as: 'across', name, run });
  const ofAccounts = (name: string, run: Call['run']): Call => ({ as: 'accounts', name, run });
  const newRequest = (): tokens.RecordedRequest => ({
    ...{ organization_id: organization, id: randomUUID(), token_id: id('token', 1), at: new Date() },
    ...{
      method: 'GET',
      route: '/v1/agents',
      path: undefined,
      status: 404,
      code: 'not_found',
      field: undefined,
      reason: undefined,
    },
    duration_ms: 1,
  });
  const input = (more: Partial<inputs.NewInput> = {}): inputs.NewInput => ({
    ...{
      caller: { kind: 'system' },
      organizationId: organization,
      targetId: agent,
      text: 'hello',
      sync: false,
    },
    ...more,
  });
  const made: { run: string; message: string; conversation: string } = {
    run: randomUUID(),
    message: randomUUID(),
    conversation: randomUUID(),
  };
  const mcpHash = (kind: string, n: number) => createHash('sha256').update(`${kind}${o}:${n}`).digest();
  const runs = (db: Database) => new Runs(db);
  const attempt = { id: randomUUID(), unit: 'turn/x', worker: randomUUID() };
  const step = (kind: 'tools' | 'answer') => ({
    ...{
      run_id: made.run,
      step: kind === 'tools' ? 0 : 1,
      inputs: 1,
      kind,
      text: 'answer',
    },
    ...{
      model: 'scripted/default',
      input_tokens: 1,
      output_tokens: 1,
      credits: 0,
      message_credits: 0,
      ...{ agent_version: 1, model_id: 'scripted/default', model_ms: 0, history_turns: 0, was_cut: false },
      truncated: false,
    },
    ...(kind === 'tools' && { calls: [{ call_id: 'a', name: 'DOCS_LIST_USERS', input: {} }] }),
  });
  const message = (n: string): Parameters<typeof inbox.acceptGatewayMessage>[2] => ({
    ...{ kind: 'message', form: 'text', messageId: n, text: 'hello', sentAtMs: Date.now() },
    ...{
      contact: {
        phone: '5511999990001',
        lid: null,
        name: 'A',
        replyTo: '5511999990001',
      },
      replyId: null,
      quotedId: null,
      media: null,
    },
  });
  return [
    across('findActiveToken', (db) => tokens.findActiveToken(db, `${o}:11`)),
    api('acceptInput', async (db) => {
      const accepted = await inputs.acceptInput(
        db,
        input({
          caller: { kind: 'token', tokenId: token, mayView: true },
          streamed: true,
          contact: { id: 'contact new' },
          webhookUrl: 'https://example.com/x',
          idempotency: { tokenId: token, path: '/v1/chat', key: randomUUID(), requestHash: 'aa' },
        }),
      );
      if (!('run_id' in accepted)) throw new Error(accepted.outcome);
      Object.assign(made, {
        run: accepted.run_id,
        message: accepted.message_id,
        conversation: accepted.conversation_id,
      });
    }),
    api('acceptInput', (db) => inputs.acceptInput(db, input())),
    api('acceptInput', (db) => inputs.acceptInput(db, input({ streamed: true }))),
    api('acceptInput', (db) =>
      inputs.acceptInput(
        db,
        input({ caller: { kind: 'token', tokenId: token, mayView: true }, conversationId: long }),
      ),
    ),
    api('acceptInput', (db) =>
      inputs.acceptInput(
        db,
        input({ attachments: [{ content_base64: 'aGk=' }, { url: 'https://example.com' }] }),
      ),
    ),
    api('isKeyKnown', (db) =>
      inputs.isKeyKnown(db, { tokenId: token, path: '/v1/chat', key: 'x', requestHash: '' }),
    ),
    api('acceptInput', (db) =>
      inputs.acceptInput(db, input({ conversationId: long, afterMessage: randomUUID() })),
    ),
    api('findStepTexts', (db) => runTexts.findStepTexts(db, made.run)),
    api('rememberCallAnswer', (db) => inputs.rememberCallAnswer(db, made.message, 202, {})),
    api('findRunOfInput', (db) => streams.findRunOfInput(db, organization, made.message)),
    worker('Runs.claim', (db) =>
      runs(db).claim(made.conversation, { default: { input: 1, output: 1 } }, { id: 'a', repeated: true }),
    ),
    worker('Runs.claim', (db) =>
      runs(db).claim(made.conversation, {}, { id: 'a', repeated: true }, false, attempt),
    ),
    worker('Runs.view', (db) => runs(db).view(made.run, attempt)),
    worker('beginAttempt', (db) => attempts.beginAttempt(db, { ...attempt, id: randomUUID() })),
    worker('countLostWorkers', (db) => attempts.countLostWorkers(db, attempt.unit)),
    worker('deleteAttempts', (db) => attempts.deleteAttempts(db, [attempt.id])),
    worker('deleteAttemptsOf', (db) => attempts.deleteAttemptsOf(db, attempt.unit)),
    worker('recordWorker', (db) => attempts.recordWorker(db, attempt.worker)),
    worker('recordLeaving', (db) => attempts.recordLeaving(db, attempt.worker)),
    worker('Runs.view', (db) => runs(db).view(made.run)),
    worker('Runs.view', (db) => runs(db).view(id('run', runNumber(1, 1500)))),
    worker('loadHistory', (db) =>
      transcript.loadHistory(db, { conversation_id: long, ordinal: 1999, channel: 'whatsapp', tries: null }),
    ),
    worker('loadHistory', (db) =>
      transcript.loadHistory(db, {
        ...{ conversation_id: made.conversation, ordinal: 1, channel: 'api' },
        tries: { run_id: id('run', runNumber(1, 1500)) },
      }),
    ),
    worker('loadHistoryBefore', (db) =>
      transcript.loadHistoryBefore(db, {
        ...{
          run_id: id('run', runNumber(1, 1500)),
          conversation_id: long,
          ordinal: 1500,
          channel: 'whatsapp',
        },
      }),
    ),
    worker('loadAttachments', (db) => transcript.loadAttachments(db, long, 2, () => Promise.resolve())),
    worker('loadToolSteps', (db) => transcript.loadToolSteps(db, run(), agent)),
    worker('loadDestinations', (db) => transcript.loadDestinations(db, organization, [agent])),
    worker('loadUncarriedCredits', (db) => transcript.loadUncarriedCredits(db, made.run)),
    worker('countScriptFailure', (db) => transcript.countScriptFailure(db, made.conversation, 'a', 3)),
    worker('findRunTrace', (db) => runTraces.findRunTrace(db, 'run', run())),
    worker('findRunTrace', (db) => runTraces.findRunTrace(db, 'delivery', id('delivery', number()))),
    worker('findRunTrace', (db) => runTraces.findRunTrace(db, 'attachment', id('attachment', number(2)))),
    worker('beginStreamedStep', (db) => streams.beginStreamedStep(db, made.run, 0, randomUUID())),
    worker('appendStreamEvents', (db) =>
      streams.appendStreamEvents(db, [{ run_id: made.run, step: 0, event: 'delta', data: '{}' }]),
    ),
    worker('Runs.countModelFailure', (db) => runs(db).countModelFailure(made.run, 0, { error: 'x' })),
    worker('Runs.describeFailure', (db) => runs(db).describeFailure(made.run, 0, 'x')),
    worker('Runs.fallBack', (db) =>
      runs(db).fallBack(made.run, 0, { agentId: agent, model: 'a/b', error: 'x' }),
    ),
    worker('Runs.record', (db) => runs(db).record(step('tools'))),
    worker('Runs.outcome', (db) => runs(db).outcome(made.run, 0)),
    api('findApproval', (db) => approvals.findApproval(db, organization, made.run)),
    ...[
      ...[{}, { status: 'waiting' }, { status: 'decided' }, { agent_id: made.run }],
      { conversation_id: long, status: 'waiting' },
    ].map((query) =>
      api('listApprovals', (db) =>
        approvals.listApprovals(db, organization, { limit: 50, ...query } as { limit: number }),
      ),
    ),
    api('findArgumentSchemas', (db) =>
      argumentSchemas.findArgumentSchemas(db, organization, ['refund', 'mcp_shop_refund']),
    ),
    api('withArgumentSchemas', (db) =>
      argumentSchemas.withArgumentSchemas(db, organization, [{ tool: 'refund', arguments: {} }]),
    ),
    api('decideApproval', (db) =>
      approvals.decideApproval(db, {
        ...{ id: made.run, organizationId: organization, approve: true, note: undefined, result: 'x' },
        by: { kind: 'token', tokenId: token },
      }),
    ),
    api('waitsForApproval', (db) => approvals.waitsForApproval(db, long)),
    worker('settleApproval', (db) => approvals.settleApproval(db, made.run, 0, 0)),
    worker('claimToolCall', (db) => toolCalls.claimToolCall(db, made.run, 0, 0)),
    worker('finishToolCall', (db) =>
      toolCalls.finishToolCall(db, made.run, 0, 0, 'succeeded', 'x', {
        input_tokens: 1,
        output_tokens: 1,
        credits: 1,
      }),
    ),
    worker('finishToolCall', (db) => toolCalls.finishToolCall(db, made.run, 0, 0, 'succeeded', 'x')),
    worker('Runs.record', (db) => runs(db).record(step('answer'), attempt)),
    api('findAnswer', (db) => runAnswers.findAnswer(db, made.conversation, made.run)),
    api('findAnswer', (db) => runAnswers.findAnswer(db, long, id('run', runNumber(1, 1999)))),
    worker('findDelivery', (db) => deliveries.findDelivery(db, id('delivery', number()))),
    worker('recordUnresolved', (db) => deliveries.recordUnresolved(db, id('delivery', number()), 'not now')),
    worker('claimDelivery', (db) => deliveries.claimDelivery(db, id('delivery', number()), '{}', true)),
    worker('finishDelivery', (db) =>
      deliveries.finishDelivery(db, id('delivery', number()), 'attempting', { status: 'delivered' }),
    ),
    worker('Runs.claimFollowUp', (db) =>
      runs(db).claimFollowUp(made.conversation, made.run, 1, { default: { input: 1, output: 1 } }),
    ),
    worker('Runs.fail', (db) => runs(db).fail(made.run, 'x')),
    worker('Runs.failRunning', (db) => runs(db).failRunning(made.conversation, 'x')),
    worker('Runs.failRunning', (db) => runs(db).failRunning(long, 'x')),
    api('cancelRuns', (db) => cancel.cancelRuns(db, long), oneConversation),
    api('regenerateAnswer', (db) =>
      regenerate.regenerateAnswer(db, made.conversation, {
        sync: false,
        streamed: true,
        callerTokenId: token,
      }),
    ),
    api('withdrawInput', (db) => inputs.withdrawInput(db, made.message)),
    worker('findUnfetched', (db) => attachments.findUnfetched(db, id('attachment', number(2)))),
    worker('findFilesForLater', (db) => attachments.findFilesForLater(db, 100)),
    worker('recordUnfetched', (db) =>
      attachments.recordUnfetched(db, id('attachment', number(2)), unavailable('x')),
    ),
    worker('writeFilePiece', (db) => attachments.writeFilePiece(db, fileAttempt, 1, Buffer.from('x'))),
    worker('keepFilePieces', (db) =>
      attachments.keepFilePieces(db, fileAttempt, { size: 1, contentType: 'text/plain', maxRunBytes: 100 }),
    ),
    worker('dropFilePieces', (db) => attachments.dropFilePieces(db, fileAttempt)),
    across('findFile', (db) => attachments.findFile(db, id('attachment', number(2)))),

    api('findAgent', (db) => agents.findAgent(db, organization, agent)),
    api('findAgentByName', (db) => agents.findAgentByName(db, organization, 'agent 3')),
    api('lockAgentByName', (db) =>
      inTransaction(db, (tx) => agents.lockAgentByName(tx, organization, 'agent 3')),
    ),
    api('missingAgents', (db) => agents.missingAgents(db, organization, [agent])),
    api('listAgents', (db) => agents.listAgents(db, organization, { limit: 100 })),
    api('listModels', (db) => agents.listModels(db, organization, undefined)),
    api('listModels', (db) => agents.listModels(db, organization, [agent])),
    api('listAgents', (db) => agents.listAgents(db, organization, { limit: 100, ids: [agent] })),
    api('findAgentOfTarget', (db) => agents.findAgentOfTarget(db, organization, id('inbox', 3))),
    api('findAgentsOfConversation', (db) =>
      agents.findAgentsOfConversation(db, organization, id('conversation', conversation)),
    ),
    api('findInbox', (db) => agents.findInbox(db, organization, id('inbox', 3))),
    api('listDeletedAgents', (db) => agents.listDeletedAgents(db, organization, { limit: 100 })),
    api('listDeletedAgents', (db) =>
      agents.listDeletedAgents(db, organization, { limit: 100, ids: [agent] }),
    ),
    api('restoreAgent', (db) => agents.restoreAgent(db, organization, agent)),
    api('bindInbox', (db) => agents.bindInbox(db, organization, id('inbox', 3), agent)),
    api('createAgent', (db) => agents.createAgent(db, organization, { name: 'a new agent' })),
    api('updateAgent', (db) => agents.updateAgent(db, organization, agent, { description: 'x' })),
    api('listAgentVersions', (db) => versions.listAgentVersions(db, ofAgent, { limit: 100 })),
    api('findAgentVersion', (db) => versions.findAgentVersion(db, ofAgent, 1)),
    api('findAgentVersion', (db) => versions.findAgentVersion(db, ofAgent, 1, 1)),
    api('updateAgent', (db) =>
      agents.updateAgent(db, organization, agent, { instructions: 'a new version' }),
    ),
    api('saveDraft', (db) =>
      inTransaction(db, (tx) =>
        versions.saveDraft(tx, actor, ofAgent, { base: 2, content: { ...noContent, instructions: 'x' } }),
      ),
    ),
    api('takeDraft', (db) =>
      inTransaction(db, async (tx) => {
        const draft = await versions.findDraft(tx, ofAgent);
        return draft && (await versions.takeDraft(tx, ofAgent, draft, 2));
      }),
    ),
    api('discardDraft', (db) => versions.discardDraft(db, ofAgent)),
    api('findDraft', (db) => versions.findDraft(db, ofAgent)),
    api('listDrafts', (db) => versions.listDrafts(db, organization)),
    api('addCandidateVersion', (db) =>
      inTransaction(db, (tx) =>
        versions.addCandidateVersion(tx, ofAgent, noContent, { percent: 10, published: 2 }),
      ),
    ),
    api('setCandidateShare', (db) =>
      inTransaction(db, (tx) => versions.setCandidateShare(tx, ofAgent, 1, 10)),
    ),
    api('publishCandidate', (db) => inTransaction(db, (tx) => versions.publishCandidate(tx, ofAgent, 1))),
    api('describeVersion', (db) =>
      inTransaction(db, (tx) =>
        versions.describeVersion(tx, actor, { id: agent, version: 2 }, { note: 'x' }),
      ),
    ),
    api('addTestTurns', (db) =>
      inTransaction(db, (tx) => testTurns.addTestTurns(tx, actor, ofAgent, { conversationId: long }, 10)),
    ),
    api('addTestTurns', (db) =>
      inTransaction(db, (tx) =>
        testTurns.addTestTurns(tx, actor, ofAgent, { runId: id('run', runNumber(1, 1500)) }, 10),
      ),
    ),
    api('countTestTurns', (db) => testTurns.countTestTurns(db, ofAgent)),
    api('listTestTurns', (db) => testTurns.listTestTurns(db, ofAgent, { limit: 100 })),
    api('removeTestTurn', (db) =>
      inTransaction(db, (tx) => testTurns.removeTestTurn(tx, ofAgent, randomUUID())),
    ),
    api('startRehearsal', (db) =>
      inTransaction(db, (tx) => rehearsals.startRehearsal(tx, actor, ofAgent, rehearsalOf('recent'))),
    ),
    api('startRehearsal', (db) =>
      inTransaction(db, (tx) => rehearsals.startRehearsal(tx, actor, ofAgent, rehearsalOf('test_set'))),
    ),
    api('listRehearsals', (db) => rehearsals.listRehearsals(db, ofAgent, { limit: 100 })),
    api('findRehearsal', (db) => rehearsals.findRehearsal(db, ofAgent, rehearsalId)),
    api('listRehearsalTurns', (db) =>
      rehearsals.listRehearsalTurns(db, ofAgent, rehearsalId, { limit: 100, outcome: 'same', passed: true }),
    ),
    worker('beginRehearsing', (db) => rehearsalTurns.beginRehearsing(db, rehearsalId)),
    worker('turnsToRehearse', (db) => rehearsalTurns.turnsToRehearse(db, rehearsalId, 50)),
    worker('findRecordedTurn', (db) => rehearsalTurns.findRecordedTurn(db, rehearsalId, 0)),
    worker('recordAskedTurn', (db) =>
      rehearsalTurns.recordAskedTurn(db, rehearsalId, 0, {
        ...{ outcome: 'same', diverged: false, passed: true, credits: 1, modelCalls: [], modelMs: 1 },
        rehearsed: { text: 'x', calls: [], transfer_to: null },
      }),
    ),
    worker('pauseRehearsing', (db) => rehearsalTurns.pauseRehearsing(db, rehearsalId, null)),
    worker('findDueRehearsals', (db) => rehearsalTurns.findDueRehearsals(db, 100)),
    api('cancelRehearsal', (db) => rehearsals.cancelRehearsal(db, ofAgent, rehearsalId)),
    api('resumeRehearsal', (db) =>
      inTransaction(db, (tx) => rehearsals.resumeRehearsal(tx, ofAgent, rehearsalId)),
    ),
    api('deleteAgent', (db) => agents.deleteAgent(db, organization, id('agent', 12))),
    api('underRehearsalRule', (db) =>
      inTransaction(db, async (tx) => {
        await agents.updateAgent(tx, organization, agent, { requires_rehearsal: true });
        const made = () => Promise.resolve({ version: 0 });
        await assert.rejects(requiredRehearsals.underRehearsalRule(tx, ofAgent, made), {
          code: 'invalid_state',
        });
      }),
    ),
    api('nameRehearsals', (db) =>
      inTransaction(db, (tx) => requiredRehearsals.nameRehearsals(tx, ofAgent, 0)),
    ),
    worker('applyAgents', (db) =>
      inTransaction(db, (tx) =>
        agentsFile.applyAgents(tx, organization, { agents: [{ name: 'agent 3', instructions: 'x' }] }, actor),
      ),
    ),
    api('exportAgents', (db) => agentsFile.exportAgents(db, organization)),
    api('findConversation', (db) => history.findConversation(db, organization, long)),
    api('listConversations', (db) => history.listConversations(db, organization, { limit: 100 })),
    api('listConversations', (db) =>
      history.listConversations(db, organization, { limit: 100, agent_id: agent }),
    ),
    api('listConversations', (db) =>
      history.listConversations(db, organization, { limit: 100, contact_id: 'contact 7' }),
    ),
    api('listMessages', (db) => history.listMessages(db, long, { limit: 100, order: 'asc' }, links)),
    api('listMessages', (db) => history.listMessages(db, long, { limit: 100, order: 'desc' }, links)),
    api('findMessage', (db) => history.findMessage(db, long, question(1500, 1), links)),
    api('listDeliveries', (db) => deliveries.listDeliveries(db, organization, { limit: 100 })),
    api('listDeliveries', (db) =>
      deliveries.listDeliveries(db, organization, { limit: 100, status: 'pending' }),
    ),
    api('listDeliveries', (db) =>
      deliveries.listDeliveries(db, organization, { limit: 100, conversation_id: long }),
    ),
    api('listDeliveries', (db) =>
      deliveries.listDeliveries(db, organization, { limit: 100, agent_id: agent }),
    ),
    api('listDeliveries', (db) =>
      deliveries.listDeliveries(db, organization, { limit: 100, agent_id: agent, status: 'failed' }),
    ),
    ...(
      [
        [{}],
        [{ only: 'unread' }, everyConversation],
        [{ only: 'waiting' }],
        [{ only: 'approval' }],
        [{ only: 'test' }],
        [{ status: 'open' }],
        [{ status: 'done' }],
        [{ status: 'open', assignee: 'me' }],
        [{ status: 'open', sort: 'oldest' }],
        [{ assignee: 'me' }],
        [{ assignee: 'nobody' }, everyConversation],
        [{ sort: 'oldest' }],
        [{ sort: 'oldest', only: 'waiting' }],
        [{ assignee: 'me', only: 'waiting' }],
        [{ only: 'failed' }, everyConversation],
        [{ agent_id: agent }, everyConversation],
        [{ contact_id: 'contact 77' }],
        [{ channel: 'whatsapp' }],
        // Tools with many calls, with few, and with none.
        [{ tool: 'DOCS_LIST_USERS' }],
        [{ tool: 'rare_tool' }],
        [{ tool: 'DOCS_NO_TOOL' }],
        [{ active_from: '2026-01-01T00:00:00.000Z', active_to: '2999-01-01T00:00:00.000Z' }],
        // Words of five messages, of more than a search reads, and of none.
        [{ search: `text ${number()}` }, everyConversation],
        [{ search: 'text' }, everyConversation],
        [{ search: 'Contact 77' }, everyConversation],
        [{ search: id('conversation', 9) }, everyConversation],
      ] satisfies [Partial<ConversationsFilter>, Budget?][]
    ).map(([filter, budget]) =>
      api(
        'listConversationRows',
        (db) => conversationRows.listConversationRows(db, reader, { limit: 50, ...filter }),
        budget,
      ),
    ),
    api('findContactNames', (db) => conversationRows.findContactNames(db, organization, [long])),
    api('findConversationRow', (db) => conversationRows.findConversationRow(db, reader, long)),
    api('getsWaitingMails', (db) => waitingMails.getsWaitingMails(db, organization, reader.userId)),
    api('setWaitingMails', (db) => waitingMails.setWaitingMails(db, organization, reader.userId, true)),
    api('takeWaitingMails', (db) => waitingMails.takeWaitingMails(db, organization)),
    across('findOrganizationsToMail', (db) => waitingMails.findOrganizationsToMail(db, 5)),
    api('findWaiting', (db) => waiting.findWaiting(db, reader)),
    api('recordConversationSeen', (db) => inboxState.recordConversationSeen(db, reader, long, 5)),
    api('recordPresence', (db) => inboxState.recordPresence(db, reader, long)),
    api('recordInboxRead', (db) => inboxState.recordInboxRead(db, reader)),
    api('markDone', (db) => inboxState.markDone(db, long, 'A member')),
    api('reopen', (db) => inboxState.reopen(db, long)),
    worker('closeQuiet', (db) => inboxState.closeQuiet(db, 100)),
    api('lockMembership', (db) => assignees.lockMembership(db, organization, reader.userId)),
    api('writeNote', (db) =>
      inTransaction(db, (tx) => notes.writeNote(tx, { ...reader, name: 'A member' }, long, 'a note')),
    ),
    api('listNotes', (db) => notes.listNotes(db, long)),
    api('notesState', (db) => notes.notesState(db, long)),
    api('findNote', (db) => notes.findNote(db, organization, long, id('note', 1))),
    api('deleteNote', (db) => notes.deleteNote(db, organization, long, id('note', 1))),
    ...[null, reader.userId].map((member) =>
      api('assignConversation', (db) =>
        assignees.assignConversation(db, organization, id('conversation', 6), member),
      ),
    ),
    api('listDeliveryViews', (db) => deliveryViews.listDeliveryViews(db, organization, { limit: 50 })),
    api('listDeliveryViews', (db) =>
      deliveryViews.listDeliveryViews(db, organization, { limit: 50, status: 'pending' }),
    ),
    api('listDeliveryViews', (db) =>
      deliveryViews.listDeliveryViews(db, organization, { limit: 50, agent_id: agent }),
    ),
    ...[
      { host: 'example.com' },
      { host: 'example.com', status: 'failed' as const },
      { status: 'failed_or_blocked' as const },
      { host: 'example.com', status: 'failed_or_blocked' as const },
      { agent_id: agent, status: 'failed_or_blocked' as const },
      { message_id: id('answer', number()) },
      { from: '2020-01-01T00:00:00.000Z', to: '2040-01-01T00:00:00.000Z' },
    ].map((filter) =>
      api('listDeliveryViews', (db) =>
        deliveryViews.listDeliveryViews(db, organization, { limit: 50, ...filter }),
      ),
    ),
    api('countFailedOrBlocked', (db) => deliveryViews.countFailedOrBlocked(db, organization)),
    api('findDeliveryView', (db) =>
      deliveryViews.findDeliveryView(db, organization, id('delivery', number())),
    ),
    api('findDeliveryHosts', (db) => health.findDeliveryHosts(db, organization), {
      ...{ rows: 5000, because: 'counts the newest 1000 callbacks of one organization' },
    }),
    api('findReceiverDays', (db) => receivers.findReceiverDays(db, organization, week()), {
      ...{ rows: 15_000, because: 'counts of each day the newest 500 callbacks of one organization' },
    }),
    api('deliveriesBy', (db) => deliveryViews.deliveriesBy(db, 'run_id', [run(), run(2), run(3)])),
    api('deliveriesBy', (db) =>
      deliveryViews.deliveriesBy(db, 'message_id', [id('quiet', runNumber(11, 6))]),
    ),
    api('timelineEntries', (db) => timeline.timelineEntries(db, long, links, {})),
    api('findRunDetail', (db) =>
      runDetails.findRunDetail(db, organization, run(), { does: () => undefined }),
    ),
    api('findRunHistory', (db) => runDetails.findRunHistory(db, organization, run())),
    api('findTriedRun', (db) => runDetails.findTriedRun(db, organization, run())),
    api('findOverview', (db) => overview.findOverview(db, organization, 14), day(40_000)),
    api('findModelOutcomes', (db) =>
      health.findModelOutcomes(db, organization, new Date(Date.now() - 30 * 86_400_000), 'custom/m'),
    ),
    api('findHealthFacts', (db) => health.findHealthFacts(db, organization, 'custom/m'), {
      ...{ rows: 5000, because: 'judges the newest 1000 callbacks and 200 runs of one organization' },
    }),
    api('listAudit', (db) => auditLog.listAudit(db, organization, { limit: 50 })),
    api('listAudit', (db) => auditLog.listAudit(db, organization, { limit: 50, action: 'token_revoked' })),
    api('listAudit', (db) => auditLog.listAudit(db, organization, { limit: 50, search: 'nothing has it' }), {
      rows: 21_000,
      because: 'searches 10,000 entries, after it has found where they end',
    }),
    api('listAudit', (db) =>
      auditLog.listAudit(db, organization, {
        ...{ limit: 50, action: 'token_created' },
        ...{ from: '2026-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' },
      }),
    ),
    api('listAudit', (db) => auditLog.listAudit(db, organization, { limit: 50, actor: randomUUID() })),
    api('listAudit', (db) => auditLog.listAudit(db, organization, { limit: 50, actor: 'system' })),
    api('listAudit', (db) =>
      auditLog.listAudit(db, organization, { limit: 50, actor: randomUUID(), action: 'token_created' }),
    ),
    api('auditEntries', async (db) => {
      for await (const _ of auditLog.auditEntries(db, (ask) => ask(), organization, {})) break;
    }),
    ofAccounts('organizationsOfEmail', (db) => members.organizationsOfEmail(db, 'somebody@example.com')),
    api('recordExport', (db) => exports_.recordExport(db, actor, { organizationId: organization })),
    worker('countWithinHour', (db) => countWithinHour(db, 'an event', randomUUID())),
    across('RateLimiter.giveBack', (db) =>
      new RateLimiter(db, 'a limiter', { maxCalls: 1, windowSeconds: 1 }).giveBack(randomUUID()),
    ),
    worker('findUnsealed', (db) => auditChain.findUnsealed(db, 100)),
    worker('sealAudit', (db) => auditChain.sealAudit(db, organization), auditBatch),
    worker('findExpiredAudit', (db) => auditChain.findExpiredAudit(db, 100)),
    api('findAuditRetention', (db) => auditChain.findAuditRetention(db, organization)),
    worker('changeAuditRetention', (db) => auditChain.changeAuditRetention(db, organization, 60, actor)),
    worker('deleteExpiredAudit', (db) => auditChain.deleteExpiredAudit(db, organization), auditBatch),
    api('listInvitations', (db) => invitations.listInvitations(db, organization)),
    ofAccounts('revokeExpiredInvitations', (db) =>
      inTransaction(db, (tx) =>
        invitations.revokeExpiredInvitations(tx, organization, 'somebody@example.com'),
      ),
    ),
    ofAccounts('revokeInvitationsOf', (db) =>
      invitations.revokeInvitationsOf(db, organization, id('user', 1)),
    ),
    ofAccounts('dropPasswordResetsOfMembers', (db) =>
      inTransaction(db, (tx) => accounts.dropPasswordResetsOfMembers(tx, organization)),
    ),
    ofAccounts('findUserOfIdentity', (db) =>
      identities.findUserOfIdentity(db, 'https://issuer.example', 'x'),
    ),
    ofAccounts('findSubject', (db) => identities.findSubject(db, randomUUID(), 'https://issuer.example')),
    ofAccounts('findEmailWithPassword', (db) => identities.findEmailWithPassword(db, randomUUID())),
    ofAccounts('listIssuers', (db) => identities.listIssuers(db, randomUUID())),
    ofAccounts('listSessions', (db) =>
      sessions.listSessions(db, id('user', 1), randomUUID(), new Date(0), 101),
    ),
    ofAccounts('findSecondFactor', (db) => accounts.findSecondFactor(db, randomUUID())),
    ofAccounts('dropChallenges', (db) =>
      inTransaction(db, (tx) => accounts.dropChallenges(tx, randomUUID())),
    ),
    ofAccounts('findOpenInvitation', (db) => invitations.findOpenInvitation(db, 'x')),
    ofAccounts('findPasswordReset', (db) => accounts.findPasswordReset(db, randomUUID(), 'x')),
    ofAccounts('isKnownAddress', (db) => signInCounters.isKnownAddress(db, randomBytes(32))),
    ofAccounts('takeBackSignIns', (db) => signInCounters.takeBackSignIns(db, [randomBytes(32)])),
    ofAccounts('countSignIn', (db) =>
      signInCounters.countSignIn(db, randomBytes(32), {
        ...{ free: 1, firstSeconds: 1, maxSeconds: 1, keepSeconds: 1 },
      }),
    ),
    ofAccounts('forgiveSignIn', (db) => signInCounters.forgiveSignIn(db, { pair: randomBytes(32) }, 1)),
    ofAccounts('membershipsOf', (db) => members.membershipsOf(db, randomUUID())),
    api('listMembers', (db) => members.listMembers(db, organization, randomUUID())),
    api('listMembersWith', (db) => members.listMembersWith(db, organization, 'conversations.view')),
    api('listRoles', (db) => members.listRoles(db, organization)),

    across('registerMcpClient', (db) => mcpGrants.registerMcpClient(db, { name: 'x', redirectUris: ['x'] })),
    across('findMcpClient', (db) => mcpGrants.findMcpClient(db, id('mcp_client', 1))),
    api('openMcpGrant', (db) =>
      mcpGrants.openMcpGrant(db, {
        ...{ organizationId: organization, userId: id('user', 1), clientId: id('mcp_client', 1) },
        ...{ resource: 'x', redirectUri: 'x', codeChallenge: 'x', codeHash: randomBytes(32) },
      }),
    ),
    across('findMcpCode', (db) => mcpGrants.findMcpCode(db, id('mcp_client', 1), mcpHash('code', 1))),
    across('useMcpCode', (db) =>
      mcpGrants.useMcpCode(
        db,
        { clientId: id('mcp_client', 1), codeHash: mcpHash('code', 1), redirectUri: undefined },
        { access: randomBytes(32), refresh: randomBytes(32) },
      ),
    ),
    across('refreshMcpGrant', (db) =>
      mcpGrants.refreshMcpGrant(
        db,
        { clientId: id('mcp_client', 1), refreshHash: mcpHash('refresh', 2) },
        { access: randomBytes(32), refresh: randomBytes(32) },
      ),
    ),
    across('findMcpAccess', (db) => mcpGrants.findMcpAccess(db, mcpHash('access', 3))),
    across('revokeMcpToken', (db) => mcpGrants.revokeMcpToken(db, id('mcp_client', 1), mcpHash('access', 4))),
    across('endMcpGrant', (db) => mcpGrants.endMcpGrant(db, id('mcp_grant', 5))),
    api('listMcpGrants', (db) => mcpGrants.listMcpGrants(db, organization)),
    ofAccounts('endConsentsOf', (db) => inTransaction(db, (tx) => mcpGrants.endConsentsOf(tx, randomUUID()))),
    api('deleteMcpGrant', (db) => mcpGrants.deleteMcpGrant(db, id('mcp_grant', 6), organization)),

    api('listTokens', (db) => tokens.listTokens(db, organization)),
    api('findToken', (db) => tokens.findToken(db, token)),
    api('addTokenCalls', (db) => tokens.addTokenCalls(db, [{ id: token, calls: 1, lastUsed: new Date() }])),
    api('listRequests', (db) => apiRequests.listRequests(db, organization, { limit: 50 }), oneLog),
    ...(
      [
        { limit: 50, status: '5xx', route: '/v1/chat' },
        { limit: 50, token_id: randomUUID() },
        { limit: 50, from: '2026-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' },
      ] as const
    ).map((query) => api('listRequests', (db) => apiRequests.listRequests(db, organization, query), oneLog)),
    api('recordRequests', (db) => tokens.recordRequests(db, [newRequest()], [], 1000)),
    api('recordRequests', (db) => tokens.recordRequests(db, [newRequest()], [organization], 1000), oneLog),
    api('createToken', (db) => tokens.createToken(db, { organizationId: organization, name: 'x' })),
    api('rotateToken', (db) => tokens.rotateToken(db, id('token', 12), organization, { overlapSeconds: 60 })),
    api('revokeTokensOf', (db) => tokens.revokeTokensOf(db, organization, randomUUID())),
    api('revokeToken', (db) => tokens.revokeToken(db, id('token', 12), organization)),
    api('deleteToken', (db) => tokens.deleteToken(db, id('token', 12), organization)),
    api('setTokenLimit', (db) =>
      usage.setTokenLimit(
        db,
        organization,
        token,
        { monthly_credit_limit: 100, monthly_message_limit: null },
        actor,
      ),
    ),
    worker('reserveCredits', (db) => creditCaps.reserveCredits(db, { ...creditCall, id: reservation })),
    worker('settleCredits', (db) => creditCaps.settleCredits(db, reservation, 0.5)),
    worker('reserveCredits', (db) =>
      creditCaps.reserveCredits(db, { ...creditCall, id: randomUUID(), seconds: -60 }),
    ),
    api('findUsedCaps', (db) => creditCaps.findUsedCaps(db, organization)),
    worker('expireCredits', (db) => creditCaps.expireCredits(db, organization)),
    api('MonthlyLimits.find', (db) => new usage.MonthlyLimits(db).find(organization, token), month),
    api('findStorage', (db) => storage.findStorage(db, organization)),
    worker('setDefaultStorageLimit', (db) => storage.setDefaultStorageLimit(db, 10_240)),
    api('findAllowances', (db) => usage.findAllowances(db, organization, token), month),
    api('findUsedDays', (db) => usage.findUsedDays(db, organization, 30), day(60_000)),
    api('findUsageByModel', (db) => usage.findUsageByModel(db, organization), month),
    api(
      'findUsageByModel',
      (db) => usage.findUsageByModel(db, organization, { from: week()[0], to: week()[6] }),
      month,
    ),
    api('findUsageByAgent', (db) => usage.findUsageByAgent(db, organization), month),
    api('findCallsOfRehearsals', (db) => usage.findCallsOfRehearsals(db, organization), month),
    api('findUsageOfRehearsals', (db) => usage.findUsageOfRehearsals(db, organization), month),
    api('findCostByDay', (db) => usage.findCostByDay(db, organization), month),
    api('findUsageWithoutModel', (db) => usage.findUsageWithoutModel(db, organization), month),
    api('findUsageByToken', (db) => usage.findUsageByToken(db, organization), month),
    api('findOrganization', (db) => organizations.findOrganization(db, organization)),
    worker('listOrganizations', (db) => organizations.listOrganizations(db)),
    worker('countOrganizations', (db) => organizations.countOrganizations(db)),
    worker('createOrganization', (db) => organizations.createOrganization(db, 'new')),
    api('lockSettings', (db) => organizations.lockSettings(db, organization)),
    api('changeOrganization', (db) =>
      organizations.changeOrganization(db, organization, { monthly_credit_limit: null }, actor),
    ),

    api('findChannel', (db) => channels.findChannel(db, agent)),
    api('ensureChannel', (db) =>
      channels.ensureChannel(db, encryption, { id: agent, organizationId: organization }),
    ),
    api('findSharing', async (db) => {
      const channel = await channels.findChannel(db, agent);
      if (channel !== undefined)
        await channels.findSharing(db, { ...channel, instance_key: 'x', connected_number: '5511' });
    }),
    api('moveNumber', async (db) => {
      const from = [{ agent_id: id('agent', 13), agent_name: 'another' }];
      const row = { agent_id: agent, organization_id: organization };
      await inTransaction(db, (tx) =>
        channels.moveNumber(tx, row, from, { ...actor, organizationId: organization }),
      );
    }),
    api('claimCheck', (db) => channelWatch.claimCheck(db, agent, 5000)),
    api('recordWebhookSeen', (db) =>
      channelWatch.recordWebhookSeen(db, { agent_id: agent, updated_at: new Date() }, null),
    ),
    api('claimHello', (db) => hellos.claimHello(db, hello, { ...actor, organizationId: organization })),
    api('findHello', (db) => hellos.findHello(db, agent, hello.requestId)),
    api('claimHelloAsk', (db) => hellos.claimHelloAsk(db, randomUUID())),
    api('settleHello', (db) => hellos.settleHello(db, randomUUID(), { status: 'sent', problem: null })),
    api('findLimited', (db) => channels.findLimited(db, agent)),
    api('changeChannelSettings', (db) => channels.changeChannelSettings(db, agent, { pause_minutes: 5 })),
    worker('claimCheck', (db) => channels.claimCheck(db, randomUUID())),
    api('findCheckOutcome', (db) => channels.findCheckOutcome(db, randomUUID())),
    api('withdrawCheck', (db) => channels.withdrawCheck(db, randomUUID())),
    worker('findDueChannels', (db) => channelWatch.findDueChannels(db, 100)),
    worker('recordRefusedCredentials', (db) =>
      channelWatch.recordRefusedCredentials(db, { agent_id: agent, instance_token: 'sealed' }),
    ),
    worker('recordChannelError', (db) => channelWatch.recordChannelError(db, agent, 'timelocked', 'x')),
    worker('writeDownAlerts', (db) => channelAlerts.writeDownAlerts(db)),
    worker('recordTimelock', (db) => channelAlerts.recordTimelock(db, agent, { untilMs: null, reason: 'x' })),
    worker('findPendingAlerts', (db) => channelAlerts.findPendingAlerts(db, 100)),
    api('acceptGatewayMessage', (db) =>
      inbox.acceptGatewayMessage(db, { agent_id: agent, organization_id: organization }, message('new-1')),
    ),
    api('acceptGatewayMessage', (db) =>
      inbox.acceptGatewayMessage(db, { agent_id: agent, organization_id: organization }, message('new-2')),
    ),
    api('logIgnoredEvent', (db) => inbox.logIgnoredEvent(db, agent, { reason: 'group', messageId: null })),
    api('listGatewayEvents', (db) => inbox.listGatewayEvents(db, agent, { limit: 50 })),
    worker('takeApprovalMessages', (db) => approvalMessages.takeApprovalMessages(db, made.run, 10)),
    worker('hasOpenApprovalMessages', (db) => approvalMessages.hasOpenApprovalMessages(db, made.run, 10)),
    worker('findChannelOfApproval', (db) => approvalMessages.findChannelOfApproval(db, made.run)),
    worker('claimApprovalMessage', (db) =>
      approvalMessages.claimApprovalMessage(
        db,
        { approval_id: made.run, position: 1 },
        { agentId: agent, showsAll: true },
      ),
    ),
    worker('settleApprovalMessage', (db) =>
      approvalMessages.settleApprovalMessage(db, { approval_id: made.run, position: 1 }, { status: 'sent' }),
    ),
    api('wasNumberAsked', (db) => approvalMessages.wasNumberAsked(db, agent, '5511')),
    ...[{ code: '4F7K2Q' }, { quotedId: 'S1' }].map((by) =>
      api('findAskedApprover', (db) => approvalMessages.findAskedApprover(db, agent, '5511', by)),
    ),
    api('recordApprovalReply', (db) =>
      inTransaction(db, (tx) => approvalMessages.recordApprovalReply(tx, agent, 'R1')),
    ),
    worker('findReply', (db) => sends.findReply(db, id('delivery', number()))),
    worker('findContactAddress', (db) => sends.findContactAddress(db, id('conversation', conversation))),
    worker('findReplyFiles', (db) => sends.findReplyFiles(db, question(2))),
    worker('findSends', (db) => sends.findSends(db, id('delivery', number()))),
    worker('claimSend', (db) =>
      sends.claimSend(db, { deliveryId: id('delivery', number()), partNo: 2, agentId: agent }),
    ),
    worker('claimSend', (db) =>
      sends.claimSend(
        db,
        { deliveryId: id('delivery', number()), partNo: 1, agentId: agent },
        { status: 'retry', attempts: 1 },
      ),
    ),
    worker('settleSend', (db) =>
      sends.settleSend(
        db,
        { deliveryId: id('delivery', number()), partNo: 1 },
        { status: 'sent', final: true },
      ),
    ),
    worker('countSendCheck', (db) => sends.countSendCheck(db, id('delivery', number()), 1)),
    api('settleByEcho', (db) => sends.settleByEcho(db, agent, `${id('delivery', number())}:1`, 'S1')),
    worker('finishReply', (db) => sends.finishReply(db, id('delivery', number()), 'delivered')),
    api('pauseConversation', (db) =>
      pauses.pauseConversation(db, id('conversation', conversation), 5, { by: 'api' }),
    ),
    api('resumeConversation', (db) => pauses.resumeConversation(db, id('conversation', conversation))),
    api('writeAsPerson', (db) =>
      pauses.writeAsPerson(
        db,
        id('conversation', conversation),
        { text: 'x', attachments: [] },
        { by: 'api' },
      ),
    ),

    api('openToolExecution', (db) =>
      executions.openToolExecution(db, {
        organizationId: organization,
        origin: (n) => n,
        requestedBy: actor,
        action: 'DOCS_LIST_USERS',
        input: {},
      }),
    ),
    worker('findToolExecution', (db) => executions.findToolExecution(db, id('execution', number(3)))),
    worker('addToolWait', (db) => executions.addToolWait(db, id('execution', number(3)), 1000)),
    worker('endToolExecution', (db) =>
      executions.endToolExecution(db, { origin: 'call/x' }, { successful: false, data: '{}' }),
    ),
    worker('countToolFailure', (db) => executions.countToolFailure(db, id('execution', number(3)))),
    worker('endToolExecution', (db) =>
      executions.endToolExecution(db, { id: id('execution', number(3)) }, { successful: true, data: '' }),
    ),
    worker('toolStepLog', async (db) => {
      const log = executions.toolStepLog(db, id('execution', number(3)));
      await log.put('a', {});
      await log.get('a');
    }),
    api('withdrawToolExecution', (db) => executions.withdrawToolExecution(db, randomUUID())),
    worker('addToolUsage', (db) =>
      toolUsage.addToolUsage(db, id('execution', number(3)), {
        model: 'm',
        input_tokens: 1,
        output_tokens: 1,
        credits: 1,
      }),
    ),
    worker('findToolUsage', (db) => toolUsage.findToolUsage(db, id('execution', number(3)))),
    worker('readStoredFile', (db) =>
      storedFiles.readStoredFile(
        db,
        { organizationId: organization, conversationId: id('conversation', conversation) },
        id('attachment', number(2)),
        1_000,
      ),
    ),
    worker('listStoredFiles', (db) =>
      storedFiles.listStoredFiles(db, { organizationId: organization, conversationId: long }),
    ),
    worker('takeRefusedConnections', (db) => connections.takeRefusedConnections(db, 100)),
    api('listHttpTools', (db) => httpTools.listHttpTools(db, organization)),
    worker('findHttpTools', (db) => httpTools.findHttpTools(db, organization, ['find_order'])),
    worker('findHttpTool', (db) => httpTools.findHttpTool(db, organization, randomUUID())),
    api('lockHttpTool', (db) =>
      inTransaction(db, (tx) => httpTools.lockHttpTool(tx, organization, randomUUID())),
    ),
    api('insertHttpTool', (db) =>
      httpTools.insertHttpTool(
        db,
        organization,
        {
          ...{ name: `n${randomUUID().replaceAll('-', '')}`, description: 'd', method: 'GET' },
          ...{ url: 'https://shop.example/', parameters: '{}', header_names: [], effect: 'read' },
          ...{ timeout_seconds: 15, answer_fields: [], answer_max_chars: 8000 },
        },
        () => null,
      ),
    ),
    api('updateHttpTool', (db) =>
      httpTools.updateHttpTool(
        db,
        { id: randomUUID(), organization_id: organization },
        { timeout_seconds: 5 },
      ),
    ),
    api('deleteHttpTool', (db) =>
      httpTools.deleteHttpTool(db, { id: randomUUID(), organization_id: organization }),
    ),
    api('findToolActivity', (db) => toolActivity.findToolActivity(db, organization, new Date(0)), {
      ...{ rows: 5000, because: 'counts the newest 5000 calls of one organization' },
    }),
    api('findCalledTools', (db) => toolActivity.findCalledTools(db, organization)),
    api('agentsOfTool', (db) => httpTools.agentsOfTool(db, organization, 'find_order')),
    api('listMcpServers', (db) => mcpServers.listMcpServers(db, organization)),
    api('findServersToSignIn', (db) => mcpServers.findServersToSignIn(db, organization)),
    api('listChannelStates', (db) => channelStates.listChannelStates(db, organization)),
    api('listMcpTools', (db) => mcpServers.listMcpTools(db, organization)),
    api('listMcpTools', (db) => mcpServers.listMcpTools(db, organization, randomUUID())),
    worker('findMcpTools', (db) => mcpServers.findMcpTools(db, organization, ['mcp_shop_refund'])),
    worker('findMcpTool', (db) => mcpServers.findMcpTool(db, organization, randomUUID())),
    worker('findMcpServer', (db) => mcpServers.findMcpServer(db, organization, randomUUID())),
    api('lockMcpServer', (db) =>
      inTransaction(db, (tx) => mcpServers.lockMcpServer(tx, organization, randomUUID())),
    ),
    api('insertMcpServer', (db) =>
      mcpServers.insertMcpServer(
        ...([db, organization] as const),
        {
          ...{ name: 'shop', url: 'https://shop.example/mcp', auth: 'none', status: 'connected' },
          ...{ header_name: null, timeout_seconds: 30, answer_max_chars: 8000 },
        },
        () => null,
      ),
    ),
    api('updateMcpServer', (db) => mcpServers.updateMcpServer(db, noMcpServer, { timeout_seconds: 20 })),
    api('deleteMcpServer', (db) => mcpServers.deleteMcpServer(db, noMcpServer)),
    api('acceptMcpTool', (db) =>
      mcpServers
        .acceptMcpTool(db, noMcpServer, {
          ...{ name: 'mcp_shop_refund', remote_name: 'refund', description: 'd', parameters: '{}' },
          ...{ digest: 'd', effect: 'write' },
        })
        // There is no such server; the statement was planned before its key was checked.
        .catch(() => undefined),
    ),
    api('setMcpToolEffect', (db) => mcpServers.setMcpToolEffect(db, randomUUID(), 'read')),
    api('deleteMcpTool', (db) => mcpServers.deleteMcpTool(db, randomUUID())),
    worker('recordOffer', (db) =>
      mcpServers.recordOffer(db, { id: randomUUID(), digest: 'd' }, { offered: null, is_gone: true }),
    ),
    worker('recordListing', (db) => mcpServers.recordListing(db, randomUUID())),
    api('openMcpSignIn', (db) =>
      inTransaction(db, (tx) =>
        mcpSignIns.openMcpSignIn(
          ...([tx, organization] as const),
          {
            ...{
              server_id: randomUUID(),
              issuer: 'https://auth.example',
              token_auth: 'none',
              resource: null,
            },
            ...{ token_endpoint: 'https://auth.example/token', client_id: 'c', is_client_typed: false },
            ...{ names_issuer: false, stateHash: randomBytes(32) },
          },
          () => ({ client_secret: null, code_verifier: null }),
        ),
      )
        // There is no such server; the statement was planned before its key was checked.
        .catch(() => undefined),
    ),
    across('takeMcpSignIn', (db) => mcpSignIns.takeMcpSignIn(db, randomUUID(), randomBytes(32))),
    api('deleteMcpSignIn', (db) => mcpSignIns.deleteMcpSignIn(db, noMcpServer)),
    api('completeMcpSignIn', (db) =>
      inTransaction(db, (tx) =>
        mcpSignIns.completeMcpSignIn(
          tx,
          { ...noMcpServer, server_id: randomUUID() },
          { access_token: 'a', refresh_token: null, access_expires_at: null },
        ),
      ),
    ),
    worker('findMcpSignIn', (db) => mcpSignIns.findMcpSignIn(db, organization, randomUUID())),
    api('listMcpSignIns', (db) => mcpSignIns.listMcpSignIns(db, organization, [randomUUID()])),
    worker('claimMcpRenewal', (db) =>
      mcpSignIns.claimMcpRenewal(db, randomUUID(), 'a', { renewalId: randomUUID(), maxRenewalMs: 15_000 }),
    ),
    worker('endMcpRenewal', (db) => mcpSignIns.endMcpRenewal(db, randomUUID(), randomUUID(), {})),
    worker('dropMcpTokens', (db) => mcpSignIns.dropMcpTokens(db, randomUUID(), 'a')),
    worker('isLoopbackAllowed', (db) => loopback.isLoopbackAllowed(db, organization, 'localhost:5000')),
    api('listLoopbackReceivers', (db) => loopback.listLoopbackReceivers(db, organization)),
    api('allowLoopbackReceiver', (db) =>
      inTransaction(db, (tx) => loopback.allowLoopbackReceiver(tx, organization, 'localhost:5000', 20)),
    ),
    api('forbidLoopbackReceiver', (db) =>
      loopback.forbidLoopbackReceiver(db, organization, 'localhost:5000'),
    ),
    api('resendDelivery', (db) =>
      resends.resendDelivery(db, organization, id('delivery', runNumber(12, 1)), 5),
    ),
    api('insertWebhookEndpoint', (db) =>
      inTransaction(db, (tx) =>
        webhookEndpoints.insertWebhookEndpoint(tx, organization, {
          ...{ url: `https://${randomUUID()}.example`, max: 20, seal: () => 'sealed' },
        }),
      ),
    ),
    api('listWebhookEndpoints', (db) => webhookEndpoints.listWebhookEndpoints(db, organization)),
    api('lockWebhookEndpoint', (db) =>
      inTransaction(db, (tx) => webhookEndpoints.lockWebhookEndpoint(tx, organization, randomUUID())),
    ),
    api('replaceSigningSecret', (db) =>
      webhookEndpoints
        .replaceSigningSecret(
          db,
          { id: randomUUID(), organization_id: organization },
          { secret: 'sealed', previous: 'sealed' },
          60,
        )
        .catch(() => undefined),
    ),
    api('setWaitingAlerts', (db) => webhookEndpoints.setWaitingAlerts(db, organization, randomUUID(), true)),
    api('withdrawWaitingAlerts', (db) =>
      webhookEndpoints.withdrawWaitingAlerts(db, organization, 'https://example.com'),
    ),
    api('deleteWebhookEndpoint', (db) =>
      webhookEndpoints.deleteWebhookEndpoint(db, organization, randomUUID()),
    ),
    api('listModelProviders', (db) => modelProviders.listModelProviders(db, organization)),
    api('findModelProvider', (db) => modelProviders.findModelProvider(db, organization, randomUUID())),
    api('hasModelProvider', (db) => modelProviders.hasModelProvider(db, organization, 'openai')),
    api('insertModelProvider', (db) =>
      modelProviders.insertModelProvider(
        db,
        organization,
        {
          ...{ name: 'openai', kind: 'openai', base_url: null, models: ['m'] },
          ...aTest,
        },
        () => null,
      ),
    ),
    api('updateModelProvider', (db) =>
      modelProviders.updateModelProvider(db, organization, randomUUID(), { models: ['m'] }),
    ),
    api('recordProviderTest', (db) =>
      modelProviders.recordProviderTest(db, organization, randomUUID(), aTest),
    ),
    api('agentsByModel', (db) => modelProviders.agentsByModel(db, organization)),
    api('agentsOfProvider', (db) => modelProviders.agentsOfProvider(db, organization, 'openai')),
    api('setDefaultModel', (db) => modelProviders.setDefaultModel(db, organization, 'openai/m')),
    api('loadModelPrices', (db) => modelProviders.loadModelPrices(db, organization)),
    api('setModelPrice', (db) => modelProviders.setModelPrice(db, organization, 'openai/m', aPrice)),
    api('addModelPrices', (db) => modelProviders.addModelPrices(db, organization, { 'openai/m': aPrice })),
    worker('loadDefaultModel', (db) => modelProviders.loadDefaultModel(db, organization)),
    api('deleteModelProvider', (db) =>
      modelProviders.deleteModelProvider(db, {
        ...{ id: randomUUID(), organization_id: organization, name: 'openai' },
      }),
    ),
    api('listToolConnections', (db) => connections.listToolConnections(db, organization)),
    api('missingConnections', (db) => connections.missingConnections(db, organization, [randomUUID()])),
    api('findToolConnection', (db) => connections.findToolConnection(db, organization, randomUUID())),
    api('openPendingConnection', (db) =>
      connections.openPendingConnection(db, organization, randomBytes(32)),
    ),
    across('takePendingConnection', (db) => connections.takePendingConnection(db, randomBytes(32))),
    api('deleteToolConnection', (db) => connections.deleteToolConnection(db, organization, randomUUID())),

    worker('recordSeen', (db) =>
      channelWatch.recordSeen(
        db,
        { agent_id: agent, updated_at: new Date() },
        {
          ...{ status: 'connected', reason: null, error: null, number: null, live: true, nextCheckMs: 1000 },
          ...{ answered: true, webhook: 'right', instanceKey: 'x' },
        },
      ),
    ),
    worker('Pace.take', (db) => aPace(db).take()),
    worker('Pace.block', (db) => aPace(db).block(1)),
    api('createRole', (db) =>
      changeMembers.createRole(db, organization, { name: 'a role', capabilities: [] }),
    ),
    api('changeRole', (db) =>
      changeMembers.changeRole(db, organization, randomUUID(), { name: 'b', capabilities: [] }),
    ),
    api('lockRole', (db) =>
      inTransaction(db, (tx) => changeMembers.lockRole(tx, organization, randomUUID())),
    ),
    api('deleteRole', (db) => changeMembers.deleteRole(db, organization, randomUUID())),
    ofAccounts('changeMemberRole', async (db) =>
      changeMembers.changeMemberRole(
        db,
        organization,
        randomUUID(),
        await changeMembers.createRole(db, organization, { name: 'another role', capabilities: [] }),
      ),
    ),
    ofAccounts('removeMember', (db) => changeMembers.removeMember(db, organization, randomUUID())),

    worker('findStalled', (db) => stalled.findStalled(db, 1000)),
    worker('findOverdue', (db) => inputs.findOverdue(db, { min: 2000, max: 30_000 }, 200)),
    worker('recordLostAttempts', (db) => stalled.recordLostAttempts(db, 60_000, 500)),
    worker('recordReplacedWorkflow', (db) => stalled.recordReplacedWorkflow(db, randomUUID())),
    worker('findDueOfServed', (db) =>
      serving.findDueOfServed(db, [{ conversationId: id('conversation', conversation), by: 'nobody' }]),
    ),
    across('findServing', (db) => serving.findServing(db, id('conversation', conversation))),
    worker('endServing', (db) => serving.endServing(db, id('conversation', conversation), 'nobody')),
    worker('takeOverServing', (db) => serving.takeOverServing(db, id('conversation', conversation))),
    worker('countOpenRuns', (db) => openRuns.countOpenRuns(db)),
    ...cleanUps.cleanUps.map((one) => worker('deleteBatch', (db) => cleanUps.deleteBatch(db, one, 500))),
    api(
      'measureErasure',
      (db) => erasureSizes.measureErasure(db, organization, { conversation_id: long }),
      counted,
    ),
    api('measureErasure', (db) => erasureSizes.measureErasure(db, organization, { contact_id: 'nobody' })),
    api('countExpiring', (db) => retention.countExpiring(db, organization, 30), everyConversation),
    worker('findExpired', (db) => retention.findExpired(db, 100)),
    worker('eraseExpiredData', (db) =>
      retention.eraseExpiredData(db, { id: id('conversation', 20), before: new Date() }, () => false),
    ),

    api('isContactKnown', (db) => exports_.isContactKnown(db, organization, 'contact 9')),
    api('exportLines', async (db) => {
      for await (const _line of exports_.exportLines(db, (query) => query(), {
        organizationId: organization,
        contactId: 'contact 9',
      }));
    }),
    api('requestErasure', (db) =>
      erasures.requestErasure(
        db,
        { organizationId: organization, kind: 'conversation', key: id('conversation', 30) },
        actor,
      ),
    ),
    api('requestErasure', (db) =>
      erasures.requestErasure(db, { organizationId: organization, kind: 'contact', key: 'contact 9' }, actor),
    ),
    worker('findDueErasures', (db) => erasures.findDueErasures(db, 100)),
    worker('findToErase', (db) =>
      erasures.findToErase(
        db,
        { id: randomUUID(), organization_id: organization, kind: 'contact', key: 'contact 9' },
        100,
      ),
    ),
    worker('findToErase', (db) =>
      erasures.findToErase(
        db,
        { id: randomUUID(), organization_id: organization, kind: 'organization', key: organization },
        100,
      ),
    ),
    worker('eraseConversation', (db) => erasures.eraseConversation(db, id('conversation', 30), () => true)),
    worker('eraseContact', (db) => erasures.eraseContact(db, organization, 'contact 9')),
    worker('postponeErasure', (db) => erasures.postponeErasure(db, randomUUID(), 1)),
    worker('finishErasure', (db) => erasures.finishErasure(db, randomUUID())),
  ];
}

/** Functions of the database's adapters that are not called, and why. */
export const notCalled: Record<string, string> = {
  queryRow: 'runs the statements of the others',
  queryRows: 'runs the statements of the others',
  queryIds: 'runs the statements of the others',
  queryResult: 'runs the statements of the others',
  inTransaction: 'runs the statements of the others',
  inAccountTransaction: 'runs the statements of the others',
  recordAudit: 'one insert',
  recordForAccount: 'runs membershipsOf and recordAudit',
  createPasswordReset: 'by the identifier of a user, as findPasswordReset',
  usePasswordReset: 'by the identifier of a user, as findPasswordReset',
  dropPasswordResets: 'by the identifiers of a user, as findPasswordReset',
  dropPasswordReset: 'by the identifier of a user, as findPasswordReset',
  endSessions: 'by the identifier of a user',
  endOtherSessions: 'by the identifier of a user, as endSessions',
  endSession: 'by the identifier of a session',
  renameUser: 'by the identifier of a user',
  useTimeStep: 'by the identifier of a user, as findSecondFactor',
  linkIdentity: 'inserts one row',
  lockInvitation: 'by the identifier of an invitation',
  removePassword: 'by the identifier of a user, as listIssuers',
  unlinkIdentities: 'by the identifier of a user, as listIssuers',
  deleteSecondFactor: 'by the identifier of a user, as findSecondFactor',
  lockAccount: 'by the identifier of a user',
  deleteAccountWithoutMembership: 'by the identifier of a user',
  keepRunTrace: 'one insert for a run that is traced',
  recordCheck: 'one insert and one update by the agent',
  finishCheck: 'by the identifier of a check, as claimCheck',
  renewWebhookSecret: 'one update by the agent',
  saveConnectedWorkspace: 'by the organization, as listToolConnections',
  withLockedConnection: 'by the identifier of a connection',
  verifyEncryptionKey: 'reads one row, at the start of a process',
  forgetLostSecrets: 'a command of the operator that reads all secrets',
  rotateSecrets: 'a command of the operator that reads all secrets',
  verifyAudit: 'a command of the operator that reads the whole audit log of an organization',
  findAudited: 'a command of the operator that lists all organizations',
  eraseOrganizationPart: 'erases an organization that has no conversations any more',
};
