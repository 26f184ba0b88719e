/** Limits the number of pieces that one text, or the blocks of one call, can become. */
import { invalidInput } from '../failures.ts';

/**
 * Maximum pieces of one text or call. Chosen: a block of text counts as two pieces or more, itself and a run of text,
 * so this allows about as many blocks as a list of the input may have items.
 */
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
