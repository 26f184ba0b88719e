/** An organization is closed while one of its members joins another. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connectDatabase, inTransaction, type Database } from '../../../src/adapters/postgres/database.ts';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import { backing } from '../../support/backing.ts';
import { makePerson } from '../../support/console-person.ts';
import { until } from '../../support/until.ts';

describe('Closing an organization', () => {
  let db: Database;
  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 4);
  });
  after(async () => {
    await db.close();
  });

  const idsOf = async (email: string) =>
    await db.knex('console_users').where({ email }).pluck<string[]>('id');
  const isWaiting = async () => {
    const { rows } = await db.pool.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%close_organization%'
         and datname = current_database()`,
    );
    return rows.length > 0;
  };

  it('deletes the accounts of its members, but not of one who joins another organization meanwhile', async () => {
    const [closing, other] = [await createOrganization(db, 'closing'), await createOrganization(db, 'other')];
    const [leaving, joining] = [
      await makePerson({ db, organizationId: closing.id }),
      await makePerson({ db, organizationId: closing.id }),
    ];
    const [joiningId] = await idsOf(joining.email);
    let closed: Promise<unknown> | undefined;
    await inTransaction(db, async (tx) => {
      const membership = { id: randomUUID(), organization_id: other.id, user_id: joiningId, role: 'admin' };
      await tx.knex('console_members').insert(membership);
      closed = db.pool.query('select close_organization($1)', [closing.id]);
      await until('the erasure to wait for the membership', isWaiting);
    });
    await closed;
    assert.deepEqual(await idsOf(leaving.email), []);
    assert.deepEqual(await idsOf(joining.email), [joiningId]);
    const left = await db
      .knex('console_members')
      .where({ user_id: joiningId })
      .pluck<string[]>('organization_id');
    assert.deepEqual(left, [other.id]);
  });
});
