/**
 * Converts the error of a failed model call to a ModelFault. Decides whether a retry may succeed, and writes a message
 * that callers may read. The provider's own text is separate, in `providerMessage`.
 */
import { APICallError, ToolChoiceViolationError } from 'ai';
import { keysOf } from '../../contract/keys-of.ts';
import { stepLimitSentence } from '../../domain/conversations/model-call.ts';
import { ModelFault, type FaultyPart, type ModelParameters } from './model.ts';
import { readProviderError, unreadableWords, type ProviderError } from './provider-error.ts';
import { cleanText } from './model-text.ts';

const maxRetryAfterMs = 120_000;

/**
 * Creates the ModelFault for an error of the AI SDK. If the provider's error cannot be read, the fault is retryable. If
 * the model called a tool in its last step, where tools are forbidden, the fault is not retryable.
 * @param id `provider/name` of the model
 * @param about.secrets redacted in the provider's text
 * @param about.parameters the parameters of the request, to name the one that the provider refused
 */
export function modelFault(
  error: unknown,
  id: string,
  about: { secrets: readonly string[]; parameters?: ModelParameters | undefined },
): ModelFault {
  const { secrets, parameters = {} } = about;
  if (ToolChoiceViolationError.isInstance(error)) {
    return new ModelFault(stepLimitSentence, { retryable: false, cause: error });
  }
  const said = readProviderError(error);
  const words = said?.words ?? unreadableWords(error);
  const kept = words === undefined || words === '' ? undefined : keptWords(words, secrets);
  const more = { cause: error, providerMessage: kept };
  if (said !== undefined) {
    const { sentence, advice = '', retryable, about: part, othersMayAnswer } = kindOf(said, id, parameters);
    const status = said.status === undefined ? '' : ` (${said.status})`;
    const retryAfterMs = retryable ? retryAfter(said.headers) : undefined;
    return new ModelFault(`${sentence}${status}.${advice}`, {
      retryable,
      retryAfterMs,
      about: part,
      othersMayAnswer,
      ...more,
    });
  }
  const isUnreached = APICallError.isInstance(error) && error.statusCode === undefined;
  return new ModelFault(
    isUnreached ? 'The model could not be reached.' : 'The model returned an answer that could not be read.',
    { retryable: true, about: 'address', othersMayAnswer: true, ...more },
  );
}

/** For each kind of failure, the codes and phrases with which providers report it. */
const known = {
  quota: {
    codes: /^(insufficient_quota|billing_\w+|insufficient_(balance|credits?))$/i,
    words: /exceeded your current quota|credit balance is too low|insufficient (balance|credits?|quota)/i,
  },
  context: {
    codes: /^(context_length_exceeded|exceed_context_size_error|context_window_exceeded)$/i,
    words:
      /maximum (context|prompt) length|context (size|length|window)|prompt (is )?too long|exceeds? the maximum (allowed )?(input length|number of tokens)|exceeded model token limit|reduce the length of the messages/i,
  },
  content: {
    codes: /^(content_filter|content_policy_violation|ResponsibleAIPolicyViolation|moderation_\w+)$/i,
    words: /content (management )?policy|content filter|requires moderation|\bflagged\b/i,
  },
  key: {
    codes: /^(invalid_api_key|authentication_error|API_KEY_INVALID)$/i,
    // Gemini refuses a wrong key with 400 INVALID_ARGUMENT, so only the text of the error mentions the key.
    words: /api key not valid|incorrect api key/i,
  },
  model: {
    codes: /^(model_not_found|model_not_available)$/i,
    words: /\bmodels?\b.{0,120}(not found|does not exist|not exist|do not have access)|^model: \S+$/i,
  },
};

/** For each parameter: its name in a sentence, and the words with which providers refuse it. */
const parameterNames = {
  temperature: { name: 'temperature', words: /temperature/i },
  max_output_tokens: { name: 'output cap', words: /max_?(completion|output)?_?tokens/i },
  reasoning_effort: { name: 'reasoning effort', words: /reasoning|thinking|effort/i },
  output_schema: { name: 'output schema', words: /schema|response_?format|output_?(config|format)/i },
} as const;

/** @returns the names of the agent's parameters that the provider's text mentions */
function refusedParameters(words: string, parameters: ModelParameters): string[] {
  return keysOf(parameterNames)
    .filter((key) => parameters[key] != null && parameterNames[key].words.test(words.slice(0, 4000)))
    .map((key) => parameterNames[key].name);
}

