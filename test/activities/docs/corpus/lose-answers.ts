/** Every recorded rich text, as it was sent and as it was answered, written again in each way with the answer lost. */
import type { Recording } from '../../../support/workspace/corpus/recording.ts';
import { asString, isObject, type Json, type JsonObject } from '../../../support/workspace/json.ts';
import { lostAnswer, placeOf, ways } from '../support/lost-answers.ts';
import { Harness } from '../support/workspace-harness.ts';

export interface LostAnswers {
  /** Distinct ones. */
  texts: number;
  writes: number;
  once: number;
  byKind: Map<string, number>;
  wrong: string[];
}

const isRichText = (value: Json): value is JsonObject[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (item) =>
      isObject(item) &&
      (isObject(item['mention']) ||
        (isObject(item['equation']) && !('object' in item)) ||
        (isObject(item['text']) && typeof item['text']['content'] === 'string')),
  );

function gather(value: Json, found: Map<string, JsonObject[]>): void {
  if (isRichText(value)) found.set(JSON.stringify(value), value);
  else if (Array.isArray(value)) for (const each of value) gather(each, found);
  else if (isObject(value)) for (const each of Object.values(value)) gather(each, found);
}

const kindOf = (item: JsonObject): string => {
  const { mention } = item;
  if (isObject(mention)) return `mention of ${asString(mention['type']) || (Object.keys(mention)[0] ?? '')}`;
  return isObject(item['equation']) ? 'equation' : 'text';
};

export async function loseAnswers(recordings: readonly Recording[]): Promise<LostAnswers> {
  const texts = new Map<string, JsonObject[]>();
  for (const { body, answer } of recordings.flatMap(({ exchanges }) => exchanges)) {
    gather(body, texts);
    gather(answer, texts);
  }
  const result: LostAnswers = { texts: texts.size, writes: 0, once: 0, byKind: new Map(), wrong: [] };
  const harness = await Harness.start();
  try {
    for (const [json, items] of texts) {
      const kind = [...new Set(items.map(kindOf))].sort().join(', ');
      result.byKind.set(kind, (result.byKind.get(kind) ?? 0) + 1);
      harness.emulator.reset();
      const place = await placeOf(harness);
      for (const [title, way] of Object.entries(ways)) {
        const problem = await lostAnswer(harness, place, way, items);
        result.writes += 1;
        if (problem === undefined) result.once += 1;
        else result.wrong.push(`${title}: ${problem}: ${json.slice(0, 300)}`);
      }
    }
  } finally {
    await harness.emulator.stop();
  }
  return result;
}
