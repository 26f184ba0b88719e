import { z } from 'zod';

/**
 * Maximum number of earlier turns that a caller can send with one message. Equal to `maxHistoryTurns`, the maximum
 * number of turns that a model receives as history.
 */
export const maxEarlierTurns = 300;
/** Maximum UTF-8 bytes of all earlier turns together. Chosen: about eight ASCII messages of the maximum length. */
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
