/** Migrates the database of local mode and creates its first organization, token, agent and administrator. */
import { ensureAdministrator } from '../adapters/accounts/administrator.ts';
import { createAgent, findAgent, findAgentByName } from '../adapters/postgres/conversations/agents.ts';
import { recordAudit } from '../adapters/postgres/accounts/audit-log.ts';
import { connectDatabase, inTransaction, type Database } from '../adapters/postgres/database.ts';
import { migrate } from '../adapters/postgres/migrate.ts';
import { createOrganization, findOrganization } from '../adapters/postgres/accounts/organizations.ts';
import { createToken, findActiveToken } from '../adapters/postgres/accounts/tokens.ts';
import type { CreateAgent } from '../contract/conversations/agents.ts';
import type { FirstOrganization, Secrets } from './secrets.ts';

/** The first agent. It names no model, so it uses the default model or, if none is configured, this script. */
const firstAgent: CreateAgent = {
  name: 'Echo',
  description: 'The first agent of a new installation.',
  instructions: 'You are a friendly assistant. Answer in one or two sentences.',
  script: [{ when: '(?s)^(.*)$', reply: 'You wrote: $1' }],
};

/**
 * Migrates the database, then creates the organization, its token and its agent if they are missing. Creates an
 * administrator only together with the organization, so that it never restores an administrator whom somebody removed.
 * Never changes a password.
 * @returns the ids of the organization and the agent, and the token
 */
export async function bootstrap(databaseUrl: string, secrets: Secrets): Promise<FirstOrganization> {
  await migrate(databaseUrl);
  const db = connectDatabase(databaseUrl, 2);
  try {
    return await organizationOf(db, secrets);
  } finally {
    await db.close();
  }
}

async function organizationOf(
  db: Database,
  { first, admin }: Pick<Secrets, 'first' | 'admin'>,
): Promise<FirstOrganization> {
  const known = first === undefined ? undefined : await findOrganization(db, first.organization_id);
  if (first === undefined || known === undefined) return await makeAll(db, admin);
  const found = await findActiveToken(db, first.token);
  const agent = await findAgent(db, known.id, first.agent_id);
  return {
    organization_id: known.id,
    token: found?.organization_id === known.id ? first.token : await makeToken(db, known.id),
    agent_id: agent?.id ?? (await makeAgent(db, known.id)),
  };
}

async function makeAll(db: Database, admin: Secrets['admin']): Promise<FirstOrganization> {
  const organization = await inTransaction(db, async (tx) => {
    const made = await createOrganization(tx, 'My organization');
    await ensureAdministrator(tx, made.id, admin);
    const actor = { kind: 'system', name: 'local start', organizationId: made.id } as const;
    await recordAudit(tx, actor, 'member_added', `${admin.email} as Administrator`);
    return made;
  });
  return {
    organization_id: organization.id,
    token: await makeToken(db, organization.id),
    agent_id: await makeAgent(db, organization.id),
  };
}

async function makeToken(db: Database, organizationId: string): Promise<string> {
  const { token } = await createToken(db, {
    organizationId,
    name: 'Local start',
    by: { name: 'local start' },
  });
  return token;
}

/** Creates the first agent, unless an agent already has its name. @returns the id of the agent of this name */
async function makeAgent(db: Database, organizationId: string): Promise<string> {
  const taken = await findAgentByName(db, organizationId, firstAgent.name);
  return taken?.id ?? (await createAgent(db, organizationId, firstAgent)).id;
}
