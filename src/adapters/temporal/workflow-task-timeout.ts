/**
 * Timeout of a workflow task, for every workflow that is started. A task that is lost on its way to a worker is delivered
 * again after this time, and the replay of a long history must fit into it: see docs/deploy.md.
 */
export const workflowTaskTimeout = '5s';
