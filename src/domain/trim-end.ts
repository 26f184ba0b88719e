/**
 * Removes all characters at the end of the text that occur in `signs`. Takes linear time, unlike a regular expression
 * such as `/ +$/`.
 */
export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
