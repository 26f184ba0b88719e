/**
 * Timeout of the workflow tasks of every workflow. If a task is lost on its way to a worker, Temporal delivers it again
 * after this time. The replay of a long history must fit into this time: see docs/deploy.md.
 */
export const workflowTaskTimeout = '5s';
