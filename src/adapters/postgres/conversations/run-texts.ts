/** Reads the texts and the token usage of a run's model calls. */
import { z } from 'zod';
import { camelRow, statement } from '../database.ts';

const stepText = camelRow({
  /** Text of the step's message; for a step that called tools, the text before the calls. */
  text: z.string(),
  /** True if a token limit or a filter cut the text off. */
  truncated: z.boolean(),
  inputTokens: z.number(),
  outputTokens: z.number(),
});

/** @returns the texts of the run's recorded steps, in order; an empty list if there are none, or the run was erased */
export const findStepTexts = statement('run-step-texts', stepText).rows<[runId: string]>`
  select coalesce(m.text, s.text) as text, coalesce(m.truncated, false) as truncated,
      s.input_tokens, s.output_tokens
    from run_steps s left join messages m on m.id = s.message_id where s.run_id = $1 order by s.step`;
