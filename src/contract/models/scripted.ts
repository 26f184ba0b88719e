/**
 * Constants of the built-in scripted model. Imports no zod, so that the console can use this file without loading zod.
 */

export const scriptedModelId = 'scripted/default';

/** Beginning of the scripted model's answer to an input that matches no rule of the agent's script. */
export const noRuleNote = '[scripted model: no rule matched]';
