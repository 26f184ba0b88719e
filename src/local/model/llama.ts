/** Runs a model with llama.cpp. Its package is not installed with Parley, so only the used part has types here. */
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { historyOf, toolsOf, type ChatRequest, type HistoryItem } from './chat-request.ts';
import { InputTooLong, type ChatModel, type Completion } from './chat-server.ts';
import { grammarSchema, type GrammarSchema } from './grammar-schema.ts';

type Functions = Readonly<Record<string, { description: string; params: GrammarSchema }>>;
type Grammar = { parse: (text: string) => unknown };

type Tokens = readonly number[];

/** The tokens that the engine has evaluated. The next request reuses them as far as it begins with the same tokens. */
interface Sequence {
  readonly nextTokenIndex: number;
  /** Keeps the evaluated tokens as far as they equal the beginning of `tokens`, and drops the rest. */
  adaptStateToTokens: (tokens: Tokens) => Promise<void>;
  evaluateWithoutGeneratingNewTokens: (tokens: Tokens) => Promise<void>;
}

interface Engine {
  getLlama: (options: object) => Promise<{
    loadModel: (options: object) => Promise<{
      tokenizer: object;
      createContext: (options: object) => Promise<{ getSequence: () => Sequence }>;
    }>;
    createGrammarForJsonSchema: (schema: GrammarSchema) => Promise<Grammar>;
    getGrammarFor: (kind: 'json') => Promise<Grammar>;
  }>;
  LlamaChat: new (options: object) => {
    chatWrapper: {
      generateContextState: (options: object) => {
        contextText: { tokenize: (tokenizer: object) => Tokens };
      };
    };
    generateResponse: (
      history: readonly HistoryItem[],
      options: object,
    ) => Promise<{
      response: string;
      functionCalls?: readonly { functionName: string; params: unknown }[];
      metadata: { stopReason: string };
    }>;
  };
}

const engineModule = z.custom<Engine>(
  (value) => typeof value === 'object' && value !== null && 'getLlama' in value && 'LlamaChat' in value,
);

/** Maximum tokens of an answer if the request sets no maximum. Chosen: small models may otherwise not stop. */
const usualAnswerTokens = 512;
/** Minimum tokens of the context that the input leaves for the answer. With fewer, the request fails. Chosen. */
const minAnswerTokens = 64;
/** Tokens of the input that are evaluated at once, between two checks for an abort. Measured: 0.5 s on one core. */
const evaluatedAtOnce = 128;
/** Maximum threads of the engine. Chosen: more threads make a small model no faster. */
const maxThreads = 8;
/** Temperature if the request sets none. Chosen low: the answers of small models become incoherent at a higher one. */
const usualTemperature = 0.3;

/**
 * Penalties for what an answer repeats. Not for a form that is forced, because JSON repeats its keys. Chosen: without
 * them, a small model may repeat one sentence up to the maximum. The engine ignores `dryRepeatPenalty` without `lastTokens`.
 */
const withoutLoops = {
  repeatPenalty: { lastTokens: 128, frequencyPenalty: 0.3 },
  dryRepeatPenalty: { strength: 0.8, lastTokens: usualAnswerTokens },
} as const;

/** The form of a forced tool call. */
const forcedCall = z.object({ name: z.string(), arguments: z.unknown() });

/**
 * Loads a model. It answers one request at a time; the caller must not make two calls at once.
 * @param options.engine path of node-llama-cpp's module
 * @param options.file path of the GGUF file
 */
