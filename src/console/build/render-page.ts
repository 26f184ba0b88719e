/** Renders a page of Markdown as HTML, and divides its text into the sections that the search finds. */
import type { AlignType, Image, Link, List, ListItem, Nodes, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { documentationTexts as t } from '../messages/documentation.ts';
import { labelOf, resolveLink } from './page-menu.ts';

export interface Heading {
  depth: number;
  text: string;
  anchor: string;
}

/** The text below a heading, up to the next one. */
export interface Section extends Heading {
  body: string;
}

export interface RenderedPage {
  title: string;
  html: string;
  /** All headings in order, the title first. */
  sections: readonly Section[];
}

export interface PageImage {
  address: string;
  width: number;
  height: number;
}

/**
 * Renders a page.
 * @param file path relative to the project's folder, such as `docs/api.md`
 * @param imageOf returns the served image of an image file of the repository
 * @throws Error if the page has no heading or its first heading is not of level 1; Error with the file and the line if
 * the page contains something that cannot be rendered, such as HTML other than comments
 */
export function renderPage(
  markdown: string,
  file: string,
  imageOf: (file: string) => PageImage,
): RenderedPage {
  const tree = fromMarkdown(markdown, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  const page = new PageRenderer(file, imageOf);
  const html = tree.children.map((node) => page.block(node)).join('\n');
  const title = page.sections[0];
  if (title?.depth !== 1) throw new Error(`${file} does not begin with a heading of level 1.`);
  return { title: title.text, html, sections: page.sections };
}

class PageRenderer {
  readonly sections: Section[] = [];
  readonly #file: string;
  readonly #imageOf: (file: string) => PageImage;
  readonly #anchors = new Set<string>();

  constructor(file: string, imageOf: (file: string) => PageImage) {
    this.#file = file;
    this.#imageOf = imageOf;
  }

  /** Renders a block. A heading begins a section; the text of any other block is added to the last section. */
  block(node: Nodes): string {
    if (node.type !== 'heading') {
      const section = this.sections.at(-1);
      if (section !== undefined) section.body = `${section.body} ${plainText(node)}`.trim();
      return this.#html(node);
    }
    const { depth } = node;
    const text = plainText(node);
    const anchor = this.#anchorFor(text);
    this.sections.push({ depth, text, anchor, body: '' });
    const link = `<a class="anchor" href="#${anchor}" aria-label="${escapeHtml(t.linkTo(text))}">#</a>`;
    return `<h${depth} id="${anchor}">${this.#all(node)}${depth === 1 ? '' : ` ${link}`}</h${depth}>`;
  }

  /** @throws Error that names the place if the page has Markdown that is not rendered, such as HTML */
  #html(node: Nodes): string {
    switch (node.type) {
      case 'text':
        return escapeHtml(node.value);
      case 'paragraph':
        return `<p>${this.#all(node)}</p>`;
      case 'emphasis':
        return `<em>${this.#all(node)}</em>`;
      case 'strong':
        return `<strong>${this.#all(node)}</strong>`;
      case 'blockquote':
        return `<blockquote>${this.#all(node)}</blockquote>`;
      case 'inlineCode':
        return `<code>${escapeHtml(node.value)}</code>`;
      case 'code':
        return `<div class="code" data-language="${escapeHtml(node.lang ?? '')}"><pre tabindex="0" role="group" aria-label="${escapeHtml(t.code(this.#heading))}"><code>${escapeHtml(node.value)}</code></pre></div>`;
      case 'break':
        return '<br>';
      case 'thematicBreak':
        return '<hr>';
      case 'link':
        return this.#link(node);
      case 'image':
        return this.#image(node);
      case 'list':
        return this.#list(node);
      case 'listItem':
        return this.#item(node, false);
      case 'table':
        return this.#table(node);
      case 'html':
        // HTML comments contain directives for the tests.
        if (/^<!--[^]*-->$/.test(node.value)) return '';
        throw this.#unknown(node);
      case 'heading': // inside another block; `block` renders all others
      case 'root':
      case 'tableRow':
      case 'tableCell':
      case 'definition':
      case 'linkReference':
      case 'imageReference':
      case 'footnoteDefinition':
      case 'footnoteReference':
      case 'delete':
      case 'yaml':
        throw this.#unknown(node);
    }
  }

  #all(node: { children: readonly Nodes[] }): string {
    return node.children.map((child) => this.#html(child)).join('');
  }

  #link(node: Link): string {
    const target = resolveLink(node.url, this.#file);
    // A link whose text is a file's name gets the label of the menu instead, because readers here see no files.
    const isFileName = /^[\w-]+\.md$/.test(plainText(node));
    const label = isFileName && 'address' in target ? labelOf(target.address) : undefined;
    const text = label === undefined ? this.#all(node) : escapeHtml(label);
    if ('address' in target) return `<a href="${escapeHtml(target.address)}">${text}</a>`;
    return `<span class="source" title="${escapeHtml(t.inRepository(target.file))}">${text}</span>`;
  }

  /** @throws Error that names the place if the image is not a file of the repository */
  #image(node: Image): string {
    const target = resolveLink(node.url, this.#file);
    if (!('file' in target)) throw this.#unknown(node);
    const { address, width, height } = this.#imageOf(target.file);
    return `<img src="${escapeHtml(address)}" width="${width}" height="${height}" alt="${escapeHtml(node.alt ?? '')}" loading="lazy">`;
  }

  #list(node: List): string {
    const isLoose = node.spread === true || node.children.some(({ spread }) => spread === true);
    const items = node.children.map((item) => this.#item(item, isLoose)).join('');
    if (node.ordered !== true) return `<ul>${items}</ul>`;
    const start = node.start ?? 1;
    return start === 1 ? `<ol>${items}</ol>` : `<ol start="${start}">${items}</ol>`;
  }

  #item(node: ListItem, isLoose: boolean): string {
    const parts = node.children.map((child) =>
      child.type === 'paragraph' && !isLoose ? this.#all(child) : this.#html(child),
    );
    return `<li>${parts.join('\n')}</li>`;
  }

  #table(node: Table): string {
    const [head, ...rows] = node.children.map((row) => row.children.map((cell) => this.#all(cell)));
    const rowOf = (cells: readonly string[], isHead: boolean) => {
      const items = cells.map((cell, index) => {
        const side = alignment(node.align?.[index]);
        // A column may have no heading. An empty `th` would give a screen reader a heading without text.
        return isHead && cell !== '' ? `<th scope="col"${side}>${cell}</th>` : `<td${side}>${cell}</td>`;
      });
      return `<tr>${items.join('')}</tr>`;
    };
    const body = rows.map((row) => rowOf(row, false)).join('\n');
    const label = escapeHtml(t.table(this.#heading));
    return `<div class="table" tabindex="0" role="group" aria-label="${label}"><table><thead>${rowOf(head ?? [], true)}</thead><tbody>${body}</tbody></table></div>`;
  }

  /** The text of the last heading above the current block. */
  get #heading(): string {
    return this.sections.at(-1)?.text ?? '';
  }

  /** Makes an anchor as GitHub does, so that the pages' links work both on GitHub and here. */
  #anchorFor(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; this.#anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    this.#anchors.add(anchor);
    return anchor;
  }

  #unknown(node: Nodes): Error {
    const place = `${this.#file}:${node.position?.start.line ?? 0}`;
    return new Error(
      `${place}: ${node.type} is not rendered. Write it in Markdown, or add it to render-page.ts.`,
    );
  }
}

function alignment(align: AlignType | undefined): string {
  return align === 'right' || align === 'center' ? ` class="${align}"` : '';
}

/** Returns the text of a node without Markdown, with a space between blocks and cells. */
function plainText(node: Nodes): string {
  if (node.type === 'html') return '';
  if ('value' in node) return node.value;
  if (node.type === 'break') return ' ';
  if (node.type === 'image') return node.alt ?? '';
  if (!('children' in node)) return '';
  const isInline = ['paragraph', 'heading', 'tableCell', 'link', 'emphasis', 'strong'].includes(node.type);
  return node.children
    .map(plainText)
    .join(isInline ? '' : ' ')
    .replaceAll(/\s+/g, ' ');
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
