/** Offers an organization's own tools (HTTP tools and tools of MCP servers) to the agents that name them. */
import { findHttpTools } from '../adapters/postgres/http-tools/http-tools.ts';
import { findMcpTools } from '../adapters/postgres/mcp-servers/mcp-servers.ts';
import { openToolExecution } from '../adapters/postgres/workspace/tool-executions.ts';
import { jsonObject } from '../contract/workspace/actions.ts';
import { isMcpToolName, isReservedToolName } from '../domain/http-tools/tool-names.ts';
import { executeOwnTool } from './execute-tool.ts';
import type { HttpToolDeps } from './http-tools/deps.ts';
import { isReady } from './mcp-servers/definitions.ts';
import type { OwnToolBox } from './workspace/tool-box.ts';

/**
 * Creates the tool box, which finds and runs an organization's tools by the names in an agent's settings. A name
 * belongs to an HTTP tool or to a tool of an MCP server, never to both.
 */
export function ownToolBox(deps: HttpToolDeps): OwnToolBox {
  const { db } = deps;
  const ofServers = (names: readonly string[], organizationId: string) =>
    findMcpTools(db, organizationId, names.filter(isMcpToolName));
  const overHttp = async (names: readonly string[], organizationId: string) =>
    await findHttpTools(
      db,
      organizationId,
      names.filter((name) => !isReservedToolName(name)),
    );
  const find = async (name: string, organizationId: string) => {
    const [mcpTool] = await ofServers([name], organizationId);
    const [httpTool] = mcpTool === undefined ? await overHttp([name], organizationId) : [];
    return { effect: (mcpTool ?? httpTool)?.effect, mcpTool, httpTool };
  };
  return {
    definitionsFor: async ({ tools }, organizationId) => {
      const found = [
        ...(await ofServers(tools, organizationId)).filter(isReady),
        ...(await overHttp(tools, organizationId)),
      ];
      return found.map(({ name, description, parameters }) => ({
        name,
        description,
        // `checkArguments` refuses arguments that the schema does not name, so the model's schema forbids them too.
        inputSchema: { ...jsonObject.parse(JSON.parse(parameters)), additionalProperties: false },
      }));
    },
    reads: async (name, organizationId) => (await find(name, organizationId)).effect === 'read',
    run: async (name, input, { organizationId, conversationId, agentId, idempotencyKey, signal }) => {
      const { effect, ...tool } = await find(name, organizationId);
      if (effect === undefined) return { successful: false, text: `Error: there is no tool ${name}.` };
      const execution = await openToolExecution(db, {
        organizationId,
        conversationId,
        input,
        ...tool,
        origin: () => `call/${idempotencyKey}`,
        action: name,
        requestedBy: { kind: 'agent', agentId },
      });
      const { outcome, text } = await executeOwnTool(deps, execution.id, signal);
      return outcome === 'succeeded'
        ? { successful: true, text }
        : { successful: false, text: `Error: ${text}`, isUnknown: outcome === 'unknown' };
    },
  };
}
