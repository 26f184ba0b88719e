/** Schemas of text that Postgres can store, and a class for JSON text that Parley returns unchanged. */
import { z } from 'zod';

const wellFormed = 'must be well-formed Unicode without a NUL character';

/**
 * Returns the schema of a text of at most `max` UTF-16 units that Postgres can store: well-formed Unicode without a NUL
 * character.
 */
export function text(max: number) {
  return textLike(max, noNul, wellFormed);
}

/**
 * Returns the schema of a text that Postgres can store and that matches a pattern.
 * @param pattern must reject NUL, and use only syntax that Python, Go, Java and Rust share, because the OpenAPI
 * document contains it
 */
export function textLike(max: number, pattern: RegExp, message: string) {
  return z
    .string()
    .max(max)
    .regex(pattern, message)
    .refine((value) => !loneSurrogate.test(value), wellFormed);
}
const noNul = /^[^\x00]*$/;
const loneSurrogate = /\p{Cs}/u;

/**
 * True if Postgres can store the value as jsonb: no key or text at any depth contains a NUL character or a lone
 * surrogate.
 */
function isStorable(value: unknown): boolean {
  // JSON.stringify escapes NUL and lone surrogates, and doubles each backslash of the value. So `\u` is an escape only
  // after an even number of backslashes.
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(value));
}
export const storableJson = [isStorable, wellFormed] as const;

/** Metadata that declares a URI in the OpenAPI document. The field's own schema must validate the URI. */
export const asUri = (description: string) => ({ format: 'uri', description });

/** JSON text that Parley returns unchanged. Parsing it would round large numbers, and lose or reorder keys. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Returns a placeholder, which stringify() replaces with the text.
   * @throws Error outside of stringify(), because JSON.stringify alone cannot insert JSON text
   */
  toJSON(): string {
    if (collected === undefined) throw new Error('A value with a JsonText must be written with stringify().');
    return `${placeMark()}${collected.push(this.text) - 1}`;
  }
}

/** The texts of the JsonText values that the current call of stringify() has found; undefined outside of a call. */
let collected: string[] | undefined;
let mark: string | undefined;

/**
 * Prefix of the placeholders. It is random and never sent anywhere, so no input can contain it. Created on first use,
 * because browsers have crypto.randomUUID only in secure contexts.
 */
function placeMark(): string {
  mark ??= `json-text ${crypto.randomUUID()} `;
  return mark;
}

/** Works like JSON.stringify, but writes the text of each JsonText unchanged. */
export function stringify(value: unknown): string {
  const texts: string[] = [];
  collected = texts;
  let json: string;
  try {
    json = JSON.stringify(value);
  } finally {
    collected = undefined;
  }
  if (texts.length === 0) return json;
  return json.replaceAll(new RegExp(`"${placeMark()}(\\d+)"`, 'g'), (_, n: string) => texts[Number(n)] ?? '');
}

/**
 * Replaces one field of a parsed object with the field's original JSON text, without the white space between tokens.
 * @param text the JSON text of the object
 * @param value the result of parsing `text`
 * @returns a copy with that field replaced; the value itself if it is not an object with this field
 */
export function keepField(text: string, value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: new JsonText(withoutSpace(fieldOf(text, name))) };
}

/**
 * @param text JSON text of an object that has the field
 * @returns the JSON text of the field's value; of the last value if the field occurs twice, as in JSON.parse
 */
function fieldOf(text: string, name: string): string {
  let depth = 0;
  let key = '';
  let from = 0;
  let found = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && from === 0) key = String(JSON.parse(text.slice(at, end)));
      at = end - 1;
    } else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === ':' && depth === 1) from = at + 1;
    else if (sign === '}' || sign === ']' || (sign === ',' && depth === 1)) {
      if (sign !== ',') depth -= 1;
      if (depth > (sign === ',' ? 1 : 0)) continue;
      if (key === name && from > 0) found = text.slice(from, at);
      from = 0;
    }
  }
  return found;
}

function withoutSpace(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    parts.push(text.slice(at, start).replaceAll(/[ \t\n\r]/g, ''));
    at = quote === -1 ? text.length : endOfString(text, start);
    parts.push(text.slice(start, at));
  }
  return parts.join('');
}

/** @returns the index after the closing quote of the string whose opening quote is at `quote` */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}
