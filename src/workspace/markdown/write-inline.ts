/** Writes rich text as inline markdown that read-inline.ts reads back to the same rich text. */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { cleanRichTextItem, isLinkTarget, readAnnotations, type Annotations } from '../blocks/rich-text.ts';
import { objectAt, textAt } from '../json-value.ts';
import { writeAttributes, writeMention } from './inline-tags.ts';

const numeric = (character: string): string => `&#${character.charCodeAt(0)};`;

/** A `_` inside a word marks nothing, so it stays unescaped and readable. */
function escapeText(text: string): string {
  return text
    .replace(/[\\`*~[\]<]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#\d)/g, '\\&')
    .replace(/\$(?=\\`)/g, '\\$')
    .replace(/\r/g, '&#13;')
    .replace(/\n/g, '<br>');
}

function markers(annotations: Annotations): string | undefined {
  const { bold, italic, strikethrough, underline, code, color } = annotations;
  if (underline === true || color !== undefined || code === true) return undefined;
  if (strikethrough === true) return bold === true || italic === true ? undefined : '~~';
  return `${bold === true ? '**' : ''}${italic === true ? '*' : ''}`;
}

const onlyCode = (annotations: Annotations): boolean =>
  annotations.code === true && Object.keys(annotations).length === 1;

/** The length of the longest run of backticks. */
export function backtickRunLength(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function codeSpan(text: string): string | undefined {
  if (/[\n\r]/.test(text) || text.trim() === '') return undefined;
  const fence = '`'.repeat(backtickRunLength(text) + 1);
  const pad = /^[ `]|[ `]$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

function span(content: string, annotations: Annotations): string {
  const { color, ...flags } = annotations;
  const attributes = Object.fromEntries(Object.keys(flags).map((name) => [name, 'true']));
  return `<span${writeAttributes({ ...attributes, color })}>${content}</span>`;
}

function styled(text: string, annotations: Annotations, before: string): string {
  if (Object.keys(annotations).length === 0) return escapeText(text);
  const free = !/[*_~`\\$]$/.test(before);
  if (onlyCode(annotations) && free) {
    const code = codeSpan(text);
    if (code !== undefined) return code;
  }
  const marker = markers(annotations);
  const tight = !/^\s|\s$/.test(text) && text !== '';
  if (marker !== undefined && free && tight) return `${marker}${escapeText(text)}${marker}`;
  return span(escapeText(text), annotations);
}

function writeItem(item: JsonObject, before: string): string {
  const annotations = readAnnotations(item['annotations']);
  const text = objectAt(item, 'text');
  const content = textAt(text, 'content');
  if (text !== undefined && content !== undefined) {
    const url = textAt(objectAt(text, 'link'), 'url');
    if (url === undefined || !isLinkTarget(url) || /[<>\n]/.test(url))
      return styled(content, annotations, before);
    return `[${styled(content, annotations, '[')}](${/[\s()]/.test(url) ? `<${url}>` : url})`;
  }
  const expression = textAt(objectAt(item, 'equation'), 'expression');
  const written = expression === undefined ? writeMention(item) : `$\`${expression}\`$`;
  if (written === undefined) return '';
  return Object.keys(annotations).length === 0 ? written : span(written, annotations);
}

/** Accepts items of either form and leaves out whatever is not rich text. Line breaks become `<br>`. */
export function writeInline(items: readonly unknown[]): string {
  const written: string[] = [];
  let before = '';
  for (const item of items) {
    const clean = cleanRichTextItem(item);
    if (typeof clean === 'string') continue;
    const text = writeItem(clean, before);
    written.push(text);
    before = text.at(-1) ?? before;
  }
  return written
    .join('')
    .replace(/^[ \t]/, numeric)
    .replace(/[ \t]$/, numeric);
}
