/** Records the part of a receiver's response that people read later. */

/** Characters stored of a callback receiver's response. Chosen. */
export const RECORDED_CHARS = 5_000;

/**
 * Decodes UTF-8 with replacement characters, drops NUL (Postgres refuses it in text), and cuts to `maxChars` UTF-16
 * units without splitting a surrogate pair.
 */
export function recordedText(body: Uint8Array, maxChars = RECORDED_CHARS): string {
  const text = new TextDecoder().decode(body).replaceAll('\0', '');
  const end = isHighSurrogate(text.charCodeAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return text.slice(0, end);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
