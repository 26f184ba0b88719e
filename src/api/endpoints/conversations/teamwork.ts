/** The console's endpoints for members who work in the inbox together. */
import { z } from 'zod';
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { listMembersWith } from '../../../adapters/postgres/accounts/members.ts';
import {
  assignConversation as assign,
  lockMembership,
} from '../../../adapters/postgres/conversations/assignees.ts';
import { findConversationRow } from '../../../adapters/postgres/conversations/conversation-rows.ts';
import { recordPresence } from '../../../adapters/postgres/conversations/inbox-state.ts';
import { inTransaction, type Database, type Transaction } from '../../../adapters/postgres/database.ts';
import {
  deleteNote as remove,
  findNote,
  listNotes as findNotes,
  writeNote as write,
} from '../../../adapters/postgres/conversations/notes.ts';
import {
  assigneeForm,
  colleague,
  note,
  noteForm,
  type Colleague,
} from '../../../contract/conversations/teamwork.ts';
import { invalidField, orNotFound, PublicError } from '../../../contract/errors.ts';
import type { KnownCaller, PersonCaller } from '../../caller.ts';
import { defineEndpoint } from '../../endpoint.ts';

const ofConversation = { auth: 'session', params: z.object({ id: z.uuid() }) } as const;

/** The members to whom a conversation can be assigned: those who may view conversations. */
async function assignees(db: Database, { organizationId }: PersonCaller): Promise<Colleague[]> {
  const members = await listMembersWith(db, organizationId, 'conversations.view');
  return members.map(({ id, name }) => ({ id, name }));
}

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

/**
 * Prepares the assignment of a conversation that a member takes over. Must be called before the takeover, because it
 * locks the membership, which a removal of the member locks before the conversations.
 * @returns assigns the conversation to the member, if it is assigned to nobody. Must be called after the takeover, which
 * locks all conversations of the contact in one order. For a token, it does nothing.
 */
export async function assignsToHumanAgent(
  tx: Transaction,
  caller: KnownCaller,
  id: string,
): Promise<() => Promise<void>> {
  if (caller.kind !== 'person') return () => Promise.resolve();
  await lockMembership(tx, caller.organizationId, caller.userId);
  return () => assignAs(tx, caller, id, caller.userId, { ifNobody: true });
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

/** True if the member may delete a note, either as its author or because of the right to manage members. */
const mayDelete = ({ userId, capabilities }: PersonCaller, author: string | null): boolean =>
  author === userId || capabilities.includes('members.manage');

export const listNotes = defineEndpoint({
  ...ofConversation,
  request: 'GET /conversations/{id}/notes',
  capability: 'conversations.view',
  answers: { 200: z.object({ data: z.array(note) }) },
  handle: async ({ caller: person, params }, { db }, respond) => {
    const { id } = orNotFound(await findConversationRow(db, person, params.id));
    const found = await findNotes(db, id);
    const data = found.map(({ author_id, created_at, ...one }) => ({
      ...one,
      created_at: created_at.toISOString(),
      may_delete: mayDelete(person, author_id),
    }));
    return respond(200, { data });
  },
});

export const writeNote = defineEndpoint({
  ...ofConversation,
  request: 'POST /conversations/{id}/notes',
  capability: 'conversations.take_over',
  body: noteForm,
  handle: async ({ caller: person, params, body: { text } }, { db }) => {
    const { id } = orNotFound(await findConversationRow(db, person, params.id));
    await inTransaction(db, async (tx) => {
      if (!(await write(tx, person, id, text)))
        throw new PublicError('invalid_state', {
          sentence:
            'The conversation has 500 notes or 1 MiB of notes, which is the maximum. Delete some first.',
        });
      await recordAudit(tx, person, 'note_written', id);
    });
  },
});

export const deleteNote = defineEndpoint({
  ...ofConversation,
  request: 'DELETE /conversations/{id}/notes/{noteId}',
  params: z.object({ id: z.uuid(), noteId: z.uuid() }),
  capability: 'conversations.view',
  sometimes: '`members.manage`, for the note of another member',
  handle: async ({ caller: person, params }, { db }) => {
    const [id, noteId] = [params.id.toLowerCase(), params.noteId.toLowerCase()];
    const { author_id } = orNotFound(await findNote(db, person.organizationId, id, noteId));
    if (!mayDelete(person, author_id)) throw new PublicError('forbidden');
    await inTransaction(db, async (tx) => {
      if (await remove(tx, person.organizationId, id, noteId))
        await recordAudit(tx, person, 'note_deleted', id);
    });
  },
});

/** Records that the member has the conversation open, and lists the other members who have. */
export const reportPresence = defineEndpoint({
  ...ofConversation,
  request: 'PUT /conversations/{id}/presence',
  capability: 'conversations.view',
  answers: { 200: z.object({ data: z.array(colleague) }) },
  handle: async ({ caller: person, params: { id } }, { db }, respond) =>
    respond(200, { data: orNotFound(await recordPresence(db, person, id)) }),
});
