/** Compares printed output with the output that a page shows. */
import assert from 'node:assert/strict';

/**
 * `…` stands for anything; identifiers, times and white space are not compared.
 * @throws AssertionError that shows both
 */
export function matchAnswer(shown: string, printed: string): void {
  assert.ok(isAnswer(shown, printed), `The page shows\n${shown}\n\nbut this was printed:\n${printed}`);
}

/** @throws AssertionError if the page shows too little to compare */
export function isAnswer(shown: string, printed: string): boolean {
  const said = plain(shown).replaceAll('…', '');
  assert.ok(said.length >= 10, `The page shows hardly anything: ${shown}`);
  const [first = '', ...rest] = plain(shown).split('…');
  const last = rest.pop();
  const whole = plain(printed);
  let at = whole.startsWith(first) ? first.length : -1;
  // Each piece where it comes first: if it fits anywhere, it fits so.
  for (const piece of rest) {
    if (at < 0) break;
    const found = whole.indexOf(piece, at);
    at = found < 0 ? -1 : found + piece.length;
  }
  const ends = last === undefined ? whole.length === at : whole.slice(at).endsWith(last);
  return at >= 0 && ends;
}

function plain(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
    .replaceAll(/\s+/g, '');
}
