/** What a number field holds: nothing where it is empty. */
export function numberOrNull(typed: number | string): number | null {
  return typed === '' ? null : Number(typed);
}
