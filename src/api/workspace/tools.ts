import type { DocsToolDefinition } from '../../contract/workspace/actions.ts';
import type { ToolConnections } from '../../app/workspace/connect-workspace.ts';
import type { ToolRunner } from '../../app/workspace/run-tool.ts';

/** The document tools for handlers. */
export interface Tools {
  readonly definitions: readonly DocsToolDefinition[];
  readonly connections: ToolConnections;
  readonly runner: ToolRunner;
}
