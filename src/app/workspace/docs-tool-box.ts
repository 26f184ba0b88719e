/** Offers the document actions to agents as tools. */
import {
  listToolConnections,
  type ToolConnectionRow,
} from '../../adapters/postgres/workspace/tool-connections.ts';
import { openToolExecution } from '../../adapters/postgres/workspace/tool-executions.ts';
import { findToolUsage } from '../../adapters/postgres/workspace/tool-usage.ts';
import type { ToolDefinition } from '../../adapters/models/model.ts';
import type { DocsResult, DocsToolDefinition } from '../../contract/workspace/actions.ts';
import type { DocsDeps } from './deps.ts';
import { isObject, objectAt, listAt, textAt } from '../../workspace/json-value.ts';
import { chooseForAgent, connectionsOfAgent } from '../../domain/workspace/choose-connection.ts';
import { findAction, toolDefinitions } from '../../workspace/registry.ts';
import { endAction } from './end-action.ts';
import { executeAction, givenUp } from './execute-action.ts';
import { readResultPage, readToolResult, shownPage } from './result-pages.ts';
import type { ToolBox } from './tool-box.ts';

/**
 * Name of the parameter that is added to each action if the agent may use several connected workspaces. No action has a
 * parameter of this name.
 */
const choice = 'connection_id';

export function docsToolBox(deps: DocsDeps): ToolBox & { has: (name: string) => boolean } {
  return {
    has: (name) => name === readToolResult.name || findAction(name) !== undefined,
    definitionsFor: async ({ tools, connections }, organizationId) => {
      const wanted = toolDefinitions().filter(({ action }) => tools.includes(action));
      if (wanted.length === 0) return [];
      const rows = connectionsOfAgent(await listToolConnections(deps.db, organizationId), connections);
      const connected = rows.filter(({ status }) => status === 'connected');
      return [...wanted.map((definition) => toolOf(definition, connected)), readToolResult];
    },
    reads: (name) => Promise.resolve(name === readToolResult.name || findAction(name)?.effect === 'read'),
    belongsToAll: (name) => name === readToolResult.name,
    giveUp: (idempotencyKey, why) => endAction(deps.db, { origin: originOf(idempotencyKey) }, givenUp(why)),
    run: async (name, input, context) => {
      if (name === readToolResult.name) return await readResultPage(deps.db, input, context);
      const action = findAction(name);
      if (action === undefined) return { successful: false, text: `Error: there is no tool ${name}.` };
      const { organizationId, connections } = context;
      const { connectionId, rest } = splitChoice(input);
      const rows = await listToolConnections(deps.db, organizationId);
      const choice = chooseForAgent(rows, connections, connectionId);
      const execution = await openToolExecution(deps.db, {
        organizationId,
        conversationId: context.conversationId,
        origin: () => originOf(context.idempotencyKey),
        action: name,
        requestedBy: { kind: 'agent', agentId: context.agentId },
        // Records the chosen connection, so that a retry never continues in another workspace.
        connectionId: choice.kind === 'chosen' ? choice.connection.id : connectionId,
        input: rest,
      });
      const result = await executeAction(deps, execution.id, context.signal, (now, wanted) =>
        chooseForAgent(now, connections, wanted),
      );
      const usage =
        action.effect === 'generated_create' ? await findToolUsage(deps.db, execution.id) : undefined;
      return { successful: result.successful, text: textOf(execution.id, result), usage };
    },
  };
}

const originOf = (idempotencyKey: string) => `call/${idempotencyKey}`;

function textOf(id: string, { successful, data, error }: DocsResult): string {
  if (successful) return shownPage(id, data);
  const done = data === '{}' ? '' : `\n${shownPage(id, data)}`;
  return `Error: ${error ?? 'the action failed.'}${done}`;
}

function splitChoice(input: unknown): { connectionId: string | undefined; rest: unknown } {
  if (!isObject(input)) return { connectionId: undefined, rest: input };
  const { [choice]: _, ...rest } = input;
  const given = textAt(input, choice);
  return { connectionId: given !== undefined && uuid.test(given) ? given : undefined, rest };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Converts an action to the definition of a tool. If several workspaces are connected, the definition requires each
 * call to name one of them.
 * @param connected the connected workspaces that the agent may use
 */
function toolOf(
  { action, summary, input_schema, deprecated }: DocsToolDefinition,
  connected: readonly ToolConnectionRow[],
): ToolDefinition {
  const described = textAt(input_schema, 'description') ?? summary;
  const description =
    deprecated === undefined ? described : `${described} Deprecated: use ${deprecated.use}.`;
  if (connected.length < 2) return { name: action, description, inputSchema: input_schema };
  const which = {
    type: 'string',
    enum: connected.map(({ id }) => id),
    description: `The workspace: ${connected.map(({ id, workspace_name }) => `${id} is ${workspace_name ?? 'unnamed'}`).join(', ')}.`,
  };
  return {
    name: action,
    description,
    inputSchema: {
      ...input_schema,
      properties: { ...objectAt(input_schema, 'properties'), [choice]: which },
      required: [...listAt(input_schema, 'required'), choice],
    },
  };
}
