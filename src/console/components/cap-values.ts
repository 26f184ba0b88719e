/** Converts credit caps to the values of form fields, and back. */
import type { CreditCaps } from '../../contract/data/credit-caps.ts';

export type CapName = keyof CreditCaps;
export type CapValues = Partial<Record<CapName, number | string>>;

/** Caps on the total credits of an organization, agent or token. A token has no caps per contact or conversation. */
export const ownCaps = ['day', 'month'] as const satisfies readonly CapName[];
export const allCaps = [
  ...ownCaps,
  'contact_day',
  'contact_month',
  'conversation_day',
  'conversation_month',
] as const satisfies readonly CapName[];

/** @returns a value for each name; an empty text if there is no such cap */
export function capValues(caps: CreditCaps | null | undefined, names: readonly CapName[]): CapValues {
  return Object.fromEntries(names.map((name) => [name, caps?.[name] ?? '']));
}

/** @returns the caps as the API expects them; null if all fields are empty */
export function capsIn(values: CapValues): CreditCaps | null {
  const set = Object.entries(values).filter(([, value]) => value !== '');
  return set.length === 0 ? null : Object.fromEntries(set.map(([name, value]) => [name, Number(value)]));
}
