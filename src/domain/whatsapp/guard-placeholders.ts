/**
 * The gateway replaces `{{name}}`, `{{lead_email}}` and others in every text it sends, and documents no escape: an
 * answer that holds such a sign would be altered, or print a contact's private fields. A word joiner between the
 * braces is invisible and makes them no placeholder.
 */
const wordJoiner = '\u2060';

export function guardPlaceholders(text: string): string {
  return text.replace(/\{(?=\{)/g, `{${wordJoiner}`).replace(/\}(?=\})/g, `}${wordJoiner}`);
}
