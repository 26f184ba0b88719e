import { z } from 'zod';
import { text } from '../text.ts';

export const agentsFileForm = z.strictObject({ yaml: text(1_000_000).min(1) });
export const agentsFileView = z.object({ yaml: z.string() });
export const agentsFileResult = z.object({
  created: z.array(z.string()),
  updated: z.array(z.string()),
  versions: z
    .array(z.object({ name: z.string(), version: z.int() }))
    .describe('The versions that the file published'),
});
export type AgentsFileResult = z.infer<typeof agentsFileResult>;
