/** How members work in the inbox together: they assign conversations, and write notes that only members see. */
import { z } from 'zod';
import { timestamp } from '../page.ts';
import { text } from '../text.ts';

/** A member as other members see them. */
export const colleague = z.object({ id: z.uuid().describe('Identifier of the user'), name: z.string() });
export type Colleague = z.infer<typeof colleague>;

export const assigneeForm = z.strictObject({
  user_id: z.uuid().nullable().describe('The member; null: nobody'),
});

/** Maximum notes of a conversation, and maximum bytes of all of them, because they are read at once. Chosen. */
export const maxNotes = 500;
export const maxNoteBytes = 1024 * 1024;

export const noteForm = z.strictObject({ text: text(10_000).trim().min(1, 'must not be empty') });

export const note = z.object({
  id: z.uuid(),
  author_name: z.string().describe('Name of the author when the note was written'),
  text: z.string(),
  created_at: timestamp,
  may_delete: z.boolean().describe('True if the caller may delete it'),
});
export type Note = z.infer<typeof note>;
