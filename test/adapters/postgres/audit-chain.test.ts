/** The hash chain of the audit log: what breaks it, and what does not. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { cleanUpActivity } from '../../../activities/upkeep/clean-up.ts';
import {
  changeAuditRetention,
  findAuditRetention,
  sealAudit,
  verifyAudit,
} from '../../../src/adapters/postgres/accounts/audit-chain.ts';
import { recordAudit } from '../../../src/adapters/postgres/accounts/audit-log.ts';
import { connectDatabase, inTransaction, type Database } from '../../../src/adapters/postgres/database.ts';
import { forAccounts, inOrganization } from '../../../src/adapters/postgres/organization-scope.ts';
import { backing } from '../../support/backing.ts';

const operator = { kind: 'system', name: 'the test' } as const;

describe('The hash chain of the audit log', () => {
  let url: string;
  let db: Database;
  before(async () => {
    url = await (await backing()).freshDatabase();
    db = connectDatabase(url, 8);
  });
  after(async () => {
    await db.close();
  });

  const record = async (organizationId: string, target: string, on = db) => {
    await inTransaction(on, (tx) =>
      recordAudit(tx, { ...operator, organizationId }, 'agent_created', target),
    );
  };
  const cleanUp = async () => await new MockActivityEnvironment({}).run(cleanUpActivity({ db }));
  /** An organization with so many sealed entries. */
  const organizationWith = async (entries: number): Promise<string> => {
    const id = randomUUID();
    for (let n = 1; n <= entries; n += 1) await record(id, `entry ${n}`);
    await sealAudit(db, id);
    return id;
  };
  /** Changes rows as an owner of the database who switches off the triggers. */
  const tamper = async (sql: string, values: unknown[]) => {
    await inTransaction(db, async (tx) => {
      await tx.knex.raw('set local session_replication_role = replica');
      await tx.knex.raw(sql, values as string[]);
    });
  };
  const positions = async (organizationId: string) =>
    (
      await db.pool.query<{ position: number }>(
        'select position from audit_log where organization_id = $1 order by position',
        [organizationId],
      )
    ).rows.map(({ position }) => position);

  it('the cleanup seals what is new, and verification finds nothing wrong', async () => {
    const id = randomUUID();
    for (let n = 1; n <= 5; n += 1) await record(id, `entry ${n}`);
    const before = await verifyAudit(db, id);
    assert.deepEqual([before.verified, before.unsealed, before.problem], [0, 5, undefined]);
    await cleanUp();
    const after = await verifyAudit(db, id);
    assert.deepEqual([after.verified, after.unsealed, after.problem], [5, 0, undefined]);
    assert.deepEqual(await positions(id), [1, 2, 3, 4, 5]);
  });

  it('another program computes the same hash from the description in docs/audit.md', async () => {
    const id = await organizationWith(2);
    const { rows } = await db.pool.query<Record<string, unknown> & { at: Date; hash: Buffer }>(
      'select * from audit_log where organization_id = $1 order by position',
      [id],
    );
    let previous = Buffer.alloc(32);
    for (const {
      organization_id,
      position,
      id: entry,
      at,
      actor_id,
      actor,
      action,
      target,
      address,
      hash,
    } of rows) {
      const fields = [
        organization_id,
        position,
        entry,
        at.toISOString(),
        actor_id,
        actor,
        action,
        target,
        address,
      ];
      previous = createHash('sha256').update(previous).update(JSON.stringify(fields)).digest();
      assert.equal(previous.toString('hex'), hash.toString('hex'));
    }
  });

  it('an audited change does not wait for another one, and an entry that commits late gets its place later', async () => {
    const id = await organizationWith(1);
    await inTransaction(db, async (late) => {
      await recordAudit(late, { ...operator, organizationId: id }, 'agent_changed', 'late');
      // Both would wait for the open transaction above if appends were serialized.
      await record(id, 'quick');
      assert.equal(await sealAudit(db, id), 1);
    });
    assert.equal(await sealAudit(db, id), 1);
    const { rows } = await db.pool.query<{ target: string }>(
      'select target from audit_log where organization_id = $1 order by position',
      [id],
    );
    assert.deepEqual(
      rows.map(({ target }) => target),
      ['entry 1', 'quick', 'late'],
    );
    assert.equal((await verifyAudit(db, id)).problem, undefined);
  });

  it('twenty writers and three sealers at once leave one chain without a gap', async () => {
    const id = randomUUID();
    await Promise.all([
      ...Array.from({ length: 20 }, async (_, writer) => {
        for (let n = 0; n < 5; n += 1) await record(id, `${writer}/${n}`);
      }),
      ...Array.from({ length: 3 }, async () => {
        for (let n = 0; n < 10; n += 1) await sealAudit(db, id);
      }),
    ]);
    await sealAudit(db, id);
    assert.deepEqual(
      await positions(id),
      Array.from({ length: 100 }, (_, n) => n + 1),
    );
    assert.equal((await verifyAudit(db, id)).problem, undefined);
  });

  describe('by somebody with all rights on the database', () => {
    const cases: [what: string, sql: string, problem: RegExp][] = [
      ...['actor', 'action', 'target', 'address'].map((column): [string, string, RegExp] => [
        `a changed ${column}`,
        `update audit_log set ${column} = 'forged' where organization_id = ? and position = 3`,
        /position 3 or its hash was changed/,
      ]),
      [
        'a changed time',
        `update audit_log set at = at - interval '1 day' where organization_id = ? and position = 3`,
        /position 3 or its hash was changed/,
      ],
      [
        'a changed hash',
        `update audit_log set hash = sha256('x') where organization_id = ? and position = 3`,
        /position 3 or its hash was changed/,
      ],
      [
        'an entry removed',
        'delete from audit_log where organization_id = ? and position = 3',
        /position 3 is missing/,
      ],
      [
        'the first removed',
        'delete from audit_log where organization_id = ? and position = 1',
        /position 1 is missing/,
      ],
      [
        'the last removed',
        'delete from audit_log where organization_id = ? and position = 5',
        /position 5 is missing/,
      ],
      ['all removed', 'delete from audit_log where organization_id = ?', /position 1 is missing/],
      [
        'an entry put at the end',
        `insert into audit_log (id, organization_id, actor, action, target, position, hash)
           select gen_random_uuid(), o, 'x', 'agent_created', 'x', 6, sha256('x') from (values (?::uuid)) v(o)`,
        /position 6 or its hash was changed/,
      ],
      [
        'the end of the chain forgotten',
        'delete from audit_chains where organization_id = ?',
        /ends at position 0, but there are entries after it/,
      ],
    ];
    for (const [what, sql, problem] of cases)
      it(`${what} is found`, async () => {
        const id = await organizationWith(5);
        assert.equal((await verifyAudit(db, id)).problem, undefined);
        await tamper(sql, [id]);
        assert.match((await verifyAudit(db, id)).problem ?? 'nothing', problem);
      });

    it('a whole chain that was recomputed is found by a place that was noted before', async () => {
      const id = await organizationWith(5);
      const { position, hash } = await verifyAudit(db, id);
      assert.equal((await verifyAudit(db, id, { position, hash })).problem, undefined);
      await tamper(
        `update audit_log set position = null, hash = null,
           target = case position when 2 then 'forged' else target end where organization_id = ?`,
        [id],
      );
      await tamper('delete from audit_chains where organization_id = ?', [id]);
      await sealAudit(db, id);
      assert.equal((await verifyAudit(db, id)).problem, undefined);
      assert.match(
        (await verifyAudit(db, id, { position, hash })).problem ?? '',
        /another hash at position 5/,
      );
      assert.match(
        (await verifyAudit(db, id, { position: 9, hash })).problem ?? '',
        /ends at position 5, before position 9/,
      );
    });
  });

  describe('retention', () => {
    const age = async (organizationId: string, upTo: number, days: number) => {
      await tamper(
        `update audit_log set position = null, hash = null,
           at = at - case when position <= ? then make_interval(days => ?) else interval '0' end where organization_id = ?`,
        [upTo, days, organizationId],
      );
      await tamper('delete from audit_chains where organization_id = ?', [organizationId]);
      await sealAudit(db, organizationId);
    };

    it('deletes entries older than a year unless it is set, and the rest still verifies', async () => {
      const id = await organizationWith(6);
      await age(id, 4, 366);
      const { position, hash } = await verifyAudit(db, id);
      await cleanUp();
      assert.deepEqual(await positions(id), [5, 6]);
      const after = await verifyAudit(db, id, { position, hash });
      assert.deepEqual([after.verified, after.deleted_to, after.problem], [2, 4, undefined]);
      await record(id, 'another');
      await cleanUp();
      assert.deepEqual(
        [(await verifyAudit(db, id)).position, (await verifyAudit(db, id)).problem],
        [7, undefined],
      );
      assert.match(
        (await verifyAudit(db, id, { position: 2, hash })).problem ?? '',
        /deleted the entries up to 4/,
      );
      await tamper('delete from audit_log where organization_id = ? and position = 5', [id]);
      assert.match((await verifyAudit(db, id)).problem ?? '', /position 5 is missing/);
    });

    it('keeps as many days as it is set to, or everything', async () => {
      const [short, forever] = [await organizationWith(2), await organizationWith(2)];
      for (const id of [short, forever]) await age(id, 1, 40);
      const kept = async (...ids: string[]) =>
        await Promise.all(ids.map(async (id) => await findAuditRetention(db, id)));
      // With a row of audit_chains and without one.
      assert.deepEqual(await kept(short, crypto.randomUUID()), [365, 365]);
      await changeAuditRetention(db, short, 30, operator);
      await changeAuditRetention(db, forever, null, operator);
      assert.deepEqual(await kept(short, forever), [30, null]);
      await age(forever, 1, 4000);
      await db.pool.query('update audit_chains set retention_days = null where organization_id = $1', [
        forever,
      ]);
      await cleanUp();
      assert.deepEqual(await positions(short), [2, 3]);
      assert.deepEqual(await positions(forever), [1, 2, 3]);
      const { rows } = await db.pool.query<{ action: string; target: string }>(
        'select action, target from audit_log where organization_id = $1 order by position desc limit 1',
        [short],
      );
      assert.deepEqual(rows, [{ action: 'audit_retention_changed', target: 'Days to keep: 365 → 30' }]);
    });

    it('can be shortened to 30 days at least', async () => {
      const id = await organizationWith(1);
      await assert.rejects(changeAuditRetention(db, id, 29, operator), /check constraint/);
    });
  });

  it('the API’s roles add entries, and can neither change, delete nor seal them', async () => {
    const id = await organizationWith(1);
    const scoped = connectDatabase(url, 2, true);
    for (const scope of [
      <T>(work: () => T) => inOrganization(id, work),
      <T>(work: () => T) => forAccounts(work),
    ])
      await scope(async () => {
        await record(id, 'by the API', scoped);
        for (const sql of [
          "update audit_log set target = 'x'",
          'delete from audit_log',
          'truncate audit_log',
          'update audit_chains set deleted_to = 1',
          'delete from audit_chains',
          `insert into audit_chains (organization_id) values ('${randomUUID()}')`,
        ])
          await assert.rejects(scoped.pool.query(sql), /permission denied/, sql);
      });
    await scoped.close();
  });
});
