/**
 * Reads the Markdown that models write: paragraphs, headings, lists, code, bold, italic and links. Everything else,
 * HTML above all, stays text. Takes time in proportion to the text's length.
 */
export type Inline = { text: string; /** See `highlight`. */ isHighlighted?: true } & (
  { kind: 'text' | 'bold' | 'italic' | 'code' } | { kind: 'link'; url: string }
);

export type Block =
  | { kind: 'paragraph' | 'heading' | 'code'; parts: Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Inline[][] };

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
        blocks.push(codeOf(code));
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
  if (code !== undefined && code.length > 0) blocks.push(codeOf(code));
  return blocks;
}

const codeOf = (lines: string[]): Block => ({
  kind: 'code',
  parts: [{ kind: 'text', text: lines.join('\n') }],
});

/** True if all blocks are paragraphs without inline marks and without highlights. */
export const isPlain = (blocks: readonly Block[]): boolean =>
  blocks.every(
    ({ kind, ...block }) =>
      kind === 'paragraph' &&
      'parts' in block &&
      block.parts.every((part) => part.kind === 'text' && part.isHighlighted !== true),
  );

/** Returns the text of blocks as it is shown: without marks, each item and other block in a line of its own. */
export const shownText = (blocks: readonly Block[]): string => linesOf(blocks).map(textOf).join('\n');

/** Returns the addresses of all links in blocks, in their order. */
export const linksIn = (blocks: readonly Block[]): string[] =>
  linesOf(blocks)
    .flat()
    .flatMap((part) => (part.kind === 'link' ? [part.url] : []));

const linesOf = (blocks: readonly Block[]): Inline[][] =>
  blocks.flatMap((block) => (block.kind === 'list' ? block.items : [block.parts]));

/** Highlights the characters of `shownText` from `from` up to `to`: splits inline parts, and sets `isHighlighted`. */
export function highlight(
  blocks: readonly Block[],
  [from, to]: readonly [from: number, to: number],
): Block[] {
  let at = 0;
  const split = (parts: readonly Inline[]): Inline[] => {
    const found = parts.flatMap((part) => {
      const { text } = part;
      const cut = (place: number) => Math.min(Math.max(place - at, 0), text.length);
      const [start, end] = [cut(from), cut(to)];
      at += text.length;
      const inside: Inline = { ...part, text: text.slice(start, end), isHighlighted: true };
      return [{ ...part, text: text.slice(0, start) }, inside, { ...part, text: text.slice(end) }];
    });
    at += 1;
    return found.filter(({ text }) => text !== '');
  };
  return blocks.map((block) =>
    block.kind === 'list'
      ? { ...block, items: block.items.map(split) }
      : { ...block, parts: split(block.parts) },
  );
}

const textOf = (parts: readonly Inline[]): string => parts.map(({ text }) => text).join('');

/** Returns the text without inline marks, for a preview of one or two lines. */
export const withoutMarks = (text: string): string => textOf(readInline(text));
