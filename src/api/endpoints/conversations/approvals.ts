/** Endpoints for approvals: tool calls that a person must approve. */
import { z } from 'zod';
import {
  findApproval,
  listApprovals as findApprovals,
} from '../../../adapters/postgres/conversations/approvals.ts';
import { withArgumentSchemas } from '../../../adapters/postgres/conversations/argument-schemas.ts';
import { inTransaction, type Database } from '../../../adapters/postgres/database.ts';
import { decideAndRecord, lateSentence } from '../../../app/conversations/decide-approval.ts';
import {
  approval,
  approvalsQuery,
  type Approval,
  decideApproval as decideApprovalBody,
} from '../../../contract/conversations/approvals.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import { pageOf } from '../../../contract/page.ts';
import { recoveryNudge } from '../../../contract/workflows.ts';
import { pageOfAgents } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';

const shared = { auth: 'token', tag: 'Conversations' } as const;
const ofApproval = {
  ...shared,
  agents: 'approval',
  params: z.object({ id: z.uuid().describe('Identifier of the approval') }),
  answers: { 200: approval },
} as const;

async function withSchemas(db: Database, organizationId: string, found: Approval): Promise<Approval> {
  const [shown = found] = await withArgumentSchemas(db, organizationId, [found]);
  return shown;
}

export const listApprovals = defineEndpoint({
  ...shared,
  scope: 'conversations.view',
  agents: 'list',
  request: 'GET /approvals',
  summary: 'List approvals, newest first',
  description:
    "Tool calls that an agent's `tool_policies` have a person approve, with their arguments and outcomes. A filter that matches nothing in your organization returns an empty list.",
  query: approvalsQuery,
  answers: { 200: pageOf(approval) },
  handle: async ({ query, caller }, { db }, respond) => {
    const read = (agent_id: string | undefined) =>
      findApprovals(db, caller.organizationId, { ...query, agent_id });
    const page = await pageOfAgents(caller, query.agent_id, query.limit, read);
    return respond(200, { ...page, data: await withArgumentSchemas(db, caller.organizationId, page.data) });
  },
});

export const getApproval = defineEndpoint({
  ...ofApproval,
  scope: 'conversations.view',
  request: 'GET /approvals/{id}',
  summary: 'Read an approval',
  description: 'With the arguments of the call, and its outcome once it has one.',
  handle: async ({ params, caller }, { db }, respond) => {
    const found = orNotFound(await findApproval(db, caller.organizationId, params.id));
    return respond(200, await withSchemas(db, caller.organizationId, found.approval));
  },
});

export const decideApproval = defineEndpoint({
  ...ofApproval,
  scope: 'approvals.decide',
  request: 'POST /approvals/{id}',
  summary: 'Approve or refuse a tool call',
  description:
    'The first decision wins: a later one gets 409 `already_decided`, which says who decided. An approved call is executed once, with the arguments that the approval shows. Of a refused call the model reads the note. 200: the decision is durable; `status` changes to `executed` or `unknown` when the call has ended.',
  body: decideApprovalBody,
  errors: ['already_decided'],
  handle: async ({ params, body, caller }, { db, conversations }, respond) => {
    const { organizationId } = caller;
    const approve = body.decision === 'approve';
    const by =
      caller.kind === 'person'
        ? ({ kind: 'person', name: caller.name } as const)
        : ({ kind: 'token', tokenId: caller.tokenId } as const);
    const decision = { id: params.id, organizationId, approve, by, note: body.note };
    const { decided, found } = orNotFound(
      await inTransaction(db, (tx) => decideAndRecord(tx, decision, caller)),
    );
    // Nudges also if an earlier call has decided, because its process may have ended before it sent the nudge.
    await conversations.nudge(found.conversation, recoveryNudge);
    if (!decided) throw new PublicError('already_decided', { sentence: lateSentence(found.approval) });
    return respond(200, await withSchemas(db, organizationId, found.approval));
  },
});
