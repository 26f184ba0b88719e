/** The console's endpoints for members who work in the inbox together. */
import { z } from 'zod';
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { listMembersWith } from '../../../adapters/postgres/accounts/members.ts';
import { assignConversation as assign } from '../../../adapters/postgres/conversations/assignees.ts';
import { findConversationRow } from '../../../adapters/postgres/conversations/conversation-rows.ts';
import { inTransaction, type Database, type Transaction } from '../../../adapters/postgres/database.ts';
import { assigneeForm, colleague } from '../../../contract/conversations/teamwork.ts';
import { invalidField, orNotFound } from '../../../contract/errors.ts';
import type { KnownCaller, PersonCaller } from '../../caller.ts';
import { defineEndpoint } from '../../endpoint.ts';

const ofConversation = { auth: 'session', params: z.object({ id: z.uuid() }) } as const;

/** The members to whom a conversation can be assigned: those who may view conversations. */
const assignees = (db: Database, { organizationId }: PersonCaller) =>
  listMembersWith(db, organizationId, 'conversations.view');

export const listAssignees = defineEndpoint({
  auth: 'session',
  request: 'GET /assignees',
  capability: 'conversations.view',
  answers: { 200: z.object({ data: z.array(colleague) }) },
  handle: async ({ caller: person }, { db }, respond) => respond(200, { data: await assignees(db, person) }),
});

export const assignConversation = defineEndpoint({
  ...ofConversation,
  request: 'PUT /conversations/{id}/assignee',
  capability: 'conversations.take_over',
  body: assigneeForm,
  handle: async ({ caller: person, params, body: { user_id } }, { db }) => {
    const { id } = orNotFound(await findConversationRow(db, person, params.id));
    if (user_id !== null && !(await assignees(db, person)).some((one) => one.id === user_id.toLowerCase()))
      throw invalidField('user_id', 'must be a member of the organization who may view conversations');
    await inTransaction(db, (tx) => assignAs(tx, person, id, user_id));
  },
});

/** Assigns the conversation to the user who takes it over, if it is assigned to nobody. A token is no member. */
export async function assignToHumanAgent(tx: Transaction, caller: KnownCaller, id: string): Promise<void> {
  if (caller.kind === 'person') await assignAs(tx, caller, id, caller.userId, { ifNobody: true });
}

async function assignAs(
  tx: Transaction,
  person: PersonCaller,
  id: string,
  userId: string | null,
  options?: { ifNobody: boolean },
): Promise<void> {
  const assignee = await assign(tx, person.organizationId, id, userId, options);
  if (assignee !== undefined)
    await recordAudit(tx, person, 'conversation_assigned', `conversation ${id} → ${assignee ?? 'nobody'}`);
}
