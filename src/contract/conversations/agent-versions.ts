/**
 * Versions of an agent, the differences between them, and the draft of the next version. A version contains the
 * settings that change the agent's answers.
 */
import { z } from 'zod';
import { agentFields, updateAgent } from './agents.ts';
import { maxRunsOfVersion } from './limits.ts';
import { keysOf } from '../keys-of.ts';
import { pageQuery, timestamp } from '../page.ts';
import { text } from '../text.ts';

/**
 * The fields of an agent that change its answers. When one of them changes in the table of agents, the trigger in
 * keep_agent_version.sql stores a new version. The trigger must list the same columns.
 */
const versioned = {
  instructions: true,
  model: true,
  fallback_model: true,
  script: true,
  follow_ups: true,
  transfers_to: true,
  may_hand_over: true,
  tools: true,
  tool_policies: true,
  approvers: true,
  connections: true,
  temperature: true,
  max_output_tokens: true,
  reasoning_effort: true,
  output_schema: true,
} as const;
/** The names of these fields. */
export const versionedFields = keysOf(versioned);

export const agentContent = z
  .object(agentFields)
  .pick(versioned)
  .extend({
    model: agentFields.model.nullable().optional().describe('provider/name; null: the configured default'),
    fallback_model: agentFields.fallback_model
      .nullable()
      .optional()
      .describe('provider/name of the model that answers if the model fails for good; null: none'),
    script: agentFields.script.nullable().optional().describe('Rules for scripted/default; null: none'),
    temperature: agentFields.temperature
      .nullable()
      .optional()
      .describe('How much the answers vary; null: the default of the provider'),
    max_output_tokens: agentFields.max_output_tokens
      .nullable()
      .optional()
      .describe('Output cap of one model call, in tokens; null: the default of the provider'),
    reasoning_effort: agentFields.reasoning_effort
      .nullable()
      .optional()
      .describe('How much the model reasons before it answers; null: the default of the provider'),
    output_schema: agentFields.output_schema
      .nullable()
      .optional()
      .describe('JSON Schema of the answers; null: answers are texts'),
    connections: agentFields.connections
      .nullable()
      .optional()
      .describe(
        "Connected workspaces that its tools may use; null: the organization's, while it has only one",
      ),
  })
  .meta({
    id: 'AgentContent',
    description:
      "What changes an agent's answers. `model`, `script` and `connections` are absent in a version that an earlier version of Parley kept, which did not record them",
  });
export type AgentContent = z.infer<typeof agentContent>;

const versionNumber = z.int().min(1).max(2_147_483_647);
const note = text(1000).describe('What the version changes, and why');

export const agentVersion = z
  .object({
    version: versionNumber.describe('Number of the version; each agent counts its own from 1'),
    published: z.boolean().describe('True for the version that answers'),
    candidate_percent: z
      .int()
      .nullable()
      .describe(
        'If it is the candidate: the share of new conversations that get it, in percent; otherwise null',
      ),
    created_at: timestamp.nullable().describe('Null if it was not recorded'),
    author: z
      .string()
      .nullable()
      .describe(
        'Email of the member or name of the token that made the change; null if Parley made it, or if it was not recorded',
      ),
    note: z.string().nullable().describe('As its author wrote it'),
    restores: versionNumber
      .nullable()
      .describe('The version whose content a rollback published again as this one'),
  })
  .meta({ id: 'AgentVersion', description: 'An immutable version of an agent' });
export type AgentVersion = z.infer<typeof agentVersion>;

export const listedAgentVersion = agentVersion
  .extend({
    changed: z
      .array(z.enum(versionedFields))
      .nullable()
      .describe(
        'Fields that differ from the version before; fields that one of them did not record are not compared. Null for the oldest one that is kept',
      ),
    changed_lines: z
      .object({
        added: z.int().describe('Lines that only this version has'),
        removed: z.int().describe('Lines that only the version before has'),
      })
      .describe('Numbers of changed lines')
      .nullable()
      .describe('Lines of the instructions that differ from the version before. Null if none do'),
    last_7_days: z
      .object({
        answered: z.int().describe('Runs that ended with an answer'),
        failed: z.int().describe('Runs that failed'),
      })
      .describe(
        `Runs that began with this version and ended in the last 7 days, without those of tests. Only the newest ${String(maxRunsOfVersion)} are counted`,
      ),
  })
  .meta({
    id: 'ListedAgentVersion',
    description: 'A version, which fields it changes, and how its runs ended',
  });
