/** Text functions that take linear time even for hostile input. */

/**
 * Removes all characters at the end of the text that occur in `signs`. Takes linear time, unlike a pattern such as
 * `/ +$/`.
 */
export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Decodes a property id, because pages and schemas contain the ids percent-encoded. Returns text that cannot be decoded
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
 * More than 30 combining marks in a row; no language needs so many. 30 is the maximum of the Stream-Safe Text Format
 * (UAX #15).
 */
const manyMarks = /\p{M}{31}/u;

/**
 * Composes letters and their marks to single characters (NFC). Leaves text with very many marks in a row unchanged,
 * because sorting the marks takes quadratic time.
 */
export const composed = (text: string): string => (manyMarks.test(text) ? text : text.normalize('NFC'));
