/** Converts capabilities to better-auth's access control and back. */
import { createAccessControl } from 'better-auth/plugins/access';
import { defaultStatements } from 'better-auth/plugins/organization/access';
import {
  administratorRole,
  allCapabilities,
  capability,
  type Capability,
} from '../../contract/accounts/capabilities.ts';

type Statements = Record<string, string[]>;

/** Permissions that better-auth checks before it changes members, invitations or roles. */
const membership: Statements = {
  member: [...defaultStatements.member],
  invitation: [...defaultStatements.invitation],
  ac: [...defaultStatements.ac],
};

/**
 * Converts capabilities to better-auth's statements, for example `tokens.view` to `{ tokens: ['view'] }`.
 * `members.manage` also gets the permissions of `membership`.
 */
export function statementsOf(capabilities: readonly Capability[]): Statements {
  const statements: Statements = {};
  for (const one of capabilities) {
    const [resource = '', action = ''] = one.split('.');
    (statements[resource] ??= []).push(action);
  }
  return capabilities.includes('members.manage') ? { ...statements, ...membership } : statements;
}

/**
 * Converts better-auth's statements to capabilities. Ignores statements without a capability, such as those of
 * `membership`.
 */
export function capabilitiesOf(statements: Statements): Capability[] {
  return Object.entries(statements).flatMap(([resource, actions]) =>
    actions.flatMap((action) => {
      const parsed = capability.safeParse(`${resource}.${action}`);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

export const accessControl = createAccessControl(statementsOf(allCapabilities));
export const builtInRoles = { [administratorRole]: accessControl.newRole(statementsOf(allCapabilities)) };
