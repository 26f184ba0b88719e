/** The agent sends nothing after a person has taken over, whichever step of a reply the takeover precedes. */
import assert from 'node:assert/strict';
import { connectDatabase } from '../../../src/adapters/postgres/database.ts';
import { backing } from '../../support/backing.ts';
import { sqlFunction } from '../../support/sql-function.ts';
import { playTakeovers } from '../../support/takeovers/play-takeovers.ts';

describe('A takeover before any step of a reply', () => {
  /** @param sql run on the database first */
  async function play(count: number, sql?: string) {
    const databaseUrl = await (await backing()).freshDatabase();
    const db = connectDatabase(databaseUrl, 12);
    try {
      if (sql !== undefined) await db.pool.query(sql);
      return await playTakeovers(db, databaseUrl, { count, seed: 1 });
    } finally {
      await db.close();
    }
  }

  it("ends the agent's messages: 600 interleavings from seed 1; 10,000 by npm run interleavings:takeovers", async () => {
    assert.deepEqual(await play(600), { played: 600, failing: [] });
  });

  it('and a later message of the agent are found, if the claim does not check for a takeover', async () => {
    const look = 'if v_until > clock_timestamp() and not exists';
    const claimSend = sqlFunction('claim_gateway_send');
    assert.equal(claimSend.split(look).length, 2);
    const blind = claimSend.replace(look, 'if false and not exists');
    const { failing } = await play(300, blind);
    assert.ok(failing.some((line) => line.includes('claimed after the takeover')));
  });
});
