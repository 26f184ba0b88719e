/** A human agent answers instead of the agent. */

/** How long the agent is paused if neither the caller nor the channel says. Chosen. */
export const defaultPauseMinutes = 720;

/** Names a human agent who wrote from the phone or with a token, so that nobody's name is known. */
export const unnamedHumanAgent = 'A person';
