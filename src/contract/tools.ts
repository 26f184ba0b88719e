/** Connections to document workspaces and the direct run of an action, as the API shows them. */
import { z } from 'zod';
import { docsResult, docsToolDefinition } from './docs.ts';
import { text, timestamp } from './page.ts';

export const connectTool = z
  .discriminatedUnion('auth', [
    z.strictObject({
      auth: z.literal('API_KEY'),
      api_key: text(4096)
        .min(1)
        .describe("The internal integration's token: begins with secret_ or ntn_. Kept encrypted"),
    }),
    z.strictObject({ auth: z.literal('OAUTH2') }),
  ])
  .meta({ id: 'ConnectTool', example: { auth: 'API_KEY', api_key: 'ntn_…' } });

export const toolConnection = z
  .object({
    id: z.uuid(),
    auth: z.enum(['API_KEY', 'OAUTH2']),
    status: z
      .enum(['pending', 'connected', 'needs_reconnect'])
      .describe('needs_reconnect: the workspace refuses what is kept; connect it again'),
    workspace_name: z.string().nullable(),
    workspace_id: z.string().nullable(),
    integration_name: z
      .string()
      .nullable()
      .describe('What the workspace attributes the actions to: the integration, not a person'),
    last_error: z.string().optional(),
    notice: z.string().optional().describe('Said once, at the connection: what to do next'),
    authorization_url: z.url().optional().describe('OAUTH2 while pending: where the person must go'),
    created_at: timestamp,
  })
  .meta({ id: 'ToolConnection' });
export type ToolConnection = z.infer<typeof toolConnection>;

export const toolConnectionList = z.object({
  data: z.array(toolConnection),
  next_cursor: z.string().nullable(),
});

export const toolActionList = z.object({
  data: z.array(docsToolDefinition),
  next_cursor: z.string().nullable(),
});

export const runToolAction = z
  .strictObject({
    input: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .describe("The action's parameters; their schema is in GET /tools/docs/actions"),
    connection_id: z.uuid().optional().describe('Which workspace; needed only where several are connected'),
  })
  .meta({ id: 'RunToolAction', example: { input: { fetch_type: 'pages' } } });

export const toolActionResult = docsResult.meta({ id: 'ToolActionResult' });
