/** Keeps the newest turns that fit the model's window. */
interface Turn {
  text: string;
}

/** A cautious estimate: most text has about four characters a token. */
const charactersPerToken = 3;
const reserveTokens = 4000;

/** @returns the newest turns, oldest first, that fit beside the input */
export function trimHistory<T extends Turn>(
  history: readonly T[],
  input: string,
  contextTokens: number,
): T[] {
  let room = (contextTokens - reserveTokens) * charactersPerToken - input.length;
  const kept: T[] = [];
  for (const turn of history.toReversed()) {
    room -= turn.text.length + 16;
    if (room < 0) break;
    kept.push(turn);
  }
  return kept.reverse();
}
