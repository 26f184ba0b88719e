/**
 * @returns the text without trailing characters that occur in `signs`. Unlike a pattern such as `/ +$/`, it takes
 * linear time for long runs of them.
 */
export function trimEndOf(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
