/**
 * Workflow task timeout of every workflow. If a task is lost, for example with its worker, Temporal delivers it again
 * after this time. A worker must be able to replay a long history within this time: see docs/deploy.md.
 */
export const workflowTaskTimeout = '5s' as const;
