/** Rehearsals: an agent answers recorded turns again, and the new answers are compared with the recorded ones. */
import { z } from 'zod';
import { agentFields } from '../conversations/agents.ts';
import { pageQuery, timestamp } from '../page.ts';
import { storableJson, text } from '../text.ts';

/** Maximum number of turns of a rehearsal, and of a test set. Chosen. */
export const maxTurns = 1000;
/**
 * Maximum number of rehearsals of an organization that may be in progress, so that enough model slots are left for runs
 * that answer users. Chosen.
 */
export const maxRunning = 2;

/** Maximum turns that do not pass of which `broken_rules` and `judged_worse` of a rehearsal are read. Chosen. */
export const maxFailingRead = 100;

export const turnOutcome = z
  .enum(['same', 'other_text', 'other_tool', 'other_arguments', 'other_transfer', 'refused', 'failed'])
  .describe(
    'same: the same tool calls and the same answer or transfer. other_text: only the text differs. other_tool: another tool, one more or one less. other_arguments: the same tools with other arguments. other_transfer: a transfer to another agent, or to none. refused: a tool call or transfer that the agent may no longer make without a person. failed: the model call failed',
  );
export type TurnOutcome = z.infer<typeof turnOutcome>;

const shortText = text(2000).min(1);
const rehearsalRule = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.enum(['contains', 'does_not_contain']).describe('Kind of the rule'),
        text: shortText.describe('The text; upper and lower case do not matter'),
      })
      .describe('The answer contains a text, or does not'),
    z
      .strictObject({
        kind: z.literal('max_chars').describe('Kind of the rule'),
        max: z.int().min(1).describe('Maximum characters'),
      })
      .describe('The answer is at most this long'),
    z
      .strictObject({
        kind: z.literal('json_schema').describe('Kind of the rule'),
        schema: z
          .record(z.string(), z.json())
          .refine(...storableJson)
          .describe('JSON Schema of an object, with the keywords that the schema of a tool may have'),
      })
      .describe('The answer is JSON that fits a schema'),
  ])
  .meta({ id: 'RehearsalRule', description: 'A condition that an answer must meet' });

const checks = {
  rules: z.array(rehearsalRule).max(20).describe('Conditions that each answer must meet; at most 20'),
  accepts: z
    .array(turnOutcome)
    .max(7)
    .describe('Outcomes with which a turn passes. Default: same and other_text'),
  judge: z
    .strictObject({
      model: text(200).describe('provider/name of the model'),
      criterion: shortText.describe('The criterion by which the model compares the answers'),
    })
    .meta({ id: 'RehearsalJudge', description: 'A model that compares answers' })
    .describe(
      'A model that compares the answers of turns with the outcome other_text. A turn that is worse does not pass',
    ),
};

/** The checks of a rehearsal, which decide whether a turn passes. */
export const rehearsalChecks = z.object({ ...checks, judge: checks.judge.nullable() });
export type RehearsalChecks = z.infer<typeof rehearsalChecks>;

const rehearsedVersion = z.union([z.literal('draft'), z.int().min(1).max(2_147_483_647)]);

export const startRehearsal = z
  .strictObject({
    version: rehearsedVersion
      .optional()
      .describe('`draft`, or the number of a kept version. Default: the published version'),
    model: agentFields.model
      .optional()
      .describe('Another model, provider/name. Default: the model of the version'),
    source: z
      .enum(['recent', 'test_set'])
      .optional()
      .describe("recent (default): the newest turns of the agent. test_set: those of the agent's test set"),
    max_turns: z
      .int()
      .min(1)
      .max(maxTurns)
      .optional()
      .describe(
        `Maximum turns to ask; the newest are taken. Default: 100 for source recent, all turns for test_set`,
      ),
    run_read_only_tools: z
      .boolean()
      .optional()
      .describe(
        'true: a tool call without a recorded result runs if its tool only reads. Default: false, the turn stops there',
      ),
    rules: checks.rules.optional(),
    accepts: checks.accepts.optional(),
    judge: checks.judge.optional(),
  })
  .meta({
    id: 'StartRehearsal',
    description: 'The version to rehearse, and the recorded turns to ask',
    example: { version: 'draft', max_turns: 200 },
  });
export type StartRehearsal = z.infer<typeof startRehearsal>;

const turns = z.int().min(0);
const credits = z.number().min(0);

const outcomeCounts = z
  .object({
    same: turns.describe('Turns with the same answer'),
    other_text: turns.describe('Turns in which only the text differs'),
    other_tool: turns.describe('Turns with another tool'),
    other_arguments: turns.describe('Turns with other arguments of a tool'),
    other_transfer: turns.describe('Turns with another transfer'),
    refused: turns.describe('Turns with a call or transfer that is refused now'),
    failed: turns.describe('Turns whose model call failed'),
  })
  .meta({ id: 'RehearsalCounts', description: 'Turns by outcome' });

