/** What is kept of a receiver's answer for people to read. */

/** Characters kept of a callback receiver's answer. */
export const RECORDED_CHARS = 5_000;

/**
 * UTF-8 with replacement characters for what is none, cut to `maxChars` UTF-16 units without halving a pair.
 * NUL is dropped: Postgres refuses it in text.
 */
export function recordedText(body: Uint8Array, maxChars = RECORDED_CHARS): string {
  const text = new TextDecoder().decode(body).replaceAll('\0', '');
  const end = isHighSurrogate(text.charCodeAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return text.slice(0, end);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
