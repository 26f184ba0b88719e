/** Reads all blocks of an action's input before anything is sent, and reports their problems in one error. */
import type { RunContext } from '../context.ts';
import { invalidInput } from '../failures.ts';
import type { Block } from './block.ts';
import { type BlockNotes, checkOneRequest, limits, newNotes } from './limits.ts';
import { cleanBlocks } from './clean-block.ts';
import { readContentBlock } from './simplified-block.ts';
import { splitBlock } from './plan-append.ts';

/** Adds the warnings to the run. @throws ActionError INVALID_INPUT that lists the problems, if there are any */
function settle(context: RunContext, notes: BlockNotes): void {
  if (notes.problems.length > 0) throw invalidInput(notes.problems);
  for (const warning of notes.warnings) context.warn(warning);
}

/**
 * Reads blocks in the forms that readContentBlock accepts. Splits a block whose text is too long into several blocks.
 * @throws ActionError INVALID_INPUT that lists the problems
 */
export function readContentBlocks(context: RunContext, given: readonly unknown[], path: string): Block[] {
  const notes = newNotes();
  const blocks = given
    .flatMap((item, index) => readContentBlock(item, `${path}[${index}]`, notes))
    .flatMap(splitBlock);
  settle(context, notes);
  return blocks;
}

/**
 * Reads one item as one block with its children. If its text is too long for one block, makes several blocks and adds a
 * warning.
 * @throws ActionError INVALID_INPUT that lists the problems
 */
export function readOneContentBlock(context: RunContext, given: unknown, path: string): Block[] {
  const notes = newNotes();
  const blocks = readContentBlock(given, path, notes, { single: true }).flatMap(splitBlock);
  settle(context, notes);
  if (blocks.length > 1)
    context.warn(
      `The text is longer than a block holds (${limits.richTextItems} pieces of ${limits.textContent} characters): ${blocks.length} blocks were made of it.`,
    );
  return blocks;
}

/**
 * Reads full blocks. With `autoSplit`, splits blocks with long text. Without it, rejects blocks that do not fit into
 * one request.
 * @param options.check returns an error message if the action does not accept the block
 * @throws ActionError INVALID_INPUT that lists the problems
 */
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
