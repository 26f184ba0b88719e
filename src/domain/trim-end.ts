/**
 * Removes the trailing characters that occur in `signs`. Takes linear time even for a long run of them, unlike a
 * pattern such as `/ +$/`.
 */
export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
