/** Organizations whose identifiers strangers try, and what proves that nothing of theirs was touched. */
import { createRole } from '../../src/adapters/postgres/accounts/change-members.ts';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import { inOrganization } from '../../src/adapters/postgres/organization-scope.ts';
import { makePerson } from './console-person.ts';
import type { Stack } from './stack.ts';

export const unknownId = '01890000-0000-7000-8000-000000000000';

export type Victim = { organizationId: string; ids: string[] };

/** An organization with something of every kind. */
export async function newVictim(stack: Stack): Promise<Victim> {
  const { receiver, db } = stack;
  const { organizationId, api, tokenId } = await stack.stranger();
  const agent = await api.createAgent({ script: [{ when: 'x', reply: 'y' }] });
  const other = await api.createAgent({ transfers_to: [agent.id] });
  const { conversation_id } = await api.send(agent.id, {
    message: 'private',
    webhook_url: receiver.url('/isolated'),
  });
  const messages = await api.settled(conversation_id);
  const deliveries = await api.deliveries({ conversation_id });
  const connection = crypto.randomUUID();
  await db.knex('tool_connections').insert({
    ...{ id: connection, organization_id: organizationId, auth: 'API_KEY', status: 'needs_reconnect' },
  });
  const secret = { webhook_secret: 'sealed', webhook_secret_hash: Buffer.from(connection) };
  await db.knex('channels').insert({ agent_id: agent.id, organization_id: organizationId, ...secret });
  await makePerson({ db, organizationId });
  const { rows: members } = await db.pool.query<{ id: string; user_id: string }>(
    'select id, user_id from console_members where organization_id = $1',
    [organizationId],
  );
  const role = await createRole(db, organizationId, { name: 'Reader', capabilities: ['tokens.view'] });
  const ids = [
    agent.id,
    agent.inbox_id,
    other.id,
    conversation_id,
    connection,
    tokenId,
    organizationId,
    role,
  ];
  return {
    organizationId,
    ids: [
      ...ids,
      ...[...messages, ...deliveries].map(({ id }) => id),
      ...members.flatMap(({ id, user_id }) => [id, user_id]),
    ],
  };
}

/** Every row that an organization has, in every table; but not how often it has called itself, written later. */
export class RowsOfOrganizations {
  readonly #stack: Stack;
  readonly #scoped: Database;

  constructor(stack: Stack) {
    this.#stack = stack;
    this.#scoped = connectDatabase(stack.databaseUrl, 2, true);
  }

  /** @returns by table, a digest of its rows; empty where it has none */
  async of(organizationId: string): Promise<Map<string, string>> {
    const { pool } = this.#stack.db;
    const tables = await pool.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity`,
    );
    const digest = (table: string, where = '') =>
      `select coalesce(string_agg(sum, '' order by sum), '') as sum
         from (select md5((to_jsonb(t) - 'call_count' - 'last_used_at')::text) as sum from ${table} t ${where}) rows`;
    const rows = await inOrganization(organizationId, async () => {
      const found = new Map<string, string>();
      for (const { relname } of tables.rows) {
        const { rows: sums } = await this.#scoped.pool.query<{ sum: string }>(digest(relname));
        found.set(relname, sums[0]?.sum ?? '');
      }
      return found;
    });
    for (const table of ['console_members', 'console_roles']) {
      const asked = digest(table, `where organization_id = '${organizationId}'`);
      rows.set(table, (await pool.query<{ sum: string }>(asked)).rows[0]?.sum ?? '');
    }
    return rows;
  }

  async close(): Promise<void> {
    await this.#scoped.close();
  }
}
