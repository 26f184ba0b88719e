/** The blocks of an action's input, read whole before anything is sent; every problem is named at once. */
import type { RunContext } from '../context.ts';
import { invalidInput } from '../failures.ts';
import type { Block } from './block.ts';
import { newNotes, type BlockNotes } from './block-notes.ts';
import { cleanBlocks } from './clean-block.ts';
import { checkOneRequest } from './check-limits.ts';
import { readContentBlock } from './simplified-block.ts';
import { splitBlock } from './split-block.ts';

function settle(context: RunContext, notes: BlockNotes): void {
  if (notes.problems.length > 0) throw invalidInput(notes.problems);
  for (const warning of notes.warnings) context.warn(warning);
}

/** Simplified, wrapped or full; long text is split. */
export function readContentBlocks(context: RunContext, given: readonly unknown[], path: string): Block[] {
  const notes = newNotes();
  const blocks = given
    .flatMap((item, index) => readContentBlock(item, `${path}[${index}]`, notes))
    .flatMap(splitBlock);
  settle(context, notes);
  return blocks;
}

/** Full blocks for one request: what the workspace would refuse is refused here, unless `autoSplit`. */
export function readRawBlocks(
  context: RunContext,
  given: readonly unknown[],
  path: string,
  options: { autoSplit: boolean; check?: (block: Block, path: string) => string | undefined },
): Block[] {
  const notes = newNotes();
  const blocks = cleanBlocks(given, path, notes);
  if (notes.problems.length === 0) {
    for (const [index, block] of blocks.entries()) {
      const problem = options.check?.(block, `${path}[${index}]`);
      if (problem !== undefined) notes.problems.push(problem);
    }
    if (!options.autoSplit) checkOneRequest(blocks, path, notes);
  }
  settle(context, notes);
  return options.autoSplit ? blocks.flatMap(splitBlock) : blocks;
}
