/** Inline markdown to rich text and back: bold, italic, strikethrough, code, links, equations. */
import { asArray, asObject, asString, type Json, type JsonObject } from './json.ts';

type Style = Record<string, boolean>;

const marks: { pattern: RegExp; style: string }[] = [
  { pattern: /^\*\*([^*]+(?:\*[^*]+)*?)\*\*/, style: 'bold' },
  { pattern: /^~~([^~]+)~~/, style: 'strikethrough' },
  { pattern: /^\*([^*\s][^*]*)\*/, style: 'italic' },
  { pattern: /^_([^_\s][^_]*)_(?!\w)/, style: 'italic' },
];

/** Elements of a request; long text is cut at 2000 units without splitting a surrogate pair. */
export function inline(text: string): Json[] {
  return parse(text, {}, null);
}

function parse(text: string, style: Style, link: string | null): JsonObject[] {
  const items: JsonObject[] = [];
  let plain = '';
  const flush = (): void => {
    for (const piece of pieces(plain)) items.push(element(piece, style, link));
    plain = '';
  };
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const escaped = /^\\([\\`*_~[\]()$#>|-])/.exec(rest);
    const taken = escaped === null ? special(rest, style, link) : undefined;
    if (taken !== undefined) {
      flush();
      items.push(...taken.items);
      at += taken.length;
    } else {
      plain += escaped?.[1] ?? rest.charAt(0);
      at += escaped === null ? 1 : 2;
    }
  }
  flush();
  return items;
}

function special(
  rest: string,
  style: Style,
  link: string | null,
): { items: JsonObject[]; length: number } | undefined {
  const code = /^`([^`]+)`/.exec(rest);
  if (code?.[1] !== undefined)
    return { items: [element(code[1], { ...style, code: true }, link)], length: code[0].length };
  const equation = /^\$`([^`]+)`\$/.exec(rest);
  if (equation?.[1] !== undefined) {
    return {
      items: [{ type: 'equation', equation: { expression: equation[1] } }],
      length: equation[0].length,
    };
  }
  const target = /^\[([^\]]+)\]\((https?:[^)\s]+|mailto:[^)\s]+)\)/.exec(rest);
  if (target?.[1] !== undefined && target[2] !== undefined) {
    return { items: parse(target[1], style, target[2]), length: target[0].length };
  }
  for (const { pattern, style: name } of marks) {
    const found = pattern.exec(rest);
    if (found?.[1] !== undefined)
      return { items: parse(found[1], { ...style, [name]: true }, link), length: found[0].length };
  }
  return undefined;
}

function pieces(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + 2000, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

function element(content: string, style: Style, link: string | null): JsonObject {
  return {
    type: 'text',
    text: { content, link: link === null ? null : { url: link } },
    annotations: { ...style },
  };
}

/** Answered rich text as markdown. */
export function inlineMarkdown(items: readonly Json[]): string {
  return items
    .map(asObject)
    .map((item) => {
      const style = asObject(item['annotations']);
      const words = asString(item['plain_text']);
      if (item['type'] === 'equation') return `$\`${words}\`$`;
      let text = style['code'] === true ? `\`${words}\`` : words;
      if (style['bold'] === true) text = `**${text}**`;
      if (style['italic'] === true) text = `*${text}*`;
      if (style['strikethrough'] === true) text = `~~${text}~~`;
      const href = item['href'];
      return typeof href === 'string' ? `[${text}](${href})` : text;
    })
    .join('');
}

export function plainWords(items: Json | undefined): string {
  return asArray(items)
    .map((item) => asString(asObject(item)['plain_text']))
    .join('');
}
