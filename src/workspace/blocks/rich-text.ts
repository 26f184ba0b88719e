/**
 * Makes, reads, converts and splits rich text in the API's form: runs of text with annotations, mentions and equations.
 */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { fieldsOf, isObject, objectAt, shown, textAt } from '../json-value.ts';
import { composed } from '../text.ts';
import { limits } from './limits.ts';

export const colors: ReadonlySet<string> = new Set(
  ['default', 'gray', 'brown', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'red'].flatMap(
    (name) => [name, `${name}_background`],
  ),
);

export const annotationNames = ['bold', 'italic', 'strikethrough', 'underline', 'code'] as const;

export type Annotations = Partial<Record<(typeof annotationNames)[number], boolean>> & { color?: string };

/**
 * Makes one run of text.
 * @param annotations those that differ from plain text
 */
export function textItem(content: string, annotations: Annotations = {}, url?: string): JsonObject {
  return {
    type: 'text',
    text: url === undefined ? { content } : { content, link: { url } },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

/**
 * Returns the text of rich text items as people see it; an empty text if the value is not a list. Accepts the forms of
 * requests and of responses.
 */
export function plainText(items: unknown): string {
  if (!Array.isArray(items)) return '';
  return items
    .map(
      (item: unknown) =>
        textAt(item, 'plain_text') ??
        textAt(objectAt(item, 'text'), 'content') ??
        textAt(objectAt(item, 'equation'), 'expression') ??
        '',
    )
    .join('');
}

export const isMention = (item: unknown): boolean => objectAt(item, 'mention') !== undefined;

/** Normalizes what the workspace may change in a text: white space, Unicode composition (NFC) and lone surrogates. */
const normalized = (text: string): string => composed(text.toWellFormed()).replace(/\s+/g, ' ').trim();

/**
 * Returns a normalized text of rich text items, by which a request can be compared with the workspace's response.
 * Leaves out mentions, because only the workspace knows the names that it shows for them.
 */
export function ownText(items: unknown): string {
  return normalized(plainText(Array.isArray(items) ? items.filter((item) => !isMention(item)) : []));
}

/** True if the workspace may show these items as this plain title. A mention matches any text. */
export function isShownAs(items: readonly unknown[], title: string): boolean {
  if (!items.some(isMention)) return ownText(items) === normalized(title);
  let rest = normalized(title);
  // A title cannot be longer. Matching a longer text could take quadratic time.
  if (rest.length > limits.textContent * limits.richTextItems) return false;
  for (const item of items) {
    const words = isMention(item) ? '' : ownText([item]);
    const at = rest.indexOf(words);
    if (at === -1) return false;
    rest = rest.slice(at + words.length);
  }
  return true;
}

/** True for an http, https or mailto URL of at most `limits.url` characters. The workspace refuses all other links. */
export function isLinkTarget(url: string): boolean {
  return url.length <= limits.url && URL.canParse(url) && /^(https?|mailto):/i.test(url);
}

export function isWebUrl(url: string): boolean {
  return isLinkTarget(url) && /^https?:/i.test(url);
}

/** Returns only the annotations without their defaults: those that are true, and a color other than `default`. */
export function readAnnotations(value: unknown): Annotations {
  if (!isObject(value)) return {};
  const annotations = readStyle(value);
  const color = value['color'];
  if (typeof color === 'string' && color !== 'default') annotations.color = color;
  return annotations;
}

const mentionFields: Readonly<Record<string, readonly string[]>> = {
  user: ['id'],
  page: ['id'],
  database: ['id'],
  date: ['start', 'end', 'time_zone'],
  template_mention: ['type', 'template_mention_date', 'template_mention_user'],
  custom_emoji: ['id'],
};

function mentionItem(item: JsonObject): JsonObject | undefined {
  const mention = objectAt(item, 'mention');
  if (mention === undefined) return undefined;
  for (const [type, fields] of Object.entries(mentionFields)) {
    const value = objectAt(mention, type);
    if (value === undefined) continue;
    return { type: 'mention', mention: { type, [type]: fieldsOf(value, fields) } };
  }
  const url =
    textAt(objectAt(mention, 'link_mention'), 'href') ??
    textAt(objectAt(mention, 'link_preview'), 'url') ??
    textAt(item, 'href');
  const text = textAt(item, 'plain_text') ?? url;
  return text === undefined
    ? undefined
    : textItem(text, {}, url !== undefined && isLinkTarget(url) ? url : undefined);
}

function withAnnotations(item: JsonObject, annotations: JsonObject): JsonObject {
  return Object.keys(annotations).length === 0 ? item : { ...item, annotations };
}

/** Reads the flags of an object, such as `bold`. */
export function readStyle(given: JsonObject): Annotations {
  const style: Annotations = {};
  for (const name of annotationNames) if (given[name] === true) style[name] = true;
  return style;
}

/** Gives all items the style. Gives those of text the link too, unless they have another. */
export function withStyle(
  items: readonly JsonObject[],
  style: Annotations,
  url: string | undefined,
): JsonObject[] {
  return items.map((item) => {
    const styled = withAnnotations(item, { ...objectAt(item, 'annotations'), ...style });
    const text = objectAt(item, 'text');
    return url === undefined || text === undefined || text['link'] !== undefined
      ? styled
      : { ...styled, text: { ...text, link: { url } } };
  });
}

/**
 * Converts a rich text item to the form of a request. Accepts the forms of requests and of responses, and a plain
 * string.
 * @returns the item, or an error message (a string) if it is invalid
 */
export function cleanRichTextItem(item: unknown): JsonObject | string {
  if (typeof item === 'string') return textItem(item);
  if (!isObject(item)) return `is not a rich text object: ${shown(item)}`;
  const annotations = readAnnotations(item['annotations']);
  const text = objectAt(item, 'text');
  if (text !== undefined) {
    const content = text['content'];
    if (typeof content !== 'string') return 'text.content is missing: give the text as a string';
    const url = textAt(objectAt(text, 'link'), 'url');
    if (url !== undefined && url.length > limits.url)
      return `text.link.url is longer than ${limits.url} characters`;
    return withAnnotations(textItem(content, {}, url), annotations);
  }
  const expression = textAt(objectAt(item, 'equation'), 'expression');
  if (expression !== undefined) {
    if (expression.length > limits.expression)
      return `equation.expression has ${expression.length} characters; at most ${limits.expression}`;
    return withAnnotations({ type: 'equation', equation: { expression } }, annotations);
  }
  const mention = mentionItem(item);
  return mention === undefined
    ? `is not a rich text object of type text, mention or equation: ${shown(item)}`
    : withAnnotations(mention, annotations);
}

/** Splits each item whose text is longer than `limits.textContent` into several items with the same annotations. */
export function splitRichText(items: readonly JsonObject[]): JsonObject[] {
  return items.flatMap((item) => {
    const text = objectAt(item, 'text');
    const content = textAt(text, 'content');
    if (text === undefined || content === undefined || content.length <= limits.textContent) return [item];
    return splitText(content).map((piece) => ({ ...item, text: { ...text, content: piece } }));
  });
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Chooses where to cut a text: after the last line, sentence or word (in this order of preference) that ends in the
 * second half of the first `limit` code units; otherwise between two characters, at `limit` or shortly before it.
 */
function cutAt(text: string, limit: number): number {
  const window = text.slice(0, limit);
  const earliest = Math.floor(limit / 2);
  const line = window.lastIndexOf('\n') + 1;
  if (line > earliest) return line;
  let sentence = 0;
  for (const match of window.matchAll(/[.!?…。！？]["'”’)\]]?\s/gu)) sentence = match.index + match[0].length;
  if (sentence > earliest) return sentence;
  const space = window.lastIndexOf(' ') + 1;
  if (space > earliest) return space;
  return characterBoundary(text, limit);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function characterBoundary(text: string, limit: number): number {
  // Segments only the text around the cut, because graphemes (characters as people see them) are short. The segmented
  // text must not start within a surrogate pair.
  const from = Math.max(0, limit - 200);
  const start = isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
  let boundary = start;
  for (const { index } of graphemes.segment(text.slice(start, limit + 200))) {
    if (start + index > limit) break;
    boundary = start + index;
  }
  if (boundary > start) return boundary;
  return isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit;
}

/**
 * Splits a text, after lines, sentences or words if possible.
 * @param limit maximum UTF-16 code units of a piece; must be 2 or more
 * @returns pieces that, when joined, equal the text; one empty piece for an empty text
 */
export function splitText(text: string, limit: number = limits.textContent): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const cut = cutAt(rest, limit);
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...pieces, rest];
}
