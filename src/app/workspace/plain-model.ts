/** Provides the default model to document actions, as a function from a prompt to text. */
import type { Database } from '../../adapters/postgres/database.ts';
import { loadDefaultModel } from '../../adapters/postgres/models/model-providers.ts';
import { ModelFault, plainRequest, type Model, type ModelReply } from '../../adapters/models/model.ts';
import { measuredModelCall, type Models } from '../../adapters/models/models.ts';
import { scriptedModelId } from '../../contract/models/scripted.ts';
import { ModelUnavailable } from '../../workspace/failures.ts';

/**
 * Wraps the organization's default model in a function.
 * @param spent called with each reply before the action gets its text
 * @returns a function that rejects with ModelUnavailable if the model is missing or fails; undefined if the default
 * model is the scripted one, which cannot follow a schema
 */
export async function plainModel(
  { db, models }: { db: Database; models: Pick<Models, 'find'> },
  { organizationId, conversationId }: { organizationId: string; conversationId: string },
  signal: AbortSignal,
  spent: (model: string, reply: ModelReply) => Promise<void>,
): Promise<((prompt: string) => Promise<string>) | undefined> {
  let model: Model;
  try {
    model = models.find(await loadDefaultModel(db, organizationId), organizationId);
  } catch (error) {
    // Most actions need no model, so a missing model fails only the actions that call it.
    if (error instanceof ModelFault) return () => Promise.reject(unavailable(error));
    throw error;
  }
  if (model.id === scriptedModelId) return undefined;
  return async (prompt) => {
    const question = plainRequest({ organizationId, conversationId, signal }, prompt);
    const reply = await measuredModelCall(model.id, () => model.ask(question)).catch((error: unknown) => {
      throw error instanceof ModelFault ? unavailable(error) : error;
    });
    await spent(model.id, reply);
    return reply.text;
  };
}

const unavailable = (fault: ModelFault): ModelUnavailable =>
  new ModelUnavailable(fault.message, {
    retryable: fault.retryable,
    retryAfterMs: fault.retryAfterMs,
    cause: fault,
  });
