/**
 * Converts Markdown to blocks, line by line: headings, lists, tasks, quotes, fences, equations, rules, pipe tables,
 * images, and the tags of read-tags.ts. Indented lines become children of the block above them if it can have children.
 * Consecutive lines of plain text become one paragraph.
 */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { type Block, fileTypes, richTextOf } from '../blocks/block.ts';
import { codeLanguage } from '../blocks/code-language.ts';
import { Pieces } from '../blocks/pieces.ts';
import { isWebUrl, textItem } from '../blocks/rich-text.ts';
import { Delimiters } from './inline-delimiters.ts';
import { readAttributes } from './inline-tags.ts';
import { type Line, Lines } from './lines.ts';
import { readInline } from './read-inline.ts';
import { isDelimiterLine, isPipeLine, readTable } from './read-table.ts';
import { makeContainer, readIcon, readLeafTag } from './read-tags.ts';

const containers = 'details|callout|columns|column|table|synced_block|template|tab';
const openTag = new RegExp(`^<(${containers})((?: [a-z_-]+="[^"]*")*) ?>`);
const leafTag = /^<([a-z_-]+)((?: [a-z_-]+="[^"]*")*) ?\/>(?: \{([^{}]*)\})?$/;
const attributesAtEnd = /(?:^| )\{((?:[a-z_-]+="[^"]*" ?)+)\}$/;
const alerts: Readonly<Record<string, string>> = {
  NOTE: 'ℹ️',
  TIP: '💡',
  IMPORTANT: '❗',
  WARNING: '⚠️',
  CAUTION: '🛑',
};

/**
 * Maximum depth of nested blocks. Blocks that are nested deeper become siblings. Each level reads its lines again, so
 * the time grows with the depth. Chosen.
 */
const maxDepth = 30;

type Head = { type: string; text: string; body?: Block['body'] };

function headOf(text: string): Head | undefined {
  const heading = /^(#{1,6})(?: +(?! )(.*))?$/s.exec(text);
  if (heading) return { type: `heading_${Math.min(4, heading[1]?.length ?? 1)}`, text: heading[2] ?? '' };
  const task = /^[-*+] \[([ xX])\](?: (.*))?$/s.exec(text);
  if (task) return { type: 'to_do', text: task[2] ?? '', body: { checked: task[1] !== ' ' } };
  const bullet = /^[-*+](?: +(?! )(.*))?$/s.exec(text);
  if (bullet && (bullet[1] !== undefined || text.length === 1))
    return { type: 'bulleted_list_item', text: bullet[1] ?? '' };
  const numbered = /^\d{1,9}[.)](?: +(?! )(.*))?$/s.exec(text);
  if (numbered) return { type: 'numbered_list_item', text: numbered[1] ?? '' };
  return undefined;
}

const isRule = (text: string): boolean => /^(?:-{3,}|\*{3,}|_{3,}|(?:- ){2,}-)$/.test(text);
export const fenceOf = (text: string): { fence: string; info: string } | undefined => {
  const fence = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  if (fence === undefined) return undefined;
  const info = text.slice(fence.length);
  // A line such as ```a``` is a code span, so a backtick after the fence is accepted only within attributes.
  const isInfo = !info.includes('`') || /^[^`{]*\{.*\}$/s.test(info);
  return isInfo ? { fence, info: info.trim() } : undefined;
};

function startsBlock(text: string): boolean {
  return (
    isRule(text) ||
    headOf(text) !== undefined ||
    fenceOf(text) !== undefined ||
    text === '$$' ||
    /^\$\$.+\$\$$/s.test(text) ||
    text.startsWith('>') ||
    isPipeLine(text) ||
    openTag.test(text) ||
    leafTag.test(text) ||
    /^<\/[a-z_-]+>$/.test(text)
  );
}

class Reader {
  readonly warnings: string[] = [];
  readonly pieces = new Pieces();
  private depth = 0;

  list(lines: Lines): Block[] {
    this.depth += 1;
    const blocks = this.listAt(lines);
    this.depth -= 1;
    return blocks;
  }

  private listAt(lines: Lines): Block[] {
    const blocks: Block[] = [];
    for (let line = lines.next(); line !== undefined; line = lines.next()) {
      if (line.text === '') continue;
      this.pieces.add(1);
      const made = this.block(line, lines);
      if (made !== undefined) blocks.push(this.withChildren(made, line, lines));
    }
    return blocks;
  }

  private withChildren(block: Block, line: Line, lines: Lines): Block {
    if (!this.takesIndented(block) || this.depth > maxDepth) return block;
    const minimum = block.type === 'paragraph' || block.type.startsWith('heading') ? '\t' : ' ';
    const inner = lines.takeIndented(line, minimum);
    return inner === undefined ? block : { ...block, children: [...block.children, ...this.list(inner)] };
  }

  private takesIndented(block: Block): boolean {
    if (block.type.startsWith('heading')) return block.body['is_toggleable'] === true;
    return ['paragraph', 'bulleted_list_item', 'numbered_list_item', 'to_do', 'quote'].includes(block.type);
  }

  private inline(text: string): ReturnType<typeof readInline>['items'] {
    const { items, warnings } = readInline(text, this.pieces);
    for (const warning of warnings) this.warnings.push(warning);
    return items;
  }

  private block(line: Line, lines: Lines): Block | undefined {
    const { text } = line;
    const fence = fenceOf(text);
    if (fence) return this.code(fence, line, lines);
    if (isRule(text)) return { type: 'divider', body: {}, children: [] };
    const head = headOf(text);
    if (head) return this.textBlock(head.type, head.text, head.body);
    if (text.startsWith('$$')) return this.equation(line, lines);
    if (/^>( |$)/.test(text)) return this.quote(line, lines);
    if (isPipeLine(text)) return this.pipeTable(line, lines);
    const tag = this.tag(line, lines);
    if (tag !== null) return tag;
    return this.image(text) ?? this.paragraph(line, lines);
  }

  private textBlock(type: string, given: string, extra: Block['body'] = {}): Block {
    const match = attributesAtEnd.exec(given);
    const attributes = match ? readAttributes(match[1] ?? '') : {};
    const body: Record<string, unknown> = {
      ...extra,
      rich_text: this.inline(match ? given.slice(0, match.index) : given),
    };
    if (attributes['color'] !== undefined) body['color'] = attributes['color'];
    if (type.startsWith('heading') && attributes['toggle'] === 'true') body['is_toggleable'] = true;
    const icon = type === 'paragraph' ? readIcon(attributes['icon']) : undefined;
    if (icon !== undefined) body['icon'] = icon;
    return { type, body, children: [] };
  }

  private paragraph(line: Line, lines: Lines): Block {
    const rest = lines.takeWhile(
      ({ text, indent }) =>
        text !== '' && !startsBlock(text) && !(indent.includes('\t') && indent !== line.indent),
    );
    return this.textBlock('paragraph', [line.text, ...rest].join('\n'));
  }

  private code({ fence, info }: { fence: string; info: string }, line: Line, lines: Lines): Block {
    const inner = lines.takeFence(line, fence);
    const open = info.endsWith('}') ? info.indexOf('{') : -1;
    const attributes = open === -1 ? {} : readAttributes(info.slice(open + 1, -1));
    const name = open === -1 ? info : info.slice(0, open).replace(/ $/, '');
    const { language, known } = codeLanguage(name);
    if (!known)
      this.warnings.push(`The code language ${name} is not known to the workspace; plain text was used.`);
    const text = inner.join('\n');
    const caption = this.inline(attributes['caption'] ?? '');
    const body = {
      rich_text: text === '' ? [] : [textItem(text)],
      language,
      ...(caption.length === 0 ? {} : { caption }),
    };
    return { type: 'code', body, children: [] };
  }

  private equation(line: Line, lines: Lines): Block {
    const single = /^\$\$(.+)\$\$$/s.exec(line.text);
    const expression = single ? (single[1] ?? '').trim() : lines.takeFence(line, '$$').join('\n');
    return { type: 'equation', body: { expression }, children: [] };
  }

  private quote(line: Line, lines: Lines): Block {
    const rest = lines.takeWhile(({ text, indent }) => text.startsWith('>') && indent === line.indent);
    const inner = [line.text, ...rest].map((text) => text.replace(/^> ?/, ''));
    const alert = alerts[/^\[!([A-Z]+)\]$/.exec(inner[0] ?? '')?.[1] ?? ''];
    if (alert === undefined) return this.textBlock('quote', inner.join('\n'));
    return this.textBlock('callout', inner.slice(1).join('\n'), { icon: { type: 'emoji', emoji: alert } });
  }

  private pipeTable(line: Line, lines: Lines): Block {
    const rows = [line.text, ...lines.takeWhile(({ text }) => isPipeLine(text))];
    const delimited = isDelimiterLine(rows[1] ?? '');
    return readTable(
      rows.filter((_, index) => !delimited || index !== 1),
      { headerRow: delimited, headerColumn: false },
      this,
    );
  }

  private image(text: string): Block | undefined {
    if (!text.startsWith('![')) return undefined;
    const link = new Delimiters(text).link(1);
    if (link?.end !== text.length || !isWebUrl(link.url)) return undefined;
    const caption = this.inline(link.label);
    return {
      type: 'image',
      body: { type: 'external', external: { url: link.url }, ...(caption.length === 0 ? {} : { caption }) },
      children: [],
    };
  }

  /**
   * Reads a line that is a tag without content, or that starts with the opening tag of one of `containers`.
   * @returns the block; undefined if the tag makes no block; null if the line is no such tag, or if the opening tag is
   * nested deeper than `maxDepth`
   */
  private tag(line: Line, lines: Lines): Block | undefined | null {
    const leaf = leafTag.exec(line.text);
    if (leaf) {
      const made = readLeafTag(leaf[1] ?? '', readAttributes(leaf[2] ?? ''), this.warnings);
      if (made?.type !== 'paragraph' || leaf[3] === undefined) return made;
      return { ...made, body: { ...this.textBlock('paragraph', ` {${leaf[3]}}`).body, rich_text: [] } };
    }
    const open = this.depth > maxDepth ? null : openTag.exec(line.text);
    if (!open) return null;
    const [whole, tag = '', attributeText = ''] = open;
    const attributes = readAttributes(attributeText);
    const inner = lines.takeContainer(tag, line.text.slice(whole.length));
    if (tag === 'table') return this.tagTable(inner, attributes);
    const summary = tag === 'details' ? inner.takeSummary() : undefined;
    return makeContainer(tag, attributes, this.list(inner), this.inline(summary ?? ''));
  }

  private tagTable(inner: Lines, attributes: Readonly<Record<string, string>>): Block | undefined {
    const rows = inner.takeWhile(() => true).filter(isPipeLine);
    if (rows.length === 0) return undefined;
    return readTable(
      rows,
      {
        headerRow: attributes['header-row'] === 'true',
        headerColumn: attributes['header-column'] === 'true',
      },
      this,
    );
  }
}

/**
 * Converts Markdown to blocks in the form of a request.
 * @returns the blocks, and warnings about content that was left out or changed
 * @throws ActionError INVALID_INPUT if the text makes too many blocks, cells and runs of text (see `maxPieces`)
 */
export function readBlocks(markdown: string): { blocks: Block[]; warnings: string[] } {
  const reader = new Reader();
  const blocks = reader.list(Lines.of(markdown));
  return { blocks, warnings: reader.warnings };
}

/**
 * True if any line of the text starts a block other than a paragraph. A line with only `-`, `+` or `*` does not count,
 * and neither does an image `![text](url)`. A tag without content counts only if it is a file (such as `<image/>`), a
 * bookmark or an embed.
 */
export function hasBlockSyntax(text: string): boolean {
  return text.split('\n').some((line) => {
    const trimmed = line.trim();
    const leaf = leafTag.exec(trimmed)?.[1];
    if (leaf !== undefined) return fileTypes.has(leaf) || leaf === 'bookmark' || leaf === 'embed';
    return startsBlock(trimmed) && trimmed !== '-' && trimmed !== '+' && trimmed !== '*';
  });
}

type FirstHeading = { words: readonly JsonObject[]; before: string; behind: string };

/**
 * Finds the first heading of level 1 that is neither indented nor inside a code fence or an equation.
 * @returns the text of the heading, and the Markdown before and after it; undefined if there is none
 */
export function firstHeading(markdown: string): FirstHeading | undefined {
  const lines = Lines.of(markdown);
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const fence = line.text === '$$' ? '$$' : fenceOf(line.text)?.fence;
    if (fence !== undefined) lines.takeFence(line, fence);
    else if (line.indent === '' && line.text.startsWith('# ')) {
      const [heading] = readBlocks(line.text).blocks;
      const all = markdown.split('\n');
      return {
        words: heading === undefined ? [] : richTextOf(heading),
        before: all.slice(0, lines.passed - 1).join('\n'),
        behind: all.slice(lines.passed).join('\n'),
      };
    }
  }
  return undefined;
}
