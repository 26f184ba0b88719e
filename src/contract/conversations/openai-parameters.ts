/**
 * Parameters of OpenAI's API that Parley does not support. Those in `ignored` have no effect; most of them tune a
 * model, and an agent has its own model and settings. Those in `refused` lead to an error, unless their value changes
 * nothing (`isNeutral`).
 */
import { z } from 'zod';

/** Parameters that are dropped without an error. docs/api.md has the same list. */
const ignored = new Set([
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'top_k',
  'min_p',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'reasoning',
  'reasoning_effort',
  'verbosity',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'service_tier',
  'parallel_tool_calls',
  'include',
]);

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
const isFalse = (value: unknown) => value === false;
const isTextFormat = z.strictObject({ type: z.literal('text') });
const ownTools =
  'is not supported: an agent runs its own tools. Add the tool to the agent, or handle it in your program';

interface Refused {
  /** Returns true for a value that is accepted, because it changes nothing. */
  isNeutral: (value: unknown) => boolean;
  /** The error message without the parameter's name, for example "is not supported". */
  advice: string;
}

const refused: Readonly<Record<string, Refused>> = {
  tools: { isNeutral: isEmpty, advice: ownTools },
  functions: { isNeutral: isEmpty, advice: ownTools },
  tool_choice: { isNeutral: (value) => value === 'auto' || value === 'none', advice: ownTools },
  function_call: { isNeutral: (value) => value === 'auto' || value === 'none', advice: ownTools },
  max_tool_calls: { isNeutral: () => false, advice: ownTools },
  web_search_options: { isNeutral: () => false, advice: ownTools },
  n: { isNeutral: (value) => value === 1, advice: 'must be 1: an agent answers once' },
  logprobs: { isNeutral: isFalse, advice: 'is not supported: leave it out' },
  top_logprobs: { isNeutral: (value) => value === 0, advice: 'is not supported: leave it out' },
  logit_bias: {
    isNeutral: (value) => z.strictObject({}).safeParse(value).success,
    advice: 'is not supported: leave it out',
  },
  stop: { isNeutral: isEmpty, advice: 'is not supported: cut the answer in your program' },
  response_format: {
    isNeutral: (value) => isTextFormat.safeParse(value).success,
    advice: 'must be text: for JSON, give the agent an output_schema',
  },
  text: {
    isNeutral: (value) => z.strictObject({ format: isTextFormat.optional() }).safeParse(value).success,
    advice: 'must be text: for JSON, give the agent an output_schema',
  },
  modalities: {
    isNeutral: (value) => z.tuple([z.literal('text')]).safeParse(value).success,
    advice: 'must be ["text"]: agents answer with text',
  },
  audio: { isNeutral: () => false, advice: 'is not supported: agents answer with text' },
  prediction: { isNeutral: () => false, advice: 'is not supported: leave it out' },
  store: {
    isNeutral: (value) => value === true,
    advice:
      'cannot be false: Parley stores each message to answer it. Set a retention period, or delete the conversation',
  },
  background: {
    isNeutral: isFalse,
    advice: 'is not supported: send the message with POST /v1/chat/{id} and a webhook_url',
  },
  truncation: { isNeutral: (value) => value === 'auto' || value === 'disabled', advice: 'must be auto' },
  prompt: { isNeutral: () => false, advice: "is not supported: edit the agent's instructions" },
  context_management: { isNeutral: isEmpty, advice: 'is not supported: leave it out' },
};

/**
 * Wraps the schema of a request: drops the parameters in `ignored` and `refused`, and reports an error for each one in
 * `refused` whose value is not neutral. A parameter that is null counts as absent.
 * @param schema a strict schema, which reports all other unknown parameters
 */
export function withoutForeignParameters<S extends z.ZodType>(schema: S) {
  return z.preprocess((value, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const kept = Object.entries(value).filter(([name, given]) => {
      const rule = Object.hasOwn(refused, name) ? refused[name] : undefined;
      if (given === null || ignored.has(name)) return false;
      if (rule === undefined) return true;
      if (!rule.isNeutral(given))
        context.addIssue({ code: 'custom', path: [name], message: rule.advice, input: given });
      return false;
    });
    return Object.fromEntries(kept);
  }, schema);
}
