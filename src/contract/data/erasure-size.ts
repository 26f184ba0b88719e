/** Counts of what an erasure would delete. The console shows them before it requests the erasure. */
import { z } from 'zod';
import { text } from '../text.ts';

export const erasureSizeQuery = z.union([
  z.strictObject({ conversation_id: z.uuid() }),
  z.strictObject({ contact_id: text(255).min(1) }),
]);

const counted = z.int().min(0).describe('Counted up to 10,000');
export const erasureSize = z.object({
  conversations: counted,
  messages: counted,
  files: counted,
  deliveries: counted,
});
export type ErasureSize = z.infer<typeof erasureSize>;
