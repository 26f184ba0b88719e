/** Finds the first h1 of a markdown text, and the text before and after it. */
import type { JsonObject } from '../../contract/workspace/actions.ts';
import { richTextOf } from '../blocks/block.ts';
import { Lines } from './lines.ts';
import { fenceOf, readBlocks } from './read-blocks.ts';

export type FirstHeading = { words: readonly JsonObject[]; before: string; behind: string };

/** @returns undefined if no line is an h1; lines inside code fences and equations do not count */
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
