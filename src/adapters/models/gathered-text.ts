/**
 * Passes each piece of a model's text to a callback as it arrives, but merges the pieces for the AI SDK, because the
 * SDK's pipeline takes more time for each piece than all of our own code.
 */
import { wrapLanguageModel, type LanguageModelMiddleware } from 'ai';

export type ProviderModel = Parameters<typeof wrapLanguageModel>[0]['model'];

type Parts = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream'];
type Part = Parts extends ReadableStream<infer One> ? One : never;

/**
 * Wraps a model so that it merges adjacent pieces of text.
 * @param tell called with each piece of text as it arrives, in order
 */
export function withGatheredText(model: ProviderModel, tell: (piece: string) => void): ProviderModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        return { stream: ReadableStream.from(gathered(stream, tell)), ...rest };
      },
    },
  });
}

async function* gathered(parts: AsyncIterable<Part>, tell: (piece: string) => void): AsyncGenerator<Part> {
  let text: Extract<Part, { type: 'text-delta' }> | undefined;
  for await (const part of parts) {
    if (part.type === 'text-delta') {
      tell(part.delta);
      if (text?.id === part.id) {
        text.delta += part.delta;
        continue;
      }
    }
    if (text !== undefined) yield text;
    text = part.type === 'text-delta' ? { ...part } : undefined;
    if (text === undefined) yield part;
  }
  if (text !== undefined) yield text;
}
