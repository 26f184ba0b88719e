/** The attempts that a right code takes back from the count of its address. */
import assert from 'node:assert/strict';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import { createPasswordGuard } from '../../../src/api/accounts/password-guard.ts';
import { backing } from '../../support/backing.ts';
import { until } from '../../support/until.ts';

describe('A right code of a second factor', () => {
  let db: Database;
  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 4);
  });
  after(async () => {
    await db.close();
  });

  const right = () => Promise.resolve(true);
  const wrong = () => Promise.resolve(undefined);

  /** @returns the failed attempts that count for the address afterwards, from three with other accounts */
  async function countAfter(beganWith: 'password' | 'provider'): Promise<number> {
    await db.pool.query('delete from sign_in_counters');
    const guard = createPasswordGuard(db, undefined);
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
      await guard.attempt('203.0.113.7', email, wrong);
    if (beganWith === 'password')
      assert.equal(await guard.attempt('203.0.113.7', 'me@example.com', right, () => true), true);
    assert.equal(await guard.attemptCode('203.0.113.7', 'me@example.com', right, beganWith), true);
    const { rows } = await db.pool.query<{ attempts: number }>(
      'select max(attempts) as attempts from sign_in_counters',
    );
    return rows[0]!.attempts;
  }

  it('takes back itself and the attempt with the password, not those with other accounts', async () => {
    assert.equal(await countAfter('password'), 3);
  });

  it('takes back only itself after a sign-in at an identity provider', async () => {
    assert.equal(await countAfter('provider'), 3);
  });
});

const crowd = 40;

describe('Sign-ins that no password was checked for', () => {
  let db: Database;
  before(async () => {
    db = connectDatabase(await (await backing()).freshDatabase(), 4);
  });
  after(async () => {
    await db.close();
  });

  const countersOf = async () =>
    (
      await db.pool.query<{ attempts: number }>(
        'select attempts from sign_in_counters order by attempts desc',
      )
    ).rows.map(({ attempts }) => attempts);

  it('leave no counters, however many accounts they name', async () => {
    const guard = createPasswordGuard(db, undefined);
    const failing = () => Promise.reject(new Error('the check failed'));
    for (const name of ['a', 'b', 'c'])
      await assert.rejects(guard.attempt('203.0.113.8', `${name}@example.com`, failing), /the check failed/);
    assert.deepEqual(await countersOf(), []);
  });

  it('leave those of attempts that were checked', async () => {
    const guard = createPasswordGuard(db, undefined);
    let refused = 0;
    // Occupies the only slot until all that find no place in the queue are refused.
    const wrong = async () => {
      await until('the others to be refused', () => refused >= crowd - 11);
      return undefined;
    };
    const attempts = Array.from({ length: crowd }, (_, n) =>
      guard.attempt('203.0.113.8', `${n}@example.com`, wrong).catch(() => {
        refused += 1;
      }),
    );
    await Promise.all(attempts);
    assert.equal(refused, crowd - 11);
    assert.deepEqual(await countersOf(), [11, ...Array.from({ length: 11 }, () => 1)]);
  });
});
