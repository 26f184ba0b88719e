/**
 * Provides the organization's default model to document actions, as a function that takes a prompt and returns the
 * model's text.
 */
import { loadDefaultModel } from '../../adapters/postgres/models/model-providers.ts';
import {
  CreditsBusy,
  ModelFault,
  plainRequest,
  type Model,
  type ModelReply,
} from '../../adapters/models/model.ts';
import { measuredModelCall, type Models } from '../../adapters/models/models.ts';
import { scriptedModelId } from '../../contract/models/scripted.ts';
import { callBudget, type BudgetDeps } from '../data/call-budget.ts';
import { ModelUnavailable } from '../../workspace/failures.ts';

/**
 * Wraps the organization's default model in a function that takes a prompt. Its calls count against caps on credits.
 * @param asker.runId the run whose tool call uses the model; null for an action that was called through the API
 * @param spent called with the model's id and each reply, before the action gets the text of the reply
 * @returns the function; undefined if the default model is the scripted one, which cannot follow a schema. The function
 * rejects with ModelUnavailable if the model is not set up or fails, or if calls in progress have reserved the
 * remaining credits of a cap.
 * @throws Error if the key of the organization's provider cannot be decrypted
 */
export async function plainModel(
  deps: BudgetDeps & { models: Pick<Models, 'find'> },
  asker: { organizationId: string; conversationId: string; runId: string | null },
  signal: AbortSignal,
  spent: (model: string, reply: ModelReply) => Promise<void>,
): Promise<((prompt: string) => Promise<string>) | undefined> {
  const { organizationId, conversationId, runId } = asker;
  let model: Model;
  let isCapped: boolean;
  try {
    const { is_capped, ...choice } = await loadDefaultModel(deps.db, organizationId);
    model = deps.models.find(choice, organizationId);
    isCapped = is_capped;
  } catch (error) {
    // Most actions need no model, so only the actions that call the model fail if it is not set up.
    if (error instanceof ModelFault) return () => Promise.reject(unavailable(error));
    throw error;
  }
  if (model.id === scriptedModelId) return undefined;
  return async (prompt) => {
    const question = {
      ...plainRequest({ organizationId, conversationId, signal }, prompt),
      ...(isCapped && { budget: callBudget(deps, { organizationId, runId, model: model.id }) }),
    };
    const reply = await measuredModelCall(model.id, () => model.ask(question)).catch((error: unknown) => {
      if (error instanceof CreditsBusy) throw waits(error);
      throw error instanceof ModelFault ? unavailable(error) : error;
    });
    await spent(model.id, reply);
    return reply.text;
  };
}

const busyMs = 1000;
const waits = (cause: CreditsBusy): ModelUnavailable =>
  new ModelUnavailable('Other calls hold the credits that a cap leaves.', {
    retryable: true,
    retryAfterMs: busyMs,
    cause,
  });

const unavailable = (fault: ModelFault): ModelUnavailable =>
  new ModelUnavailable(fault.message, {
    retryable: fault.retryable,
    retryAfterMs: fault.retryAfterMs,
    cause: fault,
  });
