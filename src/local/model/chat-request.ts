/** The part of OpenAI's chat completion requests that the small model accepts. */
import { z } from 'zod';

/** Maximum messages and tools of a request. Chosen: more do not fit into the context. */
const maxMessages = 1000;
const maxTools = 128;

const textPart = z.object(
  { type: z.literal('text'), text: z.string() },
  'must be text: this model takes no files',
);
const content = z.union([
  z.string(),
  z.array(textPart).transform((parts) => parts.map(({ text }) => text).join('\n')),
]);
const calledFunction = z.object({ name: z.string().min(1).max(100), arguments: z.string() });

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content }),
  z.object({ role: z.literal('user'), content }),
  z.object({
    role: z.literal('assistant'),
    content: content.nullish(),
    tool_calls: z.array(z.object({ id: z.string(), function: calledFunction })).nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);

const functionName = z.string().regex(/^[\w-]{1,100}$/, 'must have letters, digits, _ and - only');
const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: functionName,
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

export const chatRequest = z.object({
  messages: z.array(message).min(1).max(maxMessages),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  stop: z
    .union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).max(4)])
    .transform((stop) => (typeof stop === 'string' ? [stop] : stop))
    .nullish(),
  tools: z.array(tool).max(maxTools).nullish(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.object({ type: z.literal('function'), function: z.object({ name: functionName }) }),
    ])
    .nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }),
      }),
    ])
    .nullish(),
});
export type ChatRequest = z.output<typeof chatRequest>;
type Tool = z.output<typeof tool>['function'];

/** Returns the tools that the model may call, and whether it must call one of them. */
export function toolsOf({ tools, tool_choice: choice }: ChatRequest): { tools: Tool[]; isForced: boolean } {
  const all = (tools ?? []).map((one) => one.function);
  if (choice === 'none') return { tools: [], isForced: false };
  if (typeof choice === 'object' && choice !== null) {
    return { tools: all.filter(({ name }) => name === choice.function.name), isForced: true };
  }
  return { tools: all, isForced: choice === 'required' };
}

/** A message in the form of node-llama-cpp. */
export type HistoryItem =
  | { type: 'system' | 'user'; text: string }
  | {
      type: 'model';
      response: (string | { type: 'functionCall'; name: string; params: unknown; result: unknown })[];
    };

/**
 * Converts the messages to the form of node-llama-cpp. A tool's result becomes part of its call, and consecutive
 * messages of the assistant become one item.
 */
export function historyOf({ messages }: ChatRequest): HistoryItem[] {
  const results = new Map(
    messages.flatMap((one) => (one.role === 'tool' ? [[one.tool_call_id, one.content] as const] : [])),
  );
  const history: HistoryItem[] = [];
  for (const one of messages) {
    if (one.role === 'tool') continue;
    if (one.role !== 'assistant') {
      history.push({ type: one.role === 'user' ? 'user' : 'system', text: one.content });
      continue;
    }
    const last = history.at(-1);
    const response = last?.type === 'model' ? last.response : [];
    if (last?.type !== 'model') history.push({ type: 'model', response });
    if (typeof one.content === 'string' && one.content !== '') response.push(one.content);
    for (const { id, function: called } of one.tool_calls ?? []) {
      const params = parsed(called.arguments);
      response.push({ type: 'functionCall', name: called.name, params, result: results.get(id) ?? '' });
    }
  }
  return history;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
