/** Describes for the audit log what was changed. */

/** @returns the earlier and the new value, for example "500 → 800"; the value alone if it did not change */
export const changeText = (from: string, to: string): string => (from === to ? to : `${from} → ${to}`);

/** Maximum names that `listedText` lists, so that the text fits in a target. */
const maxListed = 5;

/** @returns for example "added agents.manage, audit.view; removed tokens.view"; an empty text if the lists are equal */
export function listChangeText(from: readonly string[], to: readonly string[]): string {
  const parts = [
    ['added', to.filter((one) => !from.includes(one))] as const,
    ['removed', from.filter((one) => !to.includes(one))] as const,
  ];
  return parts
    .filter(([, names]) => names.length > 0)
    .map(([verb, names]) => `${verb} ${listedText(names)}`)
    .join('; ');
}

function listedText(names: readonly string[]): string {
  const more = names.length - maxListed;
  return names.slice(0, maxListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * @param after a field that it does not contain did not change
 * @param names fields that hold a text, a number, true or false, or null for the default
 * @returns a text for each changed field, for example "model: openai/gpt-5 → openai/gpt-5-mini"
 */
export function fieldChanges<Name extends string>(
  before: Readonly<Partial<Record<Name, unknown>>>,
  after: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): string[] {
  return names
    .filter((name) => after[name] !== undefined && after[name] !== (before[name] ?? null))
    .map((name) => `${plainField(name)}: ${changeText(valueText(before[name]), valueText(after[name]))}`);
}

/** @returns the name of a field as words */
export const plainField = (name: string): string => name.replaceAll('_', ' ');

/** Maximum characters of a value. Chosen: a target has room for two of them beside a name. */
const maxCharacters = 60;

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return 'default';
  return value.length > maxCharacters ? `${value.slice(0, maxCharacters - 1)}…` : value;
}
