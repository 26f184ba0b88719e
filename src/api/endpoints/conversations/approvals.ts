/** Endpoints for tool calls that wait for the approval of a person. */
import { z } from 'zod';
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import {
  decideApproval as decide,
  findApproval,
  listApprovals as findApprovals,
} from '../../../adapters/postgres/conversations/approvals.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import {
  approval,
  type Approval,
  approvalsQuery,
  decideApproval as decideApprovalBody,
} from '../../../contract/conversations/approvals.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import { pageOf } from '../../../contract/page.ts';
import { recoveryNudge } from '../../../contract/workflows.ts';
import { notExecuted } from '../../../domain/conversations/tool-policy.ts';
import { pageOfAgents } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';

const shared = { auth: 'token', tag: 'Conversations' } as const;
const ofApproval = {
  ...shared,
  agents: 'approval',
  path: '/approvals/{id}',
  params: z.object({ id: z.uuid().describe('Identifier of the approval') }),
  answers: { 200: approval },
} as const;

export const listApprovals = defineEndpoint({
  ...shared,
  scope: 'conversations.view',
  agents: 'list',
  method: 'get',
  path: '/approvals',
  summary: 'List approvals, newest first',
  description:
    "Tool calls that an agent's `tool_policies` have a person approve, with their arguments and outcomes. A filter that matches nothing in your organization returns an empty list.",
  query: approvalsQuery,
  answers: { 200: pageOf(approval) },
  handle: async ({ query, caller }, { db }, respond) => {
    const read = (agent_id: string | undefined) =>
      findApprovals(db, caller.organizationId, { ...query, agent_id });
    return respond(200, await pageOfAgents(caller, query.agent_id, query.limit, read));
  },
});

export const getApproval = defineEndpoint({
  ...ofApproval,
  scope: 'conversations.view',
  method: 'get',
  summary: 'Read an approval',
  description: 'With the arguments of the call, and its outcome once it has one.',
  handle: async ({ params, caller }, { db }, respond) => {
    const found = orNotFound(await findApproval(db, caller.organizationId, params.id));
    return respond(200, found.approval);
  },
});

export const decideApproval = defineEndpoint({
  ...ofApproval,
  scope: 'approvals.decide',
  method: 'post',
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
    const { decided, found } = await inTransaction(db, async (tx) => {
      const result = notExecuted.refused(body.note);
      const won = await decide(tx, { id: params.id, organizationId, approve, by, note: body.note, result });
      const now = await findApproval(tx, organizationId, params.id);
      if (won === undefined || now === undefined) throw new PublicError('not_found');
      if (won) {
        const target = `${now.approval.tool}, approval ${params.id}`;
        await recordAudit(tx, caller, approve ? 'approval_given' : 'approval_refused', target);
      }
      return { decided: won, found: now };
    });
    // Nudges also if another call has decided before, because its process may have died before its own nudge.
    await conversations.nudge(found.conversation, recoveryNudge);
    if (!decided) throw new PublicError('already_decided', { sentence: lateSentence(found.approval) });
    return respond(200, found.approval);
  },
});

function lateSentence({ decided_by, decided_at, status, note }: Approval): string {
  const outcome = status === 'refused' ? 'refused' : status === 'expired' ? 'expired' : 'approved';
  const at = decided_at ?? 'before';
  if (decided_by?.kind === 'system')
    return `This tool call was ${outcome} at ${at}: ${note ?? 'by Parley'}. It can no longer be decided.`;
  return `${decided_by?.name ?? 'Somebody'} ${outcome} this tool call at ${at}. It can no longer be decided.`;
}
