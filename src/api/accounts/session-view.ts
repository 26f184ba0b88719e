import type { ConsoleSession } from '../../contract/accounts/session.ts';
import type { ApiDeps } from '../deps.ts';
import type { PersonCaller } from '../caller.ts';

/** @returns the signed-in user as the console's pages get it */
export function sessionView(person: PersonCaller, { config, origin, defaultModel }: ApiDeps): ConsoleSession {
  return {
    user: { id: person.userId, name: person.name, email: person.email },
    organization: { id: person.organizationId, name: person.organizationName },
    organizations: person.organizations,
    role: person.roleName,
    capabilities: [...person.capabilities],
    base_url: `${origin}/v1`,
    default_model: defaultModel,
    ...(config.TEMPORAL_UI_URL !== undefined && {
      temporal_ui: { url: config.TEMPORAL_UI_URL, namespace: config.TEMPORAL_NAMESPACE },
    }),
  };
}
