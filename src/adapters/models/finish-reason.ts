/** Classifies why a model stopped: at the end of its answer, at a limit, or without an answer. */
import { ModelFault } from './model.ts';

interface Finish {
  /** The AI SDK's unified reason: stop, length, content-filter, tool-calls, interrupted, error, other. */
  unified: string;
  /** The provider's own reason. */
  raw: string | undefined;
}

/** Providers' names for `length` that the SDK does not know, such as Mistral's `model_length`. */
const limits = /length|max_tokens/i;
/** The provider gave up, so the text until then is not an answer. Names of vLLM, OpenRouter, DeepSeek, Zhipu. */
const brokenOff = /^(abort|error|cancel|insufficient_system_resource|network_error)/i;

/** @throws ModelFault, retryable, if the model broke off, or returned neither text nor a tool call */
export function refuseNoAnswer({ unified, raw }: Finish, isEmpty: boolean): void {
  const said = { retryable: true, providerWords: `finish reason: ${(raw ?? unified).slice(0, 100)}` };
  // A stream that breaks off has no reason of its own.
  const hasEnded = unified !== 'interrupted' && (unified !== 'other' || raw !== undefined);
  if (!hasEnded || brokenOff.test(raw ?? '')) throw new ModelFault('The model broke off its answer.', said);
  if (isEmpty) throw new ModelFault('The model gave an empty answer.', said);
}

/** Whether a limit or a filter cut the answer off. */
export function isTruncated({ unified, raw = '' }: Finish): boolean {
  return unified === 'length' || raw === 'content_filter' || (unified === 'other' && limits.test(raw));
}
