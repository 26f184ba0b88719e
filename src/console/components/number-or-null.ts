/** The value of a number field; null if it is empty. */
export function numberOrNull(typed: number | string): number | null {
  return typed === '' ? null : Number(typed);
}
