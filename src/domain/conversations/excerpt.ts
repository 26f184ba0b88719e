/**
 * Cuts excerpts around the matches of a message search. Matches as that search does: ignores case and accents, and a
 * searched word matches the beginning of a word.
 */
const word = /[\p{L}\p{N}\p{M}]+/gu;
const accents = /[\u0300-\u036f]/g;
/** Maximum characters of a word; longer words are cut, as in the search index. */
const maxWordChars = 60;
const maxWords = 8;

const plain = (text: string) =>
  text.slice(0, maxWordChars).normalize('NFD').replaceAll(accents, '').toLowerCase();

/** @returns the words that are searched for: the first 8 of the text */
export function searchWords(text: string): string[] {
  return [...text.matchAll(word)].slice(0, maxWords).map(([found]) => plain(found));
}

/**
 * Cuts a text to an excerpt around the first word that begins with one of `words`, or from its start if there is none.
 * @param words as `searchWords` returns them
 * @param maxChars maximum UTF-16 units of the excerpt, without the ellipses that mark missing text
 */
export function excerptAround(text: string, words: readonly string[], maxChars: number): string {
  let at = 0;
  for (const match of text.matchAll(word)) {
    if (!words.some((one) => plain(match[0]).startsWith(one))) continue;
    at = match.index;
    break;
  }
  // Some text before the match shows its context.
  const from = at < maxChars / 2 ? 0 : at - Math.floor(maxChars / 4);
  const cut = text.slice(from, from + maxChars).trim();
  return `${from > 0 ? '… ' : ''}${cut}${from + maxChars < text.length ? ' …' : ''}`;
}
