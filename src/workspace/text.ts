/** Functions on text that take linear time. */

/**
 * @returns the text without the trailing `signs`. Unlike a pattern such as `/ +$/`, it takes linear time over long
 * runs.
 */
export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Decodes property ids, which are percent-encoded in pages and schemas. Text that does not decode is returned
 * unchanged.
 */
export function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * More than 30 marks on one letter, which no language needs; 30 is the maximum of UAX #15's Stream-Safe Text Format.
 */
const manyMarks = /\p{M}{31}/u;

/**
 * Composes letters and their marks into single characters (NFC). Text with very many marks on one letter is not
 * changed, because sorting them takes quadratic time.
 */
export const composed = (text: string): string => (manyMarks.test(text) ? text : text.normalize('NFC'));
