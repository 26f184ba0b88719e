/** Makes the answers of a model fit the output schema of an agent. */
import { ModelFault, type Model, type ModelReply } from '../../adapters/models/model.ts';
import { cleanJson } from '../../adapters/models/model-text.ts';
import type { AgentContent } from '../../contract/conversations/agent-versions.ts';
import { checkArguments, maxInputChars } from '../http-tools/check-arguments.ts';

/** Maximum characters of a problem that the model and the organization read. Chosen. */
const maxProblemChars = 1000;

/**
 * Wraps a model so that its answers fit the schema. A reply that calls tools is no answer, and is returned unchanged. If
 * an answer does not fit, asks the model once more, with the reason; the reply then contains the tokens of both calls.
 * The text of an answer that fits becomes the JSON that was checked. A reader of the stream gets the text in one piece,
 * after the check.
 * @param schema the output schema of the agent's version; null or undefined: returns the model itself
 * @returns a model whose `ask` throws ModelFault `output_invalid`, not retryable, if no answer fits
 */
export function fittingModel(model: Model, schema: AgentContent['output_schema']): Model {
  if (schema == null) return model;
  return {
    ...model,
    ask: async ({ onText, history, attachments, ...question }) => {
      const began = performance.now();
      // Both calls share the files, whose bytes are held once.
      const request = { ...question, history: once(history), attachments: once(attachments) };
      let reply = await model.ask(request);
      let checked = checkReply(schema, reply);
      if ('problem' in checked && model.canRepair === true) {
        const { text } = reply;
        const repair = { text, problem: checked.problem, spentMs: performance.now() - began };
        reply = withTokensOf(reply, await model.ask({ ...request, repair }));
        checked = checkReply(schema, reply);
      }
      if ('problem' in checked)
        throw new ModelFault("The model's answer does not fit the output schema of the agent.", {
          retryable: false,
          code: 'output_invalid',
          providerMessage: `The answer does not fit: ${checked.problem}`,
        });
      if (checked.reply.text !== '') onText?.(checked.reply.text);
      return checked.reply;
    },
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}

type Schema = NonNullable<AgentContent['output_schema']>;

/** Checks a reply. If it is an answer that fits, its text becomes the JSON that was checked, with the schema's defaults. */
function checkReply(schema: Schema, reply: ModelReply): { reply: ModelReply } | { problem: string } {
  if (reply.calls.length > 0) return { reply };
  const text = withoutFence(reply.text);
  if (text.length > maxInputChars) return { problem: `it has more than ${maxInputChars} characters.` };
  try {
    const parsed = cleanJson(JSON.parse(text));
    if (typeof parsed !== 'object' || parsed === null) return { problem: 'it is not a JSON object.' };
    const checked = checkArguments(schema, parsed);
    if (checked.kind === 'refused') return { problem: checked.message.slice(0, maxProblemChars) };
    return { reply: { ...reply, text: JSON.stringify(checked.input), structured: true } };
  } catch (error) {
    // A RangeError means that the JSON is nested too deeply for the stack.
    if (error instanceof SyntaxError || error instanceof RangeError)
      return { problem: 'it is not valid JSON.' };
    throw error;
  }
}

/** Removes the marks of a Markdown code block, which some models put around JSON. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  const begin = /^```(?:json)?\s*\n/i.exec(trimmed)?.[0];
  return begin === undefined || !trimmed.endsWith('```') ? trimmed : trimmed.slice(begin.length, -3).trim();
}

function withTokensOf(first: ModelReply, reply: ModelReply): ModelReply {
  return {
    ...reply,
    inputTokens: first.inputTokens + reply.inputTokens,
    outputTokens: first.outputTokens + reply.outputTokens,
    cachedInputTokens: (first.cachedInputTokens ?? 0) + (reply.cachedInputTokens ?? 0),
  };
}
