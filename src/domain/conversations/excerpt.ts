/**
 * Cuts excerpts around the matches of a message search (search_messages.sql). Ignores case and accents, as the search
 * does. A search word of one character is an exception: the search matches it only with the same word, but here it
 * matches the beginning of any word, like longer search words.
 */
const word = /[\p{L}\p{N}\p{M}]+/gu;
const accents = /[\u0300-\u036f]/g;
/** Maximum characters of a word. The rest of a longer word is ignored, as in the search index. */
const maxWordChars = 60;
const maxWords = 8;

const plain = (text: string) =>
  text.slice(0, maxWordChars).normalize('NFD').replaceAll(accents, '').toLowerCase();

/** @returns the first `maxWords` words of the text, in lower case, without accents, each cut to `maxWordChars` */
export function searchWords(text: string): string[] {
  return [...text.matchAll(word)].slice(0, maxWords).map(([found]) => plain(found));
}

/**
 * Cuts an excerpt around the first word of the text that begins with one of `words`. If there is no such word, returns
 * the beginning of the text.
 * @param words as `searchWords` returns them
 * @param maxChars maximum UTF-16 code units of the excerpt; the ellipses that mark omitted text are not counted
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
