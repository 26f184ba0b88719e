/** Requests and responses for connections to document workspaces, and for calls of actions through the API. */
import { z } from 'zod';
import { docsResult, docsToolDefinition } from './actions.ts';
import { pageOf, timestamp } from '../page.ts';
import { text } from '../text.ts';

export const connectTool = z
  .discriminatedUnion('auth', [
    z
      .strictObject({
        auth: z.literal('API_KEY').describe("Connects with an internal integration's token"),
        api_key: text(4096)
          .min(1)
          .describe("The internal integration's token, which begins with secret_ or ntn_. Stored encrypted"),
      })
      .meta({ id: 'ConnectToolByKey', description: "Connects with an internal integration's token" }),
    z
      .strictObject({ auth: z.literal('OAUTH2').describe("Connects by a user's consent in the browser") })
      .meta({ id: 'ConnectToolByConsent', description: "Connects by a user's consent in the browser" }),
  ])
  .meta({
    id: 'ConnectTool',
    description: 'How the workspace is connected',
    example: { auth: 'API_KEY', api_key: 'ntn_…' },
  });

export const toolConnection = z
  .object({
    id: z.uuid().describe('Identifier of the connection'),
    auth: z.enum(['API_KEY', 'OAUTH2']).describe('How it was connected'),
    status: z
      .enum(['pending', 'connected', 'needs_reconnect'])
      .describe(
        'needs_reconnect: the workspace refuses the stored credentials; connect it again. Parley also checks it again from time to time',
      ),
    workspace_name: z.string().nullable().describe('Name of the workspace; null while unknown'),
    workspace_id: z.string().nullable().describe("The workspace's own identifier; null while unknown"),
    integration_name: z
      .string()
      .nullable()
      .describe('Name of the integration, to which the workspace attributes all changes'),
    last_error: z.string().optional().describe('Why the workspace last refused the connection'),
    notice: z
      .string()
      .optional()
      .describe('What to do next; present only in the response to the connecting call'),
    authorization_url: z
      .url()
      .optional()
      .describe('OAUTH2 while pending: the address where a user must allow the connection'),
    created_at: timestamp,
  })
  .meta({ id: 'ToolConnection', description: 'A connected document workspace' });
export type ToolConnection = z.infer<typeof toolConnection>;

export const toolConnectionList = pageOf(toolConnection);

export const toolActionList = pageOf(docsToolDefinition);

export const runToolAction = z
  .strictObject({
    input: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .describe("The action's parameters; their schema is in GET /tools/docs/actions"),
    connection_id: z
      .uuid()
      .optional()
      .describe('The connection to use; required only if several workspaces are connected'),
  })
  .meta({
    id: 'RunToolAction',
    description: 'Input of the action',
    example: { input: { fetch_type: 'pages' } },
  });

export const toolActionResult = docsResult.meta({
  id: 'ToolActionResult',
  description: 'Result of an action',
});
