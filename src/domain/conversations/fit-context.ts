/** Keeps what a model is asked within its window: long texts are cut, the oldest turns left out. */
interface Turn {
  text: string;
}

/** A cautious estimate: most text has about four characters a token; beyond ASCII it is nearer to one. */
const unitsPerToken = 3;
const turnUnits = 16;
const mostReservedTokens = 4000;
/** An image or a page of a document: providers count by size, none of the usual ones more than this. */
const fileTokens = 1600;
const cutMark = '\n[The rest is left out: it is too long.]';

export interface Context<T extends Turn> {
  /** The model's window, in tokens, with room for its answer. */
  windowTokens: number;
  /** What is sent as it is: instructions, descriptions of tools. */
  fixed: string;
  files: number;
  /** This run's input, texts of attachments, results of tools. */
  texts: readonly string[];
  history: readonly T[];
}

/** @returns the texts, each cut where all do not fit, and the newest turns beside them, oldest first */
export function fitContext<T extends Turn>(context: Context<T>): { texts: string[]; history: T[] } {
  const { windowTokens, fixed, files, texts, history } = context;
  const reserved = Math.min(mostReservedTokens, windowTokens / 4) + files * fileTokens;
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

/** The most that each may have so that all fit: short ones leave their part to the long ones. */
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
