/** Limits how much one text, or the blocks of one call, may turn into. */
import { invalidInput } from '../failures.ts';

/** Chosen: a block has at least one run of text, so about as many blocks as a list of the input may have items. */
export const maxPieces = 20_000;

/**
 * Counts pieces while they are made: blocks, table cells, and runs of text with one style. Without a limit, an input of
 * very short pieces could occupy a worker for seconds.
 */
export class Pieces {
  private count = 0;

  /** @throws ActionError INVALID_INPUT if there are more than {@link maxPieces} */
  add(count: number): void {
    this.count += count;
    if (this.count <= maxPieces) return;
    throw invalidInput(
      `the content makes over ${maxPieces} blocks, table cells and runs of text with one style; send it in several calls`,
    );
  }
}
