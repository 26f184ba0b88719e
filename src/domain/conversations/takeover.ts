/** Constants of takeovers, in which a human agent answers instead of the AI agent. */

/** Minutes for which a takeover pauses the agent if neither the caller nor the channel sets a number. Chosen. */
export const defaultPauseMinutes = 720;

/** Name shown for a human agent whose name is unknown because they wrote from the business's phone or with a token. */
export const unnamedHumanAgent = 'A person';
