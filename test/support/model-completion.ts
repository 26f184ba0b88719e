/** A chat completion in the two forms of the OpenAI protocol: streamed, and whole. */
export type Completion = {
  text: string;
  /** Arguments that are text are sent unchanged, even if they are no JSON. */
  call: { name: string; input: unknown };
  /** The model's name in the provider's answer. */
  model: string;
  /** Why the model stopped; by default the end of its text, or its call. */
  finish: string;
  /** Null: the provider does not tell. */
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
  } | null;
};

type Given = Partial<Completion> & { model: string };

const id = 'chatcmpl-1';
const created = 1_700_000_000;

/** The usage that a provider reports by default. */
export const usualUsage = { prompt_tokens: 11, completion_tokens: 7 };

function usageOf({ usage = usualUsage }: Given) {
  return usage && { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens };
}

function finishOf({ finish, call }: Given): string {
  return finish ?? (call === undefined ? 'stop' : 'tool_calls');
}

function toolCall({ name, input }: Completion['call']) {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { id: `call_${name}`, type: 'function', function: { name, arguments: text } };
}

/** Server-sent events: text in pieces, tool arguments in two, then usage. */
export function streamOf(given: Given): string[] {
  const { text = '', call, model } = given;
  const event = (choices: unknown[], more = {}) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices, ...more })}\n\n`;
  const delta = (content: Record<string, unknown>) =>
    event([{ index: 0, delta: content, finish_reason: null }]);
  const events = [delta({ role: 'assistant', content: '' })];
  for (const piece of text.match(/[^]{1,7}/g) ?? []) events.push(delta({ content: piece }));
  if (call !== undefined) {
    const { function: called, ...head } = toolCall(call);
    const half = Math.ceil(called.arguments.length / 2);
    const named = { ...head, function: { name: called.name, arguments: called.arguments.slice(0, half) } };
    events.push(delta({ tool_calls: [{ index: 0, ...named }] }));
    events.push(delta({ tool_calls: [{ index: 0, function: { arguments: called.arguments.slice(half) } }] }));
  }
  events.push(event([{ index: 0, delta: {}, finish_reason: finishOf(given) }]));
  events.push(event([], { usage: usageOf(given) }));
  return events;
}

export function completionOf(given: Given): Record<string, unknown> {
  const { text = '', call, model } = given;
  const message = { role: 'assistant', content: text, ...(call && { tool_calls: [toolCall(call)] }) };
  const choice = { index: 0, message, finish_reason: finishOf(given) };
  return { id, object: 'chat.completion', created, model, choices: [choice], usage: usageOf(given) };
}
