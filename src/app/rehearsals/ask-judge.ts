/** Asks a model to compare a rehearsed answer with the recorded one. */
import { ModelFault, plainRequest } from '../../adapters/models/model.ts';
import { measuredModelCall } from '../../adapters/models/models.ts';
import type {
  ModelCallOfTurn,
  RecordedTurn,
  RunningRehearsal,
} from '../../adapters/postgres/rehearsals/rehearsal-turns.ts';
import type { RehearsalChecks } from '../../contract/rehearsals/rehearsals.ts';
import { creditsOf, inputText, joinInputs } from '../../domain/conversations/model-call.ts';
import { judgeQuestion, readVerdict, type Verdict } from '../../domain/rehearsals/check-turns.ts';
import { callBudget } from '../data/call-budget.ts';
import { modelCallOf } from './ask-turn.ts';
import type { RehearsalDeps } from './deps.ts';

export interface Judged {
  verdict: Verdict;
  reason: string;
  credits: number;
  modelCalls: ModelCallOfTurn[];
}

interface Case {
  rehearsal: RunningRehearsal;
  recorded: RecordedTurn;
  rehearsed: string;
  judge: NonNullable<RehearsalChecks['judge']>;
  signal: AbortSignal;
}

/**
 * Asks the judge, a model, to compare the two answers of one turn.
 * @returns the judge's verdict with its reason, and the credits and tokens of the call. The verdict is `unclear` if the
 * model fails, with the model's error as the reason, or if the reply does not begin with a verdict.
 * @throws NoSlot if no model slot becomes free in time; CreditsBusy if calls in progress have reserved the remaining
 * credits of a cap; the signal's reason if the signal is aborted
 */
export async function askJudge(
  deps: RehearsalDeps,
  { rehearsal, recorded, rehearsed, judge, signal }: Case,
): Promise<Judged> {
  const { organization_id: organizationId, agent } = rehearsal;
  const question = judgeQuestion({
    criterion: judge.criterion,
    recorded: recorded.text,
    rehearsed,
    input: joinInputs(recorded.inputs.map(inputText)),
  });
  try {
    const model = deps.models.find(
      { model: judge.model, provider: rehearsal.judge_provider },
      organizationId,
    );
    const request = {
      ...plainRequest({ organizationId, conversationId: rehearsal.id, signal }, question),
      ...(rehearsal.is_capped && {
        budget: callBudget(deps, { organizationId, runId: null, agentId: agent.id, model: model.id }),
      }),
    };
    const ask = () => measuredModelCall(model.id, () => model.ask(request));
    const reply = await deps.modelSlots.use(organizationId, agent.id, ask, signal);
    const tokens = { input: reply.inputTokens, output: reply.outputTokens };
    const credits = creditsOf(deps.prices, model.id, tokens);
    return { ...readVerdict(reply.text), credits, modelCalls: [modelCallOf(model.id, reply)] };
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error;
    return { verdict: 'unclear', reason: error.message, credits: 0, modelCalls: [] };
  }
}
