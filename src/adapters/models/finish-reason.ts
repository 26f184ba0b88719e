/** Why a model stopped: at the end of its answer, at a limit that cut it off, or without having answered. */
import { ModelFault } from './model.ts';

interface Finish {
  /** As the AI SDK sorts it: stop, length, content-filter, tool-calls, interrupted, error, other. */
  unified: string;
  /** As the provider calls it. */
  raw: string | undefined;
}

/** `length` in the providers' own names that the SDK does not know, such as Mistral's `model_length`. */
const limits = /length|max_tokens/i;
/** The provider gave up: what it had said by then is no answer. vLLM, OpenRouter, DeepSeek, Zhipu. */
const brokenOff = /^(abort|error|cancel|insufficient_system_resource|network_error)/i;

/** @throws ModelFault, retryable, if the model broke off, or said nothing and called nothing */
export function refuseNoAnswer({ unified, raw }: Finish, isEmpty: boolean): void {
  const said = { retryable: true, providerWords: `finish reason: ${(raw ?? unified).slice(0, 100)}` };
  // A stream that just ends has no reason of its own.
  const hasEnded = unified !== 'interrupted' && (unified !== 'other' || raw !== undefined);
  if (!hasEnded || brokenOff.test(raw ?? '')) throw new ModelFault('The model broke off its answer.', said);
  if (isEmpty) throw new ModelFault('The model gave an empty answer.', said);
}

export function isTruncated({ unified, raw = '' }: Finish): boolean {
  return unified === 'length' || raw === 'content_filter' || (unified === 'other' && limits.test(raw));
}
