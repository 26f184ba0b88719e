/** Counts of the calls of an organization's tools since a given time, with the agents that have each tool. */
import { z } from 'zod';

export const toolActivityQuery = z.strictObject({
  since: z.iso.datetime().describe('Counts calls from this time on; at most the last 25 hours'),
});

const use = {
  calls: z.int(),
  failed: z.int().describe('Calls that failed, or whose outcome is unknown'),
  agents: z.int().describe('Number of agents that name the tool'),
  first_agents: z.array(z.object({ id: z.uuid(), name: z.string() })).describe('The first of them, by name'),
};

export const toolActivity = z.object({
  data: z.array(
    z.object({
      tool: z.string().describe('Name of an HTTP tool or a document action'),
      ...use,
      last: z
        .object({
          at: z.iso.datetime(),
          status: z.enum(['pending', 'succeeded', 'failed', 'unknown']),
          conversation_id: z
            .uuid()
            .nullable()
            .describe('Null for a call outside of conversations, and without conversations.view'),
          problem: z
            .string()
            .nullable()
            .describe('The beginning of the error of a failed call; null without conversations.view'),
        })
        .nullable()
        .describe('The newest call, however old'),
    }),
  ),
  workspace: z
    .object(use)
    .describe('All document actions together; an agent that names several of them counts once'),
  is_complete: z.boolean().describe('False if there were more calls than are counted'),
});
export type ToolActivity = z.infer<typeof toolActivity>;
