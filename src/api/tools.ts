import type { DocsToolDefinition } from '../contract/docs.ts';
import type { ToolConnections } from './tool-connections.ts';
import type { ToolRunner } from './tool-runner.ts';

/** The document tools as handlers see them. */
export interface Tools {
  readonly definitions: readonly DocsToolDefinition[];
  readonly connections: ToolConnections;
  readonly runner: ToolRunner;
}