export type ListedAgentVersion = z.infer<typeof listedAgentVersion>;

const change = z
  .object({
    field: z.enum(versionedFields).describe('The field that differs'),
    before: z.unknown().describe('Its value in the other version'),
    after: z.unknown().describe('Its value in this version'),
  })
  .meta({ id: 'AgentChange', description: 'A field that differs between two versions' });
export type AgentChange = z.infer<typeof change>;

export const agentVersionDetail = agentVersion
  .extend({
    content: agentContent.describe("The agent's settings in this version"),
    compared_with: versionNumber
      .nullable()
      .describe('The version with which `changes` compares; null if no other version is kept'),
    changes: z
      .array(change)
      .describe(
        'Fields that differ from that version; fields that one of them did not record are not compared',
      ),
  })
  .meta({
    id: 'AgentVersionDetail',
    description: 'A version with its content, and how it differs from another',
  });
export type AgentVersionDetail = z.infer<typeof agentVersionDetail>;

export const ofAgentVersion = z.object({
  id: z.uuid().describe('Identifier of the agent'),
  version: z.coerce.number().pipe(versionNumber).describe('Number of the version'),
});

export const versionsQuery = pageQuery;
export const versionQuery = z.strictObject({
  compare_with: z.coerce
    .number()
    .pipe(versionNumber)
    .optional()
    .describe('Another version of the agent. Default: the newest kept one before this version'),
});

export const rollBack = z
  .strictObject({
    version: versionNumber.describe('The version whose content is published again'),
    note: note.optional(),
  })
  .meta({ id: 'RollBackAgent', description: 'The version to go back to', example: { version: 3 } });

export const changeDraft = updateAgent
  .pick(versioned)
  .extend({
    base_version: versionNumber
      .optional()
      .describe(
        'The version that you have changed. If another one is published, 409 `version_conflict`. Default: the published one',
      ),
  })
  .meta({
    id: 'ChangeAgentDraft',
    description: 'The fields that the draft changes; absent fields are as in the published version',
    example: { instructions: 'Answer in two sentences.' },
  });

export const agentDraft = z
  .object({
    base_version: versionNumber.describe('The version that was published when the draft was saved'),
    author: z.string().describe('Who saved it'),
    updated_at: timestamp,
    content: agentContent.describe("The agent's settings in the next version"),
  })
  .meta({ id: 'AgentDraft', description: 'Changes that were prepared for the next version of an agent' });
export type AgentDraft = z.infer<typeof agentDraft>;

/** The console's response with the draft. It contains null instead of an error, because most agents have no draft. */
export const unpublished = z.object({ draft: agentDraft.nullable() });
export type Unpublished = z.infer<typeof unpublished>;

/** The agents that have a draft, for the console's list of agents. */
export const draftsOfAgents = z.object({ data: z.array(z.object({ agent_id: z.uuid() })) });

export const publishDraft = z
  .strictObject({
    note: note.optional(),
    percent: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'Below 100: the version becomes the candidate, which answers this share of new conversations, in percent. Default: 100, it answers all conversations',
      ),
  })
  .meta({
    id: 'PublishAgentDraft',
    description: 'How the draft is published',
    example: { note: 'Shorter answers.', percent: 10 },
  });

export const setCandidate = z
  .strictObject({
    version: versionNumber.describe('A kept version of the agent'),
    percent: z
      .int()
      .min(0)
      .max(100)
      .describe(
        'Share of new conversations in percent. 0: the agent no longer has a candidate. 100: the version is published',
      ),
  })
  .meta({
    id: 'SetAgentCandidate',
    description: 'The candidate and its share',
    example: { version: 4, percent: 10 },
  });
