/**
 * Breaks up `{{…}}` in outgoing text. The gateway replaces `{{name}}`, `{{lead_email}}` and others in every text it
 * sends and documents no escape, so such an answer would be altered or would print a contact's private fields. An
 * invisible word joiner between the braces prevents it.
 */
const wordJoiner = '\u2060';

export function guardPlaceholders(text: string): string {
  return text.replace(/\{(?=\{)/g, `{${wordJoiner}`).replace(/\}(?=\})/g, `}${wordJoiner}`);
}
