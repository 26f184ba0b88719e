/** Connections to document workspaces and the direct run of an action, as the API shows them. */
import { z } from 'zod';
import { docsResult, docsToolDefinition } from './actions.ts';
import { pageOf, text, timestamp } from '../page.ts';

export const connectTool = z
  .discriminatedUnion('auth', [
    z
      .strictObject({
        auth: z.literal('API_KEY').describe("By an internal integration's token"),
        api_key: text(4096)
          .min(1)
          .describe("The internal integration's token: begins with secret_ or ntn_. Kept encrypted"),
      })
      .meta({ id: 'ConnectToolByKey', description: "By an internal integration's token" }),
    z
      .strictObject({ auth: z.literal('OAUTH2').describe('By the consent of a person, in a browser') })
      .meta({ id: 'ConnectToolByConsent', description: 'By the consent of a person, in a browser' }),
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
        'needs_reconnect: the workspace refuses what is kept; connect it again. It is also looked at again by itself',
      ),
    workspace_name: z.string().nullable().describe('Null while it is not known'),
    workspace_id: z
      .string()
      .nullable()
      .describe("The workspace's own identifier; null while it is not known"),
    integration_name: z
      .string()
      .nullable()
      .describe('What the workspace attributes the actions to: the integration, not a person'),
    last_error: z.string().optional().describe('What the workspace said last against it'),
    notice: z.string().optional().describe('Said once, at the connection: what to do next'),
    authorization_url: z
      .url()
      .optional()
      .describe('OAUTH2 while pending: the address where a person must allow the connection'),
    created_at: timestamp,
  })
  .meta({ id: 'ToolConnection', description: 'A document workspace that actions run in' });
export type ToolConnection = z.infer<typeof toolConnection>;

export const toolConnectionList = pageOf(toolConnection);

export const toolActionList = pageOf(docsToolDefinition);

export const runToolAction = z
  .strictObject({
    input: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .describe("The action's parameters; their schema is in GET /tools/docs/actions"),
    connection_id: z.uuid().optional().describe('Which workspace; needed only where several are connected'),
  })
  .meta({
    id: 'RunToolAction',
    description: 'What the action is to do',
    example: { input: { fetch_type: 'pages' } },
  });

export const toolActionResult = docsResult.meta({
  id: 'ToolActionResult',
  description: 'What came of an action',
});
