/** Finds the console's text for an error message of the API. */
import { errorTable } from '../contract/error-table.ts';
import { texts } from './messages.ts';

const t = () => texts.problems;

type Rule = readonly [said: RegExp, sentence: (bound: string) => string];
const fields: readonly Rule[] = [
  [/^Too small: expected string to have >=1 characters$/, () => t().empty],
  [/^Too small: expected string to have >=(\d+) characters$/, (min) => t().minChars(min)],
  [/^Too big: expected string to have <=(\d+) characters$/, (max) => t().maxChars(max)],
  [/^Too small: expected number to be >=(\S+)$/, (min) => t().atLeast(min)],
  [/^Too big: expected number to be <=(\S+)$/, (max) => t().atMost(max)],
  [/^Too big: expected array to have <=(\d+) items$/, (max) => t().maxItems(max)],
  [/^Invalid input: expected int, /, () => t().whole],
  [/^Invalid input: expected number, /, () => t().number],
  [/^Invalid input: expected \w+, received undefined$/, () => t().missing],
  [/^Invalid option: expected one of (.+)$/, (options) => t().oneOf(options.replaceAll('|', ', '))],
  [/^Invalid email address$/, () => t().email],
  [/^Invalid URL$/, () => t().url],
];

const sentences: Readonly<Record<string, readonly [status: number, sentence: string] | undefined>> =
  errorTable;

/**
 * @returns the console's text if `sentence` is the API's general message for the code; otherwise `sentence` unchanged
 */
export function textForProblem(code: string, sentence: string): string {
  const general: Readonly<Record<string, string | undefined>> = texts.problems.general;
  return sentences[code]?.[1] === sentence ? (general[code] ?? sentence) : sentence;
}

/** @returns the console's text for the API's message about an invalid field; an unknown message unchanged */
export function textForField(message: string): string {
  for (const [said, sentence] of fields) {
    const found = said.exec(message);
    if (found !== null) return sentence(found[1] ?? '');
  }
  return message;
}
