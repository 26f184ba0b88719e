/** Whether what was printed is what a page shows. */
import assert from 'node:assert/strict';

/**
 * `…` stands for anything; identifiers, times and white space are not compared.
 * @throws AssertionError that shows both
 */
export function matchAnswer(shown: string, printed: string): void {
  const pattern = plain(shown).split('…').map(RegExp.escape).join('[^]*');
  if (new RegExp(`^${pattern}$`).test(plain(printed))) return;
  assert.fail(`The page shows\n${shown}\n\nbut this was printed:\n${printed}`);
}

function plain(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
    .replaceAll(/\s+/g, '');
}
