/**
 * README.md, docs, and what lies beside the programs that they are about: their fenced blocks, headings, links and what
 * they name in code.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';

export interface Block {
  /** `docs/api.md:17`, the line of its fence. */
  place: string;
  /** The word after the fence; empty if there is none. */
  language: string;
  text: string;
  /** The heading above it. */
  heading: string;
  /** Words of the comment `<!-- test: … -->` right before it. */
  directive: string | undefined;
}

export interface Page {
  /** From the project's folder. */
  path: string;
  blocks: readonly Block[];
  headings: readonly string[];
  /** Without its blocks; lines as in the file. */
  prose: string;
}

const texts = globSync(['docs/**/*.md', 'examples/**/*.md', 'src/**/*.md'], { cwd: projectRoot });

export const pages: readonly Page[] = ['README.md', ...texts.sort()].map((path) =>
  readPage(path, readFileSync(join(projectRoot, path), 'utf8')),
);

/** @throws Error for a fence that is not closed */
export function readPage(path: string, markdown: string): Page {
  const blocks: Block[] = [];
  const headings: string[] = [];
  const prose: string[] = [];
  let open: { block: Block; indent: number; fence: string; lines: string[] } | undefined;
  let directive: string | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open !== undefined) {
      prose.push('');
      if (line.trim() === open.fence) {
        blocks.push({ ...open.block, text: open.lines.join('\n') });
        open = undefined;
      } else open.lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)));
      continue;
    }
    const [, indent = '', fence, language = ''] = /^(\s*)(`{3,}|~{3,})\s*(\S*)/.exec(line) ?? [];
    if (fence !== undefined) {
      prose.push('');
      const block = {
        place: `${path}:${index + 1}`,
        language,
        text: '',
        heading: headings.at(-1) ?? '',
        directive,
      };
      open = { block, indent: indent.length, fence, lines: [] };
      directive = undefined;
      continue;
    }
    prose.push(line);
    const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (heading !== undefined) headings.push(heading);
    if (line.trim() !== '') directive = /^\s*<!-- test: (.+?) -->$/.exec(line)?.[1];
  }
  if (open !== undefined) throw new Error(`${open.block.place}: this block has no end`);
  return { path, blocks, headings, prose: prose.join('\n') };
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf({ headings }: Page): Set<string> {
  const anchors = new Set<string>();
  for (const heading of headings) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
    const slug = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
