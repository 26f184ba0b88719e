/** The second layer of isolation, asked as the API's role: the rows are those that real traffic wrote. */
import assert from 'node:assert/strict';
import pg from 'pg';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import {
  acrossOrganizations,
  apiRole,
  inOrganization,
} from '../../../src/adapters/postgres/organization-scope.ts';
import { useSharedStack } from '../../support/stack.ts';

describe('Row-level security', () => {
  const stack = useSharedStack();
  let scoped: Database;
  let tables: string[];

  before(async () => {
    scoped = connectDatabase(stack().databaseUrl, 2, true);
    const { rows } = await stack().db.pool.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity
         and has_table_privilege('${apiRole}', oid, 'select') order by 1`,
    );
    tables = rows.map(({ relname }) => relname);
    const { api, receiver } = stack();
    const agent = await api.createAgent({ script: [{ when: 'x', reply: 'y' }] });
    const { conversation_id } = await api.send(agent.id, { message: 'x', webhook_url: receiver.url('/rls') });
    await api.settled(conversation_id);
  });
  after(async () => {
    await scoped.close();
  });

  const count = async (table: string): Promise<number> =>
    (await scoped.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? -1;

  it('refuses code without an organization, by the pool and by knex, and shows it nothing', async () => {
    const raw = new pg.Client(stack().databaseUrl);
    await raw.connect();
    await raw.query(`set role ${apiRole}`);
    for (const table of tables) {
      await assert.rejects(count(table), /for no organization/);
      await assert.rejects(scoped.knex(table).limit(1), /for no organization/);
      assert.deepEqual((await raw.query(`select * from ${table} limit 1`)).rows, [], table);
    }
    await raw.end();
  });

  it('shows an organization its own rows and no other’s', async () => {
    const mine = stack().organizationId;
    const other = (await stack().stranger()).organizationId;
    assert.equal(await inOrganization(mine, async () => await count('conversations')), 1);
    assert.equal(await inOrganization(mine, async () => await count('run_steps')), 1);
    // The other organization itself, and its token.
    for (const table of tables.filter((name) => !['api_tokens', 'organizations'].includes(name)))
      assert.equal(await inOrganization(other, async () => await count(table)), 0, table);
    assert.ok((await acrossOrganizations(async () => await count('conversations'))) >= 1);
  });

  it('keeps many scopes apart that share two connections', async () => {
    const mine = stack().organizationId;
    const other = (await stack().stranger()).organizationId;
    const seen = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const whose = n % 3 === 0 ? 0 : 1;
        const ask = async () =>
          n % 2 ? await count('conversations') : (await scoped.knex('conversations')).length;
        return [whose, await inOrganization([mine, other][whose] ?? '', ask)];
      }),
    );
    for (const [whose, rows] of seen) assert.equal(rows, whose === 0 ? 1 : 0);
  });

  it('lets no row be changed, taken over or written for another organization', async () => {
    const mine = stack().organizationId;
    const other = (await stack().stranger()).organizationId;
    await inOrganization(other, async () => {
      assert.equal(await scoped.knex('agents').update({ name: 'taken' }), 0);
      assert.equal(await scoped.knex('conversations').delete(), 0);
      await assert.rejects(
        scoped.knex('inboxes').insert({ id: crypto.randomUUID(), organization_id: mine, agent_id: mine }),
        /row-level security/,
      );
    });
    await inOrganization(mine, async () => {
      await assert.rejects(scoped.knex('agents').update({ organization_id: other }), /row-level security/);
    });
  });
});
