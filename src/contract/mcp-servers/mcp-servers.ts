/** The API's requests and responses for an organization's MCP servers, whose tools agents can call. */
import { z } from 'zod';
import { headerName, headerValue, httpEffect } from '../http-tools/http-tools.ts';
import { maxAnswerChars } from '../http-tools/limits.ts';
import { pageOf, timestamp } from '../page.ts';
import { text, textLike } from '../text.ts';
import { maxMcpTools } from './limits.ts';

const name = textLike(
  20,
  /^[a-z][a-z0-9]*$/,
  'must begin with a lower-case letter, and have lower-case letters and digits only',
).describe('Part of the names of its tools: mcp_NAME_TOOL. Unique in the organization, and never changed');

const header = z
  .strictObject({
    name: headerName.describe('Name of the header, for example Authorization'),
    value: headerValue.describe('Stored encrypted; no call returns it'),
  })
  .meta({ id: 'SetMcpHeader', description: 'A header of every request to the server' });

const settings = {
  timeout_seconds: z
    .int()
    .min(1)
    .max(60)
    .describe('Time limit of one call in seconds, including the connection to the server'),
  answer_max_chars: z
    .int()
    .min(100)
    .max(maxAnswerChars)
    .describe('Maximum characters of a result that the model reads; the rest is cut off'),
};

export const createMcpServer = z
  .strictObject({
    name,
    url: text(2000).min(1).describe('Address of the server, for example https://mcp.example.com/mcp'),
    auth: z
      .enum(['none', 'header', 'oauth'])
      .describe(
        'How Parley signs in: not at all, with a header, or with tokens of OAuth 2.1, for which a person signs in at the server in the console',
      ),
    header: header.optional().describe('Required if auth is header, refused otherwise'),
    timeout_seconds: settings.timeout_seconds.default(30),
    answer_max_chars: settings.answer_max_chars.default(8000),
  })
  .meta({
    id: 'CreateMcpServer',
    description: 'A new MCP server',
    example: {
      name: 'shop',
      url: 'https://mcp.example.com/mcp',
      auth: 'header',
      header: { name: 'Authorization', value: 'Bearer sk-example' },
    },
  });
export type CreateMcpServer = z.output<typeof createMcpServer>;

export const updateMcpServer = z
  .strictObject({
    ...settings,
    header: header.describe('Replaces the stored header; only for a server whose auth is header'),
  })
  .partial()
  .meta({
    id: 'UpdateMcpServer',
    description: 'The fields to change; absent fields stay as they are',
    example: { timeout_seconds: 20 },
  });
export type UpdateMcpServer = z.output<typeof updateMcpServer>;

const visible = /^[\x21-\x7e]+$/;
const visibleOnly = 'must have visible ASCII characters only';

/** What a person enters to sign in at an MCP server. All three are absent if Parley registers itself. */
export const signInAtMcpServer = z.strictObject({
  client_id: textLike(2000, visible, visibleOnly).optional(),
  client_secret: textLike(4096, visible, visibleOnly).optional(),
  issuer: textLike(2000, visible, visibleOnly).optional(),
});
export type SignInAtMcpServer = z.output<typeof signInAtMcpServer>;

export const startedMcpSignIn = z.object({
  /** The page where the person signs in. */
  authorization_url: z.string(),
  issuer: z.string(),
});
export type StartedMcpSignIn = z.infer<typeof startedMcpSignIn>;

const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe(
    'Identifies the description and the schema. Send it back to accept exactly the ones that you have read',
  );

const definition = {
  description: z.string().describe('Description of the tool by its server'),
  parameters: z.record(z.string(), z.json()).describe('JSON Schema of the arguments'),
  digest,
};
const offered = z
  .object(definition)
  .meta({ id: 'McpToolDefinition', description: 'Description and schema of a tool, as the server has them' });

