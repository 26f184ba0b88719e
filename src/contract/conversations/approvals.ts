import { z } from 'zod';
import { pageQuery, timestamp } from '../page.ts';
import { text } from '../text.ts';
import { approver } from './agents.ts';
import { conversation } from './conversations.ts';

export const approvalStatus = z
  .enum(['waiting', 'approved', 'executed', 'refused', 'expired', 'unknown'])
  .describe(
    'waiting: nobody has decided. approved: the call is about to be executed. executed: the tool has returned a result or an error. refused, expired: the tool was not called. unknown: the tool was called, and the outcome was lost; it is not called again',
  );
export type ApprovalStatus = z.infer<typeof approvalStatus>;

/** Maximum characters of an argument's title. Longer ones are cut. Chosen: a label of one line. */
export const maxTitleChars = 100;

export const argumentSchemas = z
  .record(
    z.string(),
    z
      .object({
        title: z
          .string()
          .optional()
          .describe(`Name of the argument for people, its first ${maxTitleChars} characters`),
        multipleOf: z
          .number()
          .optional()
          .describe('Precision of a number; 0.01: people read it with two decimals'),
      })
      .meta({ id: 'ArgumentSchema', description: 'How people read an argument of a tool call' }),
  )
  .describe(
    'By name, the arguments of the call to which the JSON Schema of the tool, as it is now, gives a title or a precision; absent if there are none',
  );
export type ArgumentSchemas = z.infer<typeof argumentSchemas>;

/** Maximum characters of the end user's message that an approval contains. Chosen. */
export const maxCustomerMessageChars = 500;

export const approval = z
  .object({
    id: z.uuid().describe('Identifier of the approval'),
    status: approvalStatus,
    agent_id: z.uuid().describe('The agent whose model called the tool'),
    agent_name: z.string().describe('Name of the agent'),
    conversation_id: z.uuid().describe('The conversation whose run waits'),
    contact: conversation.shape.contact.describe('The end user; absent if the conversation names none'),
    customer_message: z
      .string()
      .optional()
      .describe(
        `The end user's last message of the run, its first ${maxCustomerMessageChars} characters; absent if there is none`,
      ),
    tool: z.string().describe('Name of the tool'),
    tool_description: z
      .string()
      .optional()
      .describe('Description of the HTTP tool with this name, as it is now; absent if there is none'),
    arguments: z.json().describe('The arguments of the call. If it is approved, it is executed with these'),
    argument_schemas: argumentSchemas.optional(),
    arguments_hash: z
      .string()
      .describe('SHA-256 of the tool and the arguments, which is compared when the call is executed'),
    requested_at: timestamp.describe('When the model called the tool'),
    expires_at: timestamp.describe('Until when it can be decided'),
    on_expiry: z.enum(['refuse', 'approve']).describe('What happens if nobody decides in time'),
    decided_at: timestamp.optional().describe('When it was decided or expired'),
    decided_by: z
      .object({
        kind: z.enum(['person', 'token', 'system']).describe('Who or what decided'),
        name: z.string().optional().describe('Name of the person or the API token'),
        phone: z
          .string()
          .optional()
          .describe('Number of a person who decided by a reply on WhatsApp; otherwise absent'),
      })
      .optional()
      .describe('Absent while it waits'),
    note: z.string().optional().describe('The note of the person, or why Parley ended it'),
    asked: z
      .array(
        z
          .object({
            name: approver.shape.name,
            phone: approver.shape.phone,
            status: z
              .enum(['pending', 'sent', 'unknown', 'failed'])
              .describe(
                'pending: not sent yet. sent: the gateway has accepted it. unknown: it may have arrived; it is not sent again. failed: it was not sent',
              ),
            error: z.string().optional().describe('Why it was not sent, or may not have arrived'),
          })
          .meta({ id: 'AskedApprover', description: 'The message that asks a person on WhatsApp' }),
      )
      .optional()
      .describe('The people who are asked on WhatsApp; absent if the version of the agent names none'),
    finished_at: timestamp.optional().describe('When the tool had returned, or the call was refused'),
  })
  .meta({ id: 'Approval', description: 'A tool call that a person must approve before it is executed' });
export type Approval = z.infer<typeof approval>;

export const approvalsQuery = pageQuery.extend({
  status: z
    .enum([...approvalStatus.options, 'decided'])
    .optional()
    .describe('Only approvals with this status; decided: all except the waiting ones'),
  agent_id: z.uuid().optional().describe('Only approvals of this agent'),
  conversation_id: z.uuid().optional().describe('Only approvals of this conversation'),
});

export const maxNoteChars = 1000;
export const decideApproval = z
  .strictObject({
    decision: z.enum(['approve', 'refuse']).describe('approve executes the call, once; refuse does not'),
    note: text(maxNoteChars).min(1).optional().describe('The model reads the note of a refusal'),
  })
  .meta({
    id: 'DecideApproval',
    description: 'A decision on a tool call',
    example: { decision: 'refuse', note: 'Ask for the order number first.' },
  });
