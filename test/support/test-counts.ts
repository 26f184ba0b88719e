/** What the reporter has counted so far, for the last line. */
export const testCounts = { passed: 0, failed: 0 };
