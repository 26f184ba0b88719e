/** Fits a model request into the model's context window: cuts long texts and drops the oldest turns. */
interface Turn {
  text: string;
}

/**
 * Number of ASCII characters that count as one token. Most text has about four per token, so the estimated number of
 * tokens is too high rather than too low. A UTF-16 unit that is not ASCII counts as a whole token.
 */
const unitsPerToken = 3;
/**
 * Size of a turn of the history in addition to its text, in ASCII characters, for data such as the turn's role.
 * Chosen.
 */
const turnUnits = 16;
/**
 * Maximum tokens that are reserved for the answer. In a small context window, a quarter of the window is reserved.
 * Chosen.
 */
const maxReservedTokens = 4000;
/**
 * Tokens that are reserved for each file. Chosen: enough for one image or one page of a document. The common providers
 * count an image by its size, with at most about this number of tokens.
 */
const fileTokens = 1600;
const cutMark = '\n[The rest is left out: it is too long.]';

export interface Context<T extends Turn> {
  /** The model's context window in tokens. Part of it is reserved for the answer. */
  windowTokens: number;
  /** Text that is never cut: the agent's instructions and the descriptions of its tools. */
  fixed: string;
  files: number;
  /** Text that may be cut: this run's input, texts of attachments, tool results. */
  texts: readonly string[];
  history: readonly T[];
}

/**
 * Cuts the longest texts if the texts together do not fit. Then adds turns of the history, from the newest to the
 * oldest, as long as they fit.
 * @returns the texts, of which some may be cut, and the turns that fit, oldest first
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
 * Divides the room equally among the texts. Texts that need less than their share leave the rest to the longer ones.
 * @returns the size to which longer texts must be cut so that all fit; Infinity if all fit without cuts. Sizes are in
 * the units of `unitsOf`.
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