function kindOf(
  { status, codes, words = '' }: ProviderError,
  id: string,
  parameters: ModelParameters,
): {
  sentence: string;
  advice?: string;
  retryable: boolean;
  about?: FaultyPart;
  othersMayAnswer: boolean;
} {
  const is = (kind: keyof typeof known) =>
    codes.some((code) => known[kind].codes.test(code)) || known[kind].words.test(words.slice(0, 4000));
  if (status === 402 || is('quota')) {
    const sentence = 'The quota or credit at the model provider is used up';
    return { sentence, retryable: false, othersMayAnswer: true };
  }
  if (status !== 429 && is('context')) {
    const sentence = "The request is larger than the model's context window";
    return { sentence, retryable: false, othersMayAnswer: false };
  }
  if ((status === undefined || status < 429) && is('content')) {
    const sentence = 'The model provider refused the content of the request';
    return { sentence, retryable: false, othersMayAnswer: false };
  }
  if ((status === undefined || status < 429) && is('model')) {
    const sentence = `The model provider does not have the model ${id}`;
    return { sentence, retryable: false, about: 'model', othersMayAnswer: true };
  }
  const refused = status === 400 || status === 422 ? refusedParameters(words, parameters) : [];
  if (refused.length > 0) {
    const sentence = `The model provider refused the agent's ${refused.join(' and ')}`;
    const advice = ' Change it in the model settings of the agent.';
    return { sentence, advice, retryable: false, othersMayAnswer: false };
  }
  if (status === 401 || status === 403 || (status === 400 && is('key'))) {
    const sentence = 'The model provider refused the key';
    return { sentence, retryable: false, about: 'key', othersMayAnswer: true };
  }
  if (status === 429)
    return { sentence: 'The model provider limits the rate', retryable: true, othersMayAnswer: true };
  if (status === 413) {
    const sentence = 'The request is larger than the model provider accepts';
    return { sentence, retryable: false, othersMayAnswer: false };
  }
  // An error without a status arrived within a stream, after the request had been accepted.
  if (status === undefined || status >= 500 || status === 408 || status === 409 || status < 400) {
    return { sentence: 'The model provider failed', retryable: true, othersMayAnswer: true };
  }
  const isNoApi = status === 404;
  return {
    sentence: 'The model provider refused the request',
    retryable: false,
    // Nothing answers under the base URL, or the provider does not have the model.
    othersMayAnswer: isNoApi,
    ...(isNoApi && { about: 'address' }),
  };
}

/**
 * Reads OpenAI's `retry-after-ms`, or `retry-after` in seconds or as a date.
 * @returns milliseconds from now, 0 to `maxRetryAfterMs`; undefined if neither header can be read
 */
export function retryAfter(headers: NodeJS.Dict<string | string[]>): number | undefined {
  const { 'retry-after-ms': inMs, 'retry-after': header } = headers;
  const ms = typeof inMs === 'string' && /^\d+(\.\d+)?$/.test(inMs) ? Number(inMs) : msOf(header);
  return ms !== undefined && Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : undefined;
}

function msOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  return /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
}

const maxKeptChars = 500;
/**
 * Maximum characters of a text that are searched for keys. Keys are redacted before the text is cut to `maxKeptChars`;
 * otherwise half of a key could remain. Chosen.
 */
const maxRedactedChars = 4000;
/** Secrets with fewer characters are not redacted, because they may also be parts of ordinary words. Chosen. */
const minSecretChars = 6;

const keyForms = [
  /\b(?:sk|pk|rk|gsk|xai|hf|key|token)[-_][\w*.-]{6,}/gi,
  /(?<=\bbearer\s{1,3})[^\s"']{6,}/gi,
  /(?<=\bkey\b(?: provided)?:\s{1,3})[^\s"']{4,}/gi,
  /(?<=[?&](?:api[-_]?)?key=)[^\s&"']+/gi,
];

/**
 * Redacts keys in a provider's text, joins its lines, and cuts it after `maxKeptChars` characters. A cut text ends with
 * `…`.
 * @param secrets the configured keys, because a provider may quote a key that it refuses
 */
export function keptWords(words: string, secrets: readonly string[]): string {
  let text = cleanText(words.slice(0, maxRedactedChars));
  for (const secret of secrets) {
    if (secret.length >= minSecretChars) text = text.replaceAll(secret, '[key]');
  }
  for (const form of keyForms) text = text.replace(form, '[key]');
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxKeptChars ? `${line.slice(0, maxKeptChars).toWellFormed()}…` : line;
}
