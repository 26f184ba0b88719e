/** Constants of takeovers, in which a human agent answers instead of the agent. */

/** How long the agent is paused if neither the caller nor the channel sets a time. Chosen. */
export const defaultPauseMinutes = 720;

/** Shown instead of a name for a human agent who wrote from the phone or with a token. */
export const unnamedHumanAgent = 'A person';
