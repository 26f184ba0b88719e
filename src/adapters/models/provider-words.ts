/** Shortens a provider's text for people: one line, without keys. */
import { cleanText } from './model-text.ts';

const maxChars = 500;
/** Redacts the whole text before it is cut; otherwise half of a key could remain at the end. */
const maxReadChars = 4000;
/** Redacting shorter secrets would remove parts of ordinary words. */
const minSecretChars = 6;

const keyForms = [
  /\b(?:sk|pk|rk|gsk|xai|hf|key|token)[-_][\w*.-]{6,}/gi,
  /(?<=\bbearer\s{1,3})[^\s"']{6,}/gi,
  /(?<=\bkey\b(?: provided)?:\s{1,3})[^\s"']{4,}/gi,
  /(?<=[?&](?:api[-_]?)?key=)[^\s&"']+/gi,
];

/** @param secrets the configured keys: a provider may repeat a key that it refuses */
export function keptWords(words: string, secrets: readonly string[]): string {
  let text = cleanText(words.slice(0, maxReadChars));
  for (const secret of secrets) {
    if (secret.length >= minSecretChars) text = text.replaceAll(secret, '[key]');
  }
  for (const form of keyForms) text = text.replace(form, '[key]');
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxChars ? `${line.slice(0, maxChars).toWellFormed()}…` : line;
}
