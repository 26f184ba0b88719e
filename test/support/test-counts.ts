/** What the reporter has counted so far, for the last line; unused where mocha is given another reporter. */
const retried: string[] = [];
export const testCounts = { used: false, passed: 0, failed: 0, retried };
