import { z } from 'zod';

/**
 * Maximum turns that one message can bring: as many as a model receives of a conversation's history
 * (`maxHistoryTurns`).
 */
export const maxEarlierTurns = 300;
/** Maximum UTF-8 bytes of the turns that one message can bring. Chosen: about eight of the longest messages. */
export const maxEarlierBytes = 256 * 1024;

export const earlierTurn = z
  .object({
    role: z
      .enum(['user', 'agent', 'context'])
      .describe('Whose turn it was; context: instructions of the calling program'),
    text: z.string().describe('Text of the turn'),
  })
  .meta({ id: 'EarlierTurn', description: 'A turn before a message, as its caller gave it' });
export type EarlierTurn = z.infer<typeof earlierTurn>;