export const rehearsal = z
  .object({
    id: z.uuid().describe('Identifier of the rehearsal'),
    agent_id: z.uuid().describe('The agent that is rehearsed'),
    status: z
      .enum(['running', 'completed', 'cancelled', 'failed'])
      .describe('running: turns are still to be asked. failed: `error` says why; it can be resumed'),
    error: z.string().optional().describe('Why it failed'),
    version: rehearsedVersion.describe(
      '`draft` (as it was at the start), or the number of the version; also of one that the draft has become since',
    ),
    model: z
      .string()
      .optional()
      .describe("The model that is used instead of the version's, if one was named"),
    source: z.enum(['recent', 'test_set']).describe('Where its turns come from'),
    run_read_only_tools: z.boolean().describe('Whether tools that only read may run'),
    rules: checks.rules,
    accepts: checks.accepts,
    judge: checks.judge.optional(),
    turns: turns.describe('Its turns, without those of conversations that have been erased since'),
    done: turns.describe('Turns that have an outcome'),
    passed_turns: turns.describe('Turns that meet the checks of the rehearsal'),
    passed: z.boolean().describe('True if it is completed and every turn meets its checks'),
    outcomes: outcomeCounts.describe('How many turns ended with each outcome'),
    broken_rules: z
      .array(turns)
      .describe(
        `Indexes of the rules that its turns break; of the turns that do not pass, the first ${maxFailingRead} count`,
      ),
    judged_worse: z.boolean().describe('True if the judge found the new answer of one of these turns worse'),
    diverged: turns.describe('Turns that stopped at a tool call without a recorded result'),
    credits: credits.describe('Credits that its model calls cost'),
    recorded_credits: credits.describe('Credits that the same turns cost when they were recorded'),
    model_ms: turns.describe('Time of its model calls, in milliseconds'),
    recorded_model_ms: turns.describe('Time of the recorded model calls, in milliseconds'),
    author: z.string().describe('Who started it'),
    created_at: timestamp,
    finished_at: timestamp.optional().describe('When it ended; absent while it runs'),
  })
  .meta({ id: 'Rehearsal', description: 'Recorded turns of an agent, asked again' });
export type Rehearsal = z.infer<typeof rehearsal>;

export const turnCall = z
  .object({
    name: z.string().describe('Name of the tool'),
    arguments: z.json().describe('Arguments of the call'),
  })
  .meta({ id: 'RehearsedCall', description: 'A tool call of a turn' });
export type TurnCall = z.infer<typeof turnCall>;

const turnAnswer = z
  .object({
    text: z.string().describe('The answer, or what the agent wrote before its transfer'),
    calls: z.array(turnCall).describe('Its tool calls, in order'),
    transfer_to: z.uuid().nullable().describe('The agent that it transferred to; null: none'),
    credits: credits.describe('Credits of the model calls'),
    model_ms: turns.describe('Time of the model calls, in milliseconds'),
  })
  .meta({ id: 'TurnAnswer', description: 'What the agent did in a turn' });

export const rehearsalTurn = z
  .object({
    position: turns.describe('Place of the turn in the rehearsal, from 0'),
    conversation_id: z.uuid().describe('The conversation from which it was recorded'),
    run_id: z.uuid().describe('The run that was recorded'),
    input: z.string().describe('What the user wrote; the first 4,000 characters'),
    outcome: turnOutcome.nullable().describe('Null: it is still to be asked'),
    diverged: z.boolean().describe('True if it stopped at a tool call without a recorded result'),
    passed: z.boolean().nullable().describe('Whether it meets the checks of the rehearsal'),
    error: z.string().optional().describe('Why it failed or was refused'),
    broken_rules: z.array(turns).describe('Indexes of the rules that the new answer breaks'),
    judgement: z
      .object({
        verdict: z
          .enum(['better', 'as_good', 'worse', 'unclear'])
          .describe('The new answer beside the recorded one. unclear: the judge failed, or gave no verdict'),
        reason: z.string().describe('The reason of the judge'),
      })
      .optional()
      .describe('Absent if no judge compared the answers'),
    recorded: turnAnswer.describe('As it was recorded'),
    recorded_version: z
      .int()
      .nullable()
      .describe('The version of the agent that gave the recorded answer; null if it was not recorded'),
    rehearsed: turnAnswer.nullable().describe('As it was asked again; null: not yet'),
  })
  .meta({ id: 'RehearsalTurn', description: 'One recorded turn, and the same turn asked again' });
export type RehearsalTurn = z.infer<typeof rehearsalTurn>;

export const ofRehearsal = z.object({
  id: z.uuid().describe('Identifier of the agent'),
  rehearsalId: z.uuid().describe('Identifier of the rehearsal'),
});
export const rehearsalsQuery = pageQuery;
export const rehearsalTurnsQuery = pageQuery.extend({
  outcome: turnOutcome.optional().describe('Only turns with this outcome'),
  passed: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: only turns that meet the checks. false: only those that do not'),
});

export const addTestTurns = z
  .union([
    z.strictObject({ run_id: z.uuid().describe('The run of one turn') }).describe('One turn'),
    z
      .strictObject({ conversation_id: z.uuid().describe("All of the agent's turns of this conversation") })
      .describe('All turns of a conversation'),
  ])
  .meta({
    id: 'AddTestTurns',
    description: 'Turns for the test set: one run, or a conversation',
    example: { run_id: '01a1fecc-058a-7699-85b0-c9de1bd8082f' },
  });

export const addedTestTurns = z
  .object({
    added: turns.describe('Turns that were added; those that it had already are not counted'),
    turns: turns.describe('Turns of the test set now'),
  })
  .meta({ id: 'AddedTestTurns', description: 'The number of turns that were added to the test set' });

export const testTurn = z
  .object({
    id: z.uuid().describe('Identifier of the turn in the test set'),
    run_id: z.uuid().describe('The run of the turn'),
    conversation_id: z.uuid().describe('The conversation of the run'),
    input: z.string().describe('What the user wrote; the first 4,000 characters'),
    author: z.string().describe('Who added it'),
    created_at: timestamp.describe('When it was added'),
  })
  .meta({ id: 'TestTurn', description: 'A turn of the test set of an agent' });
export type TestTurn = z.infer<typeof testTurn>;

export const ofTestTurn = z.object({
  id: z.uuid().describe('Identifier of the agent'),
  turnId: z.uuid().describe('Identifier of the turn in the test set'),
});
