/** Offers an organization's HTTP tools to the agents that name them. */
import type { ToolDefinition } from '../../adapters/models/model.ts';
import { findHttpTools, type HttpToolRow } from '../../adapters/postgres/http-tools/http-tools.ts';
import { openToolExecution } from '../../adapters/postgres/workspace/tool-executions.ts';
import { jsonObject } from '../../contract/workspace/actions.ts';
import { isReservedToolName } from '../../domain/http-tools/tool-names.ts';
import type { OwnToolBox } from '../workspace/tool-box.ts';
import type { HttpToolDeps } from './deps.ts';
import { executeHttpTool } from './execute-http-tool.ts';

export function httpToolBox(deps: HttpToolDeps): OwnToolBox {
  return {
    definitionsFor: async ({ tools }, organizationId) => {
      const names = tools.filter((name) => !isReservedToolName(name));
      return (await findHttpTools(deps.db, organizationId, names)).map(definitionOf);
    },
    reads: async (name, organizationId) =>
      (await findHttpTools(deps.db, organizationId, [name]))[0]?.effect === 'read',
    run: async (name, input, { organizationId, conversationId, agentId, idempotencyKey, signal }) => {
      const [tool] = await findHttpTools(deps.db, organizationId, [name]);
      if (tool === undefined) return { successful: false, text: `Error: there is no tool ${name}.` };
      const execution = await openToolExecution(deps.db, {
        ...{ organizationId, conversationId, input },
        origin: () => `call/${idempotencyKey}`,
        action: name,
        httpTool: tool,
        requestedBy: { kind: 'agent', agentId },
      });
      const { outcome, text } = await executeHttpTool(deps, execution.id, signal);
      return outcome === 'succeeded'
        ? { successful: true, text }
        : { successful: false, text: `Error: ${text}`, isUnknown: outcome === 'unknown' };
    },
  };
}

function definitionOf({ name, description, parameters }: HttpToolRow): ToolDefinition {
  return {
    name,
    description,
    // The check of the arguments refuses others too, so the model must not invent any.
    inputSchema: { ...jsonObject.parse(JSON.parse(parameters)), additionalProperties: false },
  };
}
