/** Fits a model request into the model's context window: cuts long texts and drops the oldest turns. */
interface Turn {
  text: string;
}

/**
 * Assumed UTF-16 units per token: fewer than in most text, which has about four, so that the estimate is safe. A unit
 * beyond ASCII counts as a whole token.
 */
const unitsPerToken = 3;
const turnUnits = 16;
const maxReservedTokens = 4000;
/**
 * Tokens reserved per file, enough for one image or one page of a document. Providers count by size; the common
 * providers count at most this many.
 */
const fileTokens = 1600;
const cutMark = '\n[The rest is left out: it is too long.]';

export interface Context<T extends Turn> {
  /** The model's context window in tokens. Part of it is reserved for the answer. */
  windowTokens: number;
  /** Text that is never cut: instructions and tool descriptions. */
  fixed: string;
  files: number;
  /** Text that may be cut: this run's input, texts of attachments, tool results. */
  texts: readonly string[];
  history: readonly T[];
}

/**
 * Cuts the longest texts if the texts do not fit, and keeps the newest turns of the history that still fit, in their
 * order.
 */
export function fitContext<T extends Turn>(context: Context<T>): { texts: string[]; history: T[] } {
  const { windowTokens, fixed, files, texts, history } = context;
  const reserved = Math.min(maxReservedTokens, windowTokens / 4) + files * fileTokens;
  const room = Math.max(0, (windowTokens - reserved) * unitsPerToken - unitsOf(fixed));
  const share = shareOf(texts.map(unitsOf), room);
  const cut = texts.map((text) => cutTo(text, share));
  let left = room - cut.reduce((sum, text) => sum + unitsOf(text), 0);
  const kept: T[] = [];
  for (const turn of history.toReversed()) {
    left -= unitsOf(turn.text) + turnUnits;
    if (left < 0) break;
    kept.push(turn);
  }
  return { texts: cut, history: kept.reverse() };
}

/**
 * Returns the size, in units, to which each text must be cut so that all fit; Infinity if none must be cut. Texts below
 * it leave their unused share to the longer ones.
 */
function shareOf(sizes: readonly number[], room: number): number {
  let left = room;
  let open = sizes.length;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size > left / open) return left / open;
    left -= size;
    open -= 1;
  }
  return Infinity;
}

function cutTo(text: string, units: number): string {
  if (unitsOf(text) <= units) return text;
  let room = units - cutMark.length;
  let end = 0;
  while (end < text.length) {
    room -= unitsAt(text, end);
    if (room < 0) break;
    end += 1;
  }
  return `${text.slice(0, end)}${cutMark}`.toWellFormed();
}

function unitsOf(text: string): number {
  let units = 0;
  for (let index = 0; index < text.length; index++) units += unitsAt(text, index);
  return units;
}

function unitsAt(text: string, index: number): number {
  return text.charCodeAt(index) < 128 ? 1 : unitsPerToken;
}
