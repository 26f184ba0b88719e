/** Constants of the built-in scripted model. Without zod, so that the console can import this file. */

export const scriptedModelId = 'scripted/default';

/** Beginning of the scripted model's answer to an input that matches no rule of the agent's script. */
export const noRuleNote = '[scripted model: no rule matched]';
