/** Limits the number of pieces into which the content of one call is split. */
import { invalidInput } from '../failures.ts';

/**
 * Maximum pieces of one call. Chosen: a block of text counts as at least two pieces, the block and a run of text. So a
 * call can make about as many blocks as a list in its input may have items (`maxListItems`).
 */
export const maxPieces = 20_000;

/**
 * Counts pieces as they are made: blocks, table cells, and runs of text in one style. Without a limit, an input of many
 * very short pieces could occupy a worker for seconds.
 */
export class Pieces {
  private count = 0;

  /** @throws ActionError INVALID_INPUT if there are more than {@link maxPieces} now */
  add(count: number): void {
    this.count += count;
    if (this.count <= maxPieces) return;
    throw invalidInput(
      `the content makes over ${maxPieces} blocks, table cells and runs of text with one style; send it in several calls`,
    );
  }
}
