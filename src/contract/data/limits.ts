/** Limits of data that the console knows too. Imports no zod, so that the console can use this file without loading zod. */

/** Maximum agents of which the overview shows figures. Chosen. */
export const maxOverviewAgents = 20;
