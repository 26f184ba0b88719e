/** Finds the differences between a recorded turn and the same turn asked again. */
import type { TurnCall } from '../../../contract/rehearsals/rehearsals.ts';
import { sortedJson } from '../../components/json.ts';
import { linksIn, readBlocks, shownText } from '../../components/markdown.ts';

/** A text in three parts. `start` and `end` also begin and end the text with which it is compared. */
export interface DifferingText {
  start: string;
  differs: string;
  end: string;
}

/** Splits each of two texts into the common start, the part that differs, and the common end. Does not split words. */
export function differingTexts(one: string, other: string): [DifferingText, DifferingText] {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const split = (words: readonly string[]): DifferingText => ({
    start: words.slice(0, start).join(''),
    differs: words.slice(start, words.length - end).join(''),
    end: words.slice(words.length - end).join(''),
  });
  return [split(left), split(right)];
}

/** Finds the part that differs in each of two Markdown texts. @returns its places in the `shownText` of each text */
export function differingPlaces(one: string, other: string): [from: number, to: number][] {
  const [shown, otherShown] = [shownText(readBlocks(one)), shownText(readBlocks(other))];
  return differingTexts(shown, otherShown).map(({ start, differs }) => [
    start.length,
    start.length + differs.length,
  ]);
}

/** True if two Markdown texts differ in what is not shown: in the addresses of links, or only in marks. */
export function differsUnseen(one: string, other: string): boolean {
  const [blocks, otherBlocks] = [readBlocks(one), readBlocks(other)];
  return (
    linksIn(blocks).join('\n') !== linksIn(otherBlocks).join('\n') ||
    (one !== other && shownText(blocks) === shownText(otherBlocks))
  );
}

/** Splits a text into words and the spaces between them. */
const wordsOf = (text: string): string[] => text.match(/\s+|\S+/g) ?? [];

/**
 * Compares calls by name and arguments, in any order of the calls and of the arguments' keys.
 * @returns for each of `calls`, true if `others` has no call that is equal. Each of `others` is matched only once.
 */
export function differingCalls(calls: readonly TurnCall[], others: readonly TurnCall[]): boolean[] {
  const left = others.map(textOf);
  return calls.map((call) => {
    const at = left.indexOf(textOf(call));
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

const textOf = ({ name, arguments: given }: TurnCall): string => `${name} ${sortedJson(given)}`;
