/**
 * Constants of the built-in scripted model. Imports no zod, so that the console can use this file without loading zod.
 */

export const scriptedModelId = 'scripted/default';

/** The scripted model begins its answer with this text if no rule of the agent's script matches the input. */
export const noRuleNote = '[scripted model: no rule matched]';
