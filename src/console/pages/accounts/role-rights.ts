/** What a role may do and see, in the words of the page of the roles. */
import type { Capability } from '../../../contract/accounts/capabilities.ts';
import type { Role } from '../../../contract/accounts/members.ts';
import { texts } from '../../messages.ts';

const t = texts.roles;

/** True for a capability that only shows something. */
const onlyViews = (capability: Capability): boolean => capability.endsWith('.view');

const nouns: Readonly<Partial<Record<Capability, string>>> = t.seen;

/** Lists what a custom role can do, or the names of what it can see. */
export const rightsOf = ({ capabilities }: Role, areViews: boolean): string[] =>
  capabilities
    .filter((one) => onlyViews(one) === areViews)
    .map((one) => nouns[one] ?? texts.capabilities[one]);

/** @returns for example "Can do: Approve tool calls. Can see: Conversations" */
export function rightsText(role: Role): string {
  if (role.built_in) return t.every;
  return (
    [
      [t.columns.changes, rightsOf(role, false)],
      [t.columns.views, rightsOf(role, true)],
    ] as const
  )
    .filter(([, rights]) => rights.length > 0)
    .map(([label, rights]) => `${label}: ${rights.join(', ')}`)
    .join('. ');
}
