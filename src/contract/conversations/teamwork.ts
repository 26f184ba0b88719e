/** How members work in the inbox together: conversations that are assigned to a member. */
import { z } from 'zod';

/** A member as other members see them. */
export const colleague = z.object({ id: z.uuid().describe('Identifier of the user'), name: z.string() });
export type Colleague = z.infer<typeof colleague>;

export const assigneeForm = z.strictObject({
  user_id: z.uuid().nullable().describe('The member; null: nobody'),
});
