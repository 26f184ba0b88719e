/**
 * Reads the Markdown that models write: paragraphs, headings, lists, code, bold, italic and links. Everything else,
 * HTML above all, stays text. Takes time in proportion to the text's length.
 */
export type Inline =
  { kind: 'text' | 'bold' | 'italic' | 'code'; text: string } | { kind: 'link'; text: string; url: string };

export type Block =
  | { kind: 'paragraph' | 'heading'; parts: Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Inline[][] }
  | { kind: 'code'; text: string };

// Each part ends at the next mark of its kind, so that no text is read more than a few times.
const marks =
  /`(?<code>[^`\n]+)`|\*\*(?<bold>[^*\n]+)\*\*|\*(?<italic>[^*\s][^*\n]*)\*|\[(?<label>[^[\]\n]+)\]\((?<url>https?:\/\/[^\s()]+)\)/gi;
const bullet = /^ {0,3}(?:[-*+]|(?<number>\d{1,4})[.)]) +(?<rest>\S.*)$/;
const title = /^#{1,6} +(?<rest>\S.*)$/;
const fence = /^ {0,3}```/;

/** Reads the inline marks of a line or paragraph. */
export function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const found of text.matchAll(marks)) {
    if (found.index > end) parts.push({ kind: 'text', text: text.slice(end, found.index) });
    end = found.index + found[0].length;
    const { code, bold, italic, label, url } = found.groups ?? {};
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (bold !== undefined) parts.push({ kind: 'bold', text: bold });
    else if (italic !== undefined) parts.push({ kind: 'italic', text: italic });
    else if (label !== undefined && url !== undefined) parts.push({ kind: 'link', text: label, url });
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

/** Reads the blocks of a text, in their order. */
export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', parts: readInline(paragraph.join('\n')) });
    paragraph = [];
  };
  let code: string[] | undefined;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (fence.test(line)) {
      flush();
      if (code === undefined) code = [];
      else {
        blocks.push({ kind: 'code', text: code.join('\n') });
        code = undefined;
      }
      continue;
    }
    if (code !== undefined) {
      code.push(line);
      continue;
    }
    const heading = title.exec(line)?.groups?.['rest'];
    const item = bullet.exec(line)?.groups;
    if (line.trim() === '') flush();
    else if (heading !== undefined) {
      flush();
      blocks.push({ kind: 'heading', parts: readInline(heading) });
    } else if (item !== undefined) {
      flush();
      const parts = readInline(item['rest'] ?? '');
      const ordered = item['number'] !== undefined;
      const before = blocks.at(-1);
      if (before?.kind === 'list' && before.ordered === ordered) before.items.push(parts);
      else blocks.push({ kind: 'list', ordered, start: Number(item['number'] ?? 1), items: [parts] });
    } else paragraph.push(line);
  }
  flush();
  // An answer that was cut off may end inside a code block.
  if (code !== undefined && code.length > 0) blocks.push({ kind: 'code', text: code.join('\n') });
  return blocks;
}

/** True if all blocks are paragraphs without inline marks. */
export const isPlain = (blocks: readonly Block[]): boolean =>
  blocks.every(
    ({ kind, ...block }) =>
      kind === 'paragraph' && 'parts' in block && block.parts.every((part) => part.kind === 'text'),
  );

/** Returns the text without inline marks, for a preview of one or two lines. */
export const withoutMarks = (text: string): string =>
  readInline(text)
    .map((part) => part.text)
    .join('');
