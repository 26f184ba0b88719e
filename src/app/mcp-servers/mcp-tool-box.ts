/** Offers the accepted tools of an organization's MCP servers to the agents that name them. */
import type { ToolDefinition } from '../../adapters/models/model.ts';
import { findMcpTools, type McpToolRow } from '../../adapters/postgres/mcp-servers/mcp-servers.ts';
import { openToolExecution } from '../../adapters/postgres/workspace/tool-executions.ts';
import { jsonObject } from '../../contract/workspace/actions.ts';
import { isMcpToolName } from '../../domain/http-tools/tool-names.ts';
import type { HttpToolDeps } from '../http-tools/deps.ts';
import type { OwnToolBox } from '../workspace/tool-box.ts';
import { isReady } from './definitions.ts';
import { executeMcpTool } from './execute-mcp-tool.ts';

export function mcpToolBox(deps: HttpToolDeps): OwnToolBox & { has: (name: string) => boolean } {
  return {
    has: isMcpToolName,
    definitionsFor: async ({ tools }, organizationId) =>
      (await findMcpTools(deps.db, organizationId, tools.filter(isMcpToolName)))
        .filter(isReady)
        .map(definitionOf),
    reads: async (name, organizationId) =>
      (await findMcpTools(deps.db, organizationId, [name]))[0]?.effect === 'read',
    run: async (name, input, { organizationId, conversationId, agentId, idempotencyKey, signal }) => {
      const [tool] = await findMcpTools(deps.db, organizationId, [name]);
      if (tool === undefined) return { successful: false, text: `Error: there is no tool ${name}.` };
      const execution = await openToolExecution(deps.db, {
        ...{ organizationId, conversationId, input },
        origin: () => `call/${idempotencyKey}`,
        action: name,
        mcpTool: tool,
        requestedBy: { kind: 'agent', agentId },
      });
      const { outcome, text } = await executeMcpTool(deps, execution.id, signal);
      return outcome === 'succeeded'
        ? { successful: true, text }
        : { successful: false, text: `Error: ${text}`, isUnknown: outcome === 'unknown' };
    },
  };
}

function definitionOf({ name, description, parameters }: McpToolRow): ToolDefinition {
  return {
    name,
    description,
    // The check of the arguments refuses others too, so the model must not invent any.
    inputSchema: { ...jsonObject.parse(JSON.parse(parameters)), additionalProperties: false },
  };
}
