import type { ChangeOrganization } from '../../contract/accounts/organization.ts';
import type { CreditCaps } from '../../contract/data/credit-caps.ts';
import type { OrganizationLimits } from '../../contract/data/usage.ts';
import { changeText } from '../accounts/change-text.ts';

type Settings = ChangeOrganization & OrganizationLimits;

const settings = [
  { key: 'retention_days', name: 'Days to keep', ifNull: 'all' },
  { key: 'monthly_credit_limit', name: 'Credits per month', ifNull: 'no limit' },
  { key: 'monthly_message_limit', name: 'Messages per month', ifNull: 'no limit' },
  { key: 'credit_caps', name: 'Caps on credits', ifNull: 'none' },
  { key: 'storage_limit_megabytes', name: 'Megabytes of files', ifNull: 'default' },
] as const satisfies readonly { key: keyof Settings; name: string; ifNull: string }[];

/**
 * Describes changed settings for the audit log.
 * @param before the settings before the change
 * @param given the settings that the change sets; those that it leaves as they were are not described
 * @returns for example "Days to keep: all → 30. Credits per month: 500 → 800"
 */
export function settingsText(before: Settings, given: Settings): string {
  const described = settings
    .filter(({ key }) => given[key] !== undefined)
    .map(({ key, name, ifNull }) => {
      const [from, to] = [before[key], given[key]].map((value) => valueText(value) ?? ifNull);
      return { isChanged: from !== to, text: `${name}: ${changeText(from ?? ifNull, to ?? ifNull)}` };
    });
  const changed = described.filter(({ isChanged }) => isChanged);
  return (changed.length > 0 ? changed : described).map(({ text }) => text).join('. ');
}

const valueText = (value: number | CreditCaps | null | undefined): string | null =>
  typeof value === 'number' ? String(value) : value == null ? null : capsText(value);

/** @returns the caps as text; null if there are none */
export function capsText(caps: CreditCaps): string | null {
  const set = Object.entries(caps).map(([name, value]) => `${name.replace('_', ' per ')} ${value}`);
  return set.length === 0 ? null : set.join(', ');
}
