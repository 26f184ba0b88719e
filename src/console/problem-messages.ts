/** Replaces the server's sentences for programs with the console's sentences for people. */
import { errorTable } from '../contract/error-table.ts';
import { words } from './messages.ts';

const general: Readonly<Record<string, readonly [status: number, sentence: string]>> = errorTable;
const inWords: Readonly<Record<string, string | undefined>> = words.problems.general;

/** The console's sentence for an error code, if the server sent only its general sentence for that code. */
export function sentenceFor(code: string, sentence: string): string {
  return general[code]?.[1] === sentence ? (inWords[code] ?? sentence) : sentence;
}

/** The console's sentence for an invalid field. */
export function wordsForField(message: string): string {
  for (const [said, wordsFor] of words.problems.fields) {
    const found = said.exec(message);
    if (found !== null) return wordsFor(found[1] ?? '');
  }
  return message;
}
