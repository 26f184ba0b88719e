/** Stores the notes that members write on conversations for each other. */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { maxNoteBytes, maxNotes } from '../../../contract/conversations/teamwork.ts';
import { queryResult, resultRow, statement, type Database } from '../database.ts';

const noteRow = z.object({
  id: z.string(),
  author_id: z.string().nullable(),
  author_name: z.string(),
  text: z.string(),
  created_at: z.date(),
});

/** @returns all notes of a conversation, oldest first: together at most `maxNotes` and `maxNoteBytes` */
export const listNotes = statement('list-notes', noteRow).rows<[conversationId: string]>`
  select id, author_id, author_name, text, created_at from conversation_notes where conversation_id = $1
    order by created_at, id`;

/** @returns a text that changes when a note of the conversation is written or deleted */
export const notesState = statement('notes-state', z.string()).result<[conversationId: string]>`
  select concat_ws(' ', count(*), max(created_at)) as result from conversation_notes where conversation_id = $1`;

const write = statement('write-note', resultRow(z.boolean()))`select write_note($1::jsonb, $2, $3) as result`;

/** Adds a note. @returns false if the conversation would then have too many notes (`maxNotes`, `maxNoteBytes`) */
export async function writeNote(
  db: Database,
  author: { organizationId: string; userId: string; name: string },
  conversationId: string,
  text: string,
): Promise<boolean> {
  const { organizationId: organization_id, userId: author_id, name: author_name } = author;
  const note = {
    id: newId(),
    organization_id,
    conversation_id: conversationId,
    author_id,
    author_name,
    text,
  };
  return await queryResult(db, write, [JSON.stringify(note), maxNotes, maxNoteBytes]);
}

type Note = [organizationId: string, conversationId: string, id: string];

/** @returns the note's author, whose `author_id` is null if the account is deleted; undefined if there is no such note */
export const findNote = statement('find-note', noteRow.pick({ author_id: true })).row<Note>`
  select author_id from conversation_notes where organization_id = $1 and conversation_id = $2 and id = $3`;

/** @returns false if there is no such note */
export const deleteNote = statement('delete-note').hasRow<Note>`
  delete from conversation_notes where organization_id = $1 and conversation_id = $2 and id = $3 returning id`;
