/** The problems and warnings of an organization, as the overview of the console shows them. */
import { z } from 'zod';
import { timestamp } from '../page.ts';

/** The areas that are checked. The `areas` of a response are those that the member's capabilities permit. */
export const healthArea = z.enum([
  'models',
  'channels',
  'connections',
  'limits',
  'webhooks',
  'conversations',
  'storage',
]);
export type HealthArea = z.infer<typeof healthArea>;

/** `problem`: something does not work now. `warning`: anything else that needs attention, such as unfinished setup. */
const severity = z.enum(['problem', 'warning']);

const item = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), severity, area: healthArea, ...shape });

export const healthItem = z.discriminatedUnion('kind', [
  item('no_model', {}),
  item('model_failing', {
    provider: z.string(),
    error: z.string().describe('Error of the last call'),
    provider_message: z.string().nullable().describe("The provider's text, shortened and without keys"),
    at: timestamp,
  }),
  item('channel', {
    agent_id: z.uuid(),
    agent_name: z.string(),
    message: z.string().nullable().describe('Null: the webhook is not verified yet'),
    last_inbound_at: timestamp.nullable(),
  }),
  item('connection', { name: z.string().nullable(), error: z.string().nullable() }),
  item('mcp_sign_in', {
    server: z.string().describe('Name of the MCP server'),
    tools: z.int().describe('Its tools that agents may call; 0 if nobody has signed in there yet'),
  }),
  item('limit', {
    of: z.enum(['credits', 'messages']),
    reached: z.boolean(),
    used: z.number().nullable().describe('Null if the member may not see usage'),
    limit: z.number().nullable(),
  }),
  item('cap', {
    period: z.enum(['day', 'month']),
    reached: z.boolean(),
    used: z.number().nullable().describe('Null if the member may not see usage'),
    cap: z.number().nullable(),
  }),
  item('webhook_failing', {
    host: z.string(),
    failed: z.int(),
    attempts: z.int().describe('Callbacks to this host within the last day, among the newest 1,000'),
    error: z.string().nullable().describe('Error of the last failure'),
    at: timestamp,
  }),
  item('webhook_blocked', {
    host: z.string(),
    blocked: z.int(),
    reason: z.string().describe('Why Parley does not call the address, for example internal_name'),
    at: timestamp,
  }),
  item('waiting', { conversations: z.int().describe('Counted up to 1,000'), since: timestamp }),
  item('backlog', { messages: z.int().describe('Counted up to 1,000'), since: timestamp }),
  item('storage', { used_bytes: z.number(), limit_bytes: z.number() }),
]);
export type HealthItem = z.infer<typeof healthItem>;

export const health = z.object({
  areas: z.array(healthArea).describe('The areas that the member may see'),
  items: z.array(healthItem).describe('Problems first; empty if all is well'),
});
export type Health = z.infer<typeof health>;
