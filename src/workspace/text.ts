/** Text functions that take linear time even for hostile input. */

/**
 * Removes all characters at the end of the text that occur in `signs`. Takes linear time, unlike a regular expression
 * such as `/ +$/`.
 */
export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Decodes the id of a property. Pages and schemas contain these ids percent-encoded. Returns the text unchanged if it
 * cannot be decoded.
 */
export function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * Matches more than 30 combining marks in a row, which no language needs. 30 is the maximum of the Stream-Safe Text
 * Format (https://unicode.org/reports/tr15/#Stream_Safe_Text_Format).
 */
const manyMarks = /\p{M}{31}/u;

/**
 * Composes letters and their marks into single characters (NFC). Returns text with more than 30 marks in a row
 * unchanged, because sorting the marks takes quadratic time.
 */
export const composed = (text: string): string => (manyMarks.test(text) ? text : text.normalize('NFC'));