const mcpTool = z
  .object({
    name: z.string().describe('Name by which agents and models call the tool'),
    remote_name: z.string().describe('Name by which the server knows it'),
    ...definition,
    effect: httpEffect.describe(
      'As an administrator chose it. read may be repeated after a failure; write and destructive are sent at most once',
    ),
    status: z
      .enum(['ready', 'changed', 'gone'])
      .describe(
        'ready: models are offered it. changed: the server describes it differently now, and models are not offered it until the change is accepted. gone: the server no longer has it',
      ),
    offered: offered
      .nullable()
      .describe('The description and schema that the server has now, if they differ from the accepted ones'),
  })
  .meta({ id: 'McpTool', description: 'A tool of an MCP server that agents can call' });

export const mcpServer = z
  .object({
    id: z.uuid().describe('Identifier of the server'),
    name,
    url: z.string().describe('Address of the server'),
    auth: createMcpServer.shape.auth,
    header_name: z.string().nullable().describe('Name of the header, without its value'),
    issuer: z
      .string()
      .nullable()
      .describe('Authorization server at which a person has signed in; null if nobody has'),
    client_id: z
      .string()
      .nullable()
      .describe('Client that a person entered for the sign-in; null if Parley registered itself'),
    status: z
      .enum(['connected', 'needs_header', 'needs_sign_in'])
      .describe(
        'needs_header: the stored header can no longer be decrypted; enter it again. needs_sign_in: nobody has signed in at the server, or it no longer accepts the access; a person must sign in, in the console under Tools, MCP servers',
      ),
    ...settings,
    tools: z.array(mcpTool).describe('The tools that agents can call, by name'),
    listed_at: timestamp
      .nullable()
      .describe("When the server's tools were last compared with the accepted ones"),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'McpServer', description: 'A server of the Model Context Protocol' });
export type McpServer = z.infer<typeof mcpServer>;
export type McpTool = McpServer['tools'][number];

export const mcpServerList = pageOf(mcpServer);

export const mcpOffer = z
  .object({
    tools: z
      .array(
        z
          .object({
            remote_name: z.string().describe('Name by which the server knows it'),
            name: z.string().describe('Name by which agents and models would call it'),
            definition: offered.nullable().describe('null if it cannot be used'),
            problem: z.string().nullable().describe('Why it cannot be used; null if it can'),
            read_only_hint: z
              .boolean()
              .nullable()
              .describe('Whether the tool only reads, as its server claims; the claim may be wrong'),
            destructive_hint: z
              .boolean()
              .nullable()
              .describe('Whether the tool is destructive, as its server claims; the claim may be wrong'),
          })
          .meta({ id: 'OfferedMcpTool', description: 'A tool that the server has now' }),
      )
      .describe('At most 200 tools'),
    server: mcpServer.describe('The server, with the tools that agents may call'),
  })
  .meta({ id: 'McpOffer', description: 'The tools that a server has now, and the server' });
export type McpOffer = z.infer<typeof mcpOffer>;

const remoteName = text(128).min(1).describe('Name by which the server knows it');

export const chooseMcpTools = z
  .strictObject({
    tools: z
      .array(
        z
          .strictObject({
            remote_name: remoteName,
            digest,
            effect: httpEffect.describe(
              'read: changes nothing and may be repeated after a failure. write and destructive: sent at most once',
            ),
          })
          .meta({ id: 'ChosenMcpTool', description: 'A tool that agents may call' }),
      )
      .max(maxMcpTools)
      .describe('All tools that agents may call; those that are absent are removed'),
  })
  .meta({
    id: 'ChooseMcpTools',
    description: 'The tools of a server that agents may call',
    example: { tools: [{ remote_name: 'find-order', digest: '0'.repeat(64), effect: 'read' }] },
  });
export type ChooseMcpTools = z.output<typeof chooseMcpTools>;

export const runMcpTool = z
  .strictObject({
    name: text(64).min(1).describe('Name of one of its tools, as agents call it'),
    input: z.record(z.string(), z.unknown()).describe("The tool's arguments, by its `parameters`"),
  })
  .meta({
    id: 'RunMcpTool',
    description: 'One call of a tool',
    example: { name: 'mcp_shop_find_order', input: { order_id: '17' } },
  });
