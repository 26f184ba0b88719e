/** From what the server says to programs to what the console says to people. */
import { errorTable } from '../contract/error-table.ts';
import { words } from './messages.ts';

const general: Readonly<Record<string, readonly [status: number, sentence: string]>> = errorTable;
const inWords: Readonly<Record<string, string | undefined>> = words.problems.general;

/** The console's words for a code, where the server says no more than what it says of every such refusal. */
export function sentenceFor(code: string, sentence: string): string {
  return general[code]?.[1] === sentence ? (inWords[code] ?? sentence) : sentence;
}

/** The console's words for what is wrong with one field. */
export function wordsForField(message: string): string {
  for (const [said, wordsFor] of words.problems.fields) {
    const found = said.exec(message);
    if (found !== null) return wordsFor(found[1] ?? '');
  }
  return message;
}