export async function loadLlama(options: {
  engine: string;
  file: string;
  name: string;
  contextTokens: number;
}): Promise<ChatModel> {
  const { name, contextTokens } = options;
  const { getLlama, LlamaChat } = engineModule.parse(await import(pathToFileURL(options.engine).href));
  const llama = await getLlama({
    build: 'never',
    skipDownload: true,
    gpu: false,
    progressLogs: false,
    logLevel: 'disabled',
  });
  const loaded = await llama.loadModel({ modelPath: options.file });
  // Leaves one processor to the other parts of Parley. The threads of llama.cpp wait for each other without sleeping:
  // measured, an answer took 39 s instead of 1 s if one of them had to share its processor.
  const threads = Math.min(Math.max(1, availableParallelism() - 1), maxThreads);
  const context = await loaded.createContext({ contextSize: contextTokens, sequences: 1, threads });
  const sequence = context.getSequence();
  const chat = new LlamaChat({ contextSequence: sequence });

  return {
    name,
    complete: async (request, { signal, cut, onText }) => {
      const history = historyOf(request);
      const { tools, isForced } = toolsOf(request);
      const isCall = isForced && tools.length > 0;
      const grammar = isCall ? await callGrammar(tools) : await answerGrammar(request);
      const functions = grammar === undefined && tools.length > 0 ? functionsOf(tools) : undefined;
      const input = tokensOf(history, functions);
      const promptTokens = input.length;
      const room = contextTokens - promptTokens;
      if (room < minAnswerTokens) {
        throw new InputTooLong(
          `The input has ${promptTokens} tokens, which exceeds the context size of ${contextTokens} tokens with room for an answer.`,
        );
      }
      const asked = request.max_completion_tokens ?? request.max_tokens ?? usualAnswerTokens;
      const ending = AbortSignal.any([signal, cut]);
      await evaluate(input, ending);
      signal.throwIfAborted();
      let outputTokens = 0;
      const done = await chat.generateResponse(history, {
        maxTokens: Math.min(asked, room - 1),
        temperature: request.temperature ?? usualTemperature,
        ...(grammar === undefined && withoutLoops),
        customStopTriggers: request.stop ?? [],
        signal: ending,
        stopOnAbortSignal: true,
        onToken: (tokens: readonly unknown[]) => (outputTokens += tokens.length),
        ...(grammar === undefined ? { functions, documentFunctionParams: true } : { grammar }),
        ...(!isCall && { onTextChunk: onText }),
      });
      signal.throwIfAborted();
      const isCut = done.metadata.stopReason === 'maxTokens' || done.metadata.stopReason === 'abort';
      const counted = { promptTokens, outputTokens };
      if (isCall && !isCut) return { ...counted, ...callOf(done.response) };
      const calls = (done.functionCalls ?? []).map(({ functionName, params }) => ({
        name: functionName,
        arguments: JSON.stringify(params ?? {}),
      }));
      const finish = isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
      return { ...counted, text: isCall ? '' : done.response, calls, finish };
    },
  };

  /**
   * Evaluates the input, except its last token, in parts, and stops at an abort. Without this, the engine would
   * evaluate the whole input at once, and an abort would have no effect until then.
   */
  async function evaluate(input: Tokens, signal: AbortSignal): Promise<void> {
    await sequence.adaptStateToTokens(input);
    while (!signal.aborted && sequence.nextTokenIndex < input.length - 1) {
      const from = sequence.nextTokenIndex;
      const part = input.slice(from, Math.min(from + evaluatedAtOnce, input.length - 1));
      await sequence.evaluateWithoutGeneratingNewTokens(part);
    }
  }

  function tokensOf(history: readonly HistoryItem[], availableFunctions: Functions | undefined): Tokens {
    const last = history.at(-1)?.type === 'model' ? [] : [{ type: 'model', response: [] }];
    const state = chat.chatWrapper.generateContextState({
      chatHistory: [...history, ...last],
      ...(availableFunctions !== undefined && { availableFunctions, documentFunctionParams: true }),
    });
    return state.contextText.tokenize(loaded.tokenizer);
  }

  async function callGrammar(tools: ReturnType<typeof toolsOf>['tools']): Promise<Grammar> {
    const oneOf = tools.map((tool) => ({
      type: 'object',
      properties: { name: { const: tool.name }, arguments: grammarSchema(objectOf(tool.parameters)) },
    }));
    return await llama.createGrammarForJsonSchema({ oneOf });
  }

  async function answerGrammar({ response_format: format }: ChatRequest): Promise<Grammar | undefined> {
    if (format?.type === 'json_object') return await llama.getGrammarFor('json');
    if (format?.type !== 'json_schema') return undefined;
    return await llama.createGrammarForJsonSchema(grammarSchema(format.json_schema.schema));
  }
}

const objectOf = (schema: Record<string, unknown> | undefined) => ({ type: 'object', ...schema });

function functionsOf(tools: ReturnType<typeof toolsOf>['tools']): Functions {
  return Object.fromEntries(
    tools.map(({ name, description = '', parameters }) => [
      name,
      { description, params: grammarSchema(objectOf(parameters)) },
    ]),
  );
}

function callOf(text: string): Pick<Completion, 'text' | 'calls' | 'finish'> {
  const { name, arguments: given } = forcedCall.parse(JSON.parse(text));
  return {
    text: '',
    calls: [{ name, arguments: JSON.stringify(given ?? {}) }],
    finish: 'tool_calls',
  };
}
