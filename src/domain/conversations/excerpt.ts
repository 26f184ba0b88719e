/**
 * Cuts excerpts around the matches of a message search. Finds the matches by the rules of that search: ignores case and
 * accents, and a search word matches the beginning of any word.
 */
const word = /[\p{L}\p{N}\p{M}]+/gu;
const accents = /[\u0300-\u036f]/g;
/** Maximum characters of a word; longer words are cut, as in the search index. */
const maxWordChars = 60;
const maxWords = 8;

const plain = (text: string) =>
  text.slice(0, maxWordChars).normalize('NFD').replaceAll(accents, '').toLowerCase();

/** @returns the words to search for: the first `maxWords` of the text, without accents, in lower case */
export function searchWords(text: string): string[] {
  return [...text.matchAll(word)].slice(0, maxWords).map(([found]) => plain(found));
}

/**
 * Cuts an excerpt around the first word that begins with one of `words`; if there is none, returns the start of the
 * text.
 * @param words as `searchWords` returns them
 * @param maxChars maximum UTF-16 units of the excerpt, without the ellipses that mark omitted text
 */
export function excerptAround(text: string, words: readonly string[], maxChars: number): string {
  let at = 0;
  for (const match of text.matchAll(word)) {
    if (!words.some((one) => plain(match[0]).startsWith(one))) continue;
    at = match.index;
    break;
  }
  // The excerpt begins before the match, to show its context.
  const from = at < maxChars / 2 ? 0 : at - Math.floor(maxChars / 4);
  const cut = text.slice(from, from + maxChars).trim();
  return `${from > 0 ? '… ' : ''}${cut}${from + maxChars < text.length ? ' …' : ''}`;
}
