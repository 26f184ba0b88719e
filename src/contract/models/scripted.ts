/**
 * Constants that identify the scripted model and its unmatched answers. In a separate file, so that the console can
 * import them without zod.
 */

export const scriptedModelId = 'scripted/default';

/** Begins the scripted model's answer to an input that no rule of the agent's script matches. */
export const noRuleNote = '[scripted model: no rule matched]';
