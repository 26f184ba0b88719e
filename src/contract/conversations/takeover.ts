/** Requests of a takeover, in which a human agent pauses the agent and writes to the contact. */
import { z } from 'zod';
import { attachmentWithContent } from './chat.ts';
import { maxAttachments } from './limits.ts';
import { text } from '../text.ts';

const pauseMinutes = z
  .int()
  .min(1)
  .max(43_200)
  .optional()
  .describe("Length of the pause in minutes. Default: the channel's pause_minutes; without a channel, 720");

export const pauseForm = z
  .strictObject({ minutes: pauseMinutes })
  .meta({ id: 'PauseConversation', description: 'Length of the pause' });

export const personsMessageForm = z
  .strictObject({
    text: text(32_000).default('').describe('Text of the message; may be empty only with attachments'),
    attachments: z
      .array(attachmentWithContent)
      .max(maxAttachments)
      .default([])
      .describe('Files of the message'),
    pause_minutes: pauseMinutes,
  })
  .refine((body) => body.text.trim() !== '' || body.attachments.length > 0, {
    path: ['text'],
    error: 'must not be empty unless attachments are given',
  })
  .meta({ id: 'WriteAsPerson', description: "A human agent's message to the contact" });
