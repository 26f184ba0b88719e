import type { ChangeOrganization } from '../../contract/accounts/organization.ts';
import type { CreditCaps } from '../../contract/data/credit-caps.ts';
import type { OrganizationLimits } from '../../contract/data/usage.ts';

/**
 * Describes changed settings for the audit log.
 * @returns for example "Days to keep: all. Credits per month: 5"; an empty text if no setting is changed
 */
export function settingsText(given: ChangeOrganization & OrganizationLimits): string {
  const settings = [
    { name: 'Days to keep', value: given.retention_days, ifNull: 'all' },
    { name: 'Credits per month', value: given.monthly_credit_limit, ifNull: 'no limit' },
    { name: 'Messages per month', value: given.monthly_message_limit, ifNull: 'no limit' },
    { name: 'Caps on credits', value: given.credit_caps && capsText(given.credit_caps), ifNull: 'none' },
    { name: 'Megabytes of files', value: given.storage_limit_megabytes, ifNull: 'default' },
  ];
  return settings
    .filter(({ value }) => value !== undefined)
    .map(({ name, value, ifNull }) => `${name}: ${value ?? ifNull}`)
    .join('. ');
}

/** @returns the caps as text; null if there are none */
function capsText(caps: CreditCaps): string | null {
  const set = Object.entries(caps).map(([name, value]) => `${name.replace('_', ' per ')} ${value}`);
  return set.length === 0 ? null : set.join(', ');
}
