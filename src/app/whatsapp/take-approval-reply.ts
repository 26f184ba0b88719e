/** Records an approver's reply on WhatsApp as a decision on a tool call, instead of as a message of a conversation. */
import type { FoundApproval } from '../../adapters/postgres/conversations/approvals.ts';
import { inTransaction, type Database } from '../../adapters/postgres/database.ts';
import { acrossOrganizations } from '../../adapters/postgres/organization-scope.ts';
import { countWithinHour } from '../../adapters/postgres/rate-limiter.ts';
import {
  findAskedApprover,
  recordApprovalReply,
  wasNumberAsked,
} from '../../adapters/postgres/whatsapp/approval-messages.ts';
import type { ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import { maxNoteChars, type Approval } from '../../contract/conversations/approvals.ts';
import { recoveryNudge } from '../../contract/workflows.ts';
import {
  comparableNumber,
  maxCodesPerHour,
  readApprovalReply,
} from '../../domain/conversations/approval-request.ts';
import type { InboundEdit, InboundMessage } from '../../domain/whatsapp/classify-event.ts';
import { decideAndRecord, lateSentence } from '../conversations/decide-approval.ts';
import type { ConversationStarter } from '../conversations/accept-input.ts';

interface Taken {
  repeated?: true;
  sentence?: string;
  nudge?: FoundApproval['conversation'];
}

interface Deps {
  db: Database;
  conversations: Pick<ConversationStarter, 'nudge'>;
}

/**
 * Decides on the tool call that a reply identifies by a code, or by quoting the request for approval. Only approvers
 * whom this channel has asked can decide. The decision is recorded with the approver's name and number.
 * @returns undefined if the message is an ordinary one: it does not have the form of a decision, it has neither a code
 * nor a quoted message, the sender's number is unknown or was not asked by this channel, or the quoted message is not
 * a request to this number. Otherwise, `sentence` is the answer to the approver. It is absent if the gateway has
 * delivered the event before (`repeated` is then true), and for all but the first of an hour's codes above
 * `maxCodesPerHour`.
 */
export async function takeApprovalReply(
  { db, conversations }: Deps,
  channel: Pick<ChannelRow, 'agent_id' | 'organization_id'>,
  message: InboundMessage | InboundEdit,
): Promise<{ repeated: boolean; sentence?: string } | undefined> {
  const { phone } = message.contact;
  const reply = readApprovalReply(message.text);
  if (reply === undefined || phone === null) return undefined;
  // Some versions of the gateway put the owner's number before the id of the message: `owner:id`.
  const quotedId = message.kind === 'message' ? message.quotedId?.replace(/^.*:/, '') : undefined;
  const by = reply.code === undefined ? quotedId && { quotedId } : { code: reply.code };
  const { agent_id: agentId, organization_id: organizationId } = channel;
  const number = comparableNumber(phone);
  if (!by || !(await wasNumberAsked(db, agentId, number))) return undefined;
  // The counters belong to no organization, so only the database role for all organizations may change them.
  const codes =
    'code' in by
      ? await acrossOrganizations(() => countWithinHour(db, 'approval-codes', [agentId, number]))
      : 0;
  const taken = await inTransaction(db, async (tx): Promise<Taken | undefined> => {
    const asked = await findAskedApprover(tx, agentId, number, by);
    if (asked === undefined && 'quotedId' in by) return undefined;
    if (!(await recordApprovalReply(tx, agentId, message.messageId))) return { repeated: true };
    if (codes > maxCodesPerHour) return codes === maxCodesPerHour + 1 ? { sentence: tooMany } : {};
    if (asked === undefined)
      return { sentence: `No request that you can decide has the code ${reply.code}.` };
    if (reply.hasCondition)
      return {
        sentence: 'Nothing is approved, because text follows YES. To approve, reply only YES and the code.',
      };
    if (reply.approve && !asked.shows_all) return { sentence: notShown };
    const { approval_id: id, name, phone: asApprover } = asked;
    const note = reply.note?.slice(0, maxNoteChars).toWellFormed();
    const done = await decideAndRecord(
      tx,
      { id, organizationId, approve: reply.approve, by: { kind: 'person', name, phone: asApprover }, note },
      { kind: 'system', name: `${name} (${asApprover}) on WhatsApp`, organizationId },
    );
    if (done === undefined) return { sentence: `No request that you can decide has this code.` };
    const { approval, conversation } = done.found;
    return { sentence: done.decided ? doneSentence(approval) : lateSentence(approval), nudge: conversation };
  });
  if (taken?.nudge !== undefined) await conversations.nudge(taken.nudge, recoveryNudge);
  if (taken === undefined) return undefined;
  const { repeated = false, sentence } = taken;
  return { repeated, ...(sentence !== undefined && { sentence }) };
}

const tooMany = `This number has sent more than ${maxCodesPerHour} codes within an hour. Decide in the console, or try again in an hour.`;
const notShown =
  'Nothing is approved, because the arguments were too long to show them whole here. Approve the call in the console.';

function doneSentence({ status, tool }: Approval): string {
  return status === 'refused' ? `Refused: ${tool} is not called.` : `Approved: ${tool} is called once.`;
}
