import type { ChangeOrganization } from '../../contract/accounts/organization.ts';
import type { OrganizationLimits } from '../../contract/data/usage.ts';

type Settings = ChangeOrganization & OrganizationLimits;

/** For each setting: its name, and what null means. */
const settings: Record<keyof Settings, readonly [name: string, ifNull: string]> = {
  retention_days: ['days to keep', 'all'],
  monthly_credit_limit: ['credits per month', 'no limit'],
  monthly_message_limit: ['messages per month', 'no limit'],
  storage_limit_megabytes: ['megabytes of files', 'default'],
};

/**
 * @returns the given settings as the audit log shows them, for example "credits per month: 5, days to keep: all"; empty
 * if there are none
 */
export function settingsText(given: Settings): string {
  return Object.entries(settings)
    .map(([key, [name, ifNull]]) => ({ name, ifNull, value: Reflect.get(given, key) as unknown }))
    .filter(({ value }) => value !== undefined)
    .map(({ name, ifNull, value }) => `${name}: ${value === null ? ifNull : String(value)}`)
    .join(', ');
}
