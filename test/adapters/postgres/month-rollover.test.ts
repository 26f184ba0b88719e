/**
 * A month begins in UTC, whatever the database's time zone: counters and limits begin again, and each day keeps its
 * own.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { createOrganization } from '../../../src/adapters/postgres/accounts/organizations.ts';
import { createToken } from '../../../src/adapters/postgres/accounts/tokens.ts';
import { connectDatabase, type Database } from '../../../src/adapters/postgres/database.ts';
import {
  findAllowances,
  findCallsOfRehearsals,
  findUsageByModel,
  findUsageByToken,
  findUsageWithoutModel,
  findUsedDays,
  MonthlyLimits,
} from '../../../src/adapters/postgres/data/usage.ts';
import { recordAskedTurn } from '../../../src/adapters/postgres/rehearsals/rehearsal-turns.ts';
import { limitReached, nextMonth } from '../../../src/domain/data/monthly-limits.ts';
import { backing } from '../../support/backing.ts';

const aDayMs = 86_400_000;
const today = new Date();
const monthStart = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth()));
/** The last instant of the month before. */
const lastInstant = new Date(monthStart.getTime() - 1);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

// Both change between summer and winter time, in opposite directions, and are on other days than UTC for hours.
for (const timezone of ['UTC', 'America/New_York', 'Pacific/Auckland']) {
  describe(`The turn of a month, on a database in ${timezone}`, () => {
    let db: Database;
    let organizationId: string;
    let tokenId: string;

    before(async () => {
      const url = await (await backing()).freshDatabase();
      const admin = new pg.Client(url);
      await admin.connect();
      await admin.query(`alter database ${new URL(url).pathname.slice(1)} set timezone = '${timezone}'`);
      await admin.end();
      db = connectDatabase(url, 2);
    });
    after(async () => {
      await db.close();
    });
    beforeEach(async () => {
      organizationId = (await createOrganization(db, 'an organization')).id;
      tokenId = (await createToken(db, { organizationId, name: 'a token' })).id;
    });

    /** A run of the token that ended then: one message, and so many credits. */
    async function runEnded(at: Date, credits: number): Promise<string> {
      const [agent_id, conversation_id, id] = [1, 2, 3].map(() => crypto.randomUUID()) as [
        string,
        string,
        string,
      ];
      const owned = { organization_id: organizationId };
      await db
        .knex('agents')
        .insert({ ...owned, id: agent_id, name: agent_id, inbox_id: crypto.randomUUID() });
      await db.knex('conversations').insert({ ...owned, id: conversation_id, target_id: agent_id, agent_id });
      await db.knex('runs').insert({
        ...{ ...owned, id, conversation_id, agent_id, ordinal: 1, mode: 'single', state: 'answered' },
        ...{ opened_at: at, closes_at: at, cap_at: at, finished_at: at, message_count: 1 },
      });
      const step = { run_id: id, step: 1, agent_id, kind: 'answer', text: '', model: 'scripted/default' };
      await db.knex('run_steps').insert({ ...step, credits });
      await db.knex('run_tokens').insert({ ...owned, run_id: id, token_id: tokenId });
      return conversation_id;
    }
    const used = async () => {
      const found = await findAllowances(db, organizationId, tokenId);
      const byToken = (await findUsageByToken(db, organizationId)).get(tokenId);
      const byModel = await findUsageByModel(db, organizationId);
      return {
        organization: found?.organization.used,
        token: found?.token?.used,
        tokenInList: byToken?.credits ?? 0,
        model: byModel[0]?.credits ?? 0,
        messages: found?.organization.messages,
      };
    };
    const all = (credits: number, messages: number) => ({
      ...{ organization: credits, token: credits, tokenInList: credits, model: credits, messages },
    });

    it('a run that ended in the last instant of the previous month no longer counts, one that ended in the first instant of this month does', async () => {
      await runEnded(lastInstant, 7);
      assert.deepEqual(await used(), all(0, 0));
      await runEnded(monthStart, 2);
      assert.deepEqual(await used(), all(2, 1));
    });

    it('erased runs stay in the month in which they ended', async () => {
      const conversations = [await runEnded(lastInstant, 7), await runEnded(monthStart, 2)];
      await db.knex('conversations').whereIn('id', conversations).delete();
      const { model: _, ...kept } = await used();
      const { model: __, ...expected } = all(2, 1);
      assert.deepEqual(kept, expected);
    });

    it('rehearsals and erased runs of this month are the usage that no model has', async () => {
      const conversation_id = await runEnded(monthStart, 2);
      const erased = [await runEnded(lastInstant, 7), await runEnded(monthStart, 3)];
      const run = await db
        .knex<{ id: string; agent_id: string; conversation_id: string }>('runs')
        .where({ conversation_id })
        .first();
      const [id, owned] = [crypto.randomUUID(), { organization_id: organizationId }];
      await db.knex('rehearsals').insert({
        ...{
          ...owned,
          id,
          agent_id: run?.agent_id,
          status: 'running',
          content: {},
          source: 'recent',
          turns: 2,
        },
        ...{ checks: {}, author: 'a person', runs_read_only_tools: false },
        ...{ created_at: lastInstant, begun_at: lastInstant },
      });
      for (const position of [0, 1])
        await db.knex('rehearsal_turns').insert({ ...owned, rehearsal_id: id, position, run_id: run?.id });
      const asked = { outcome: 'same', diverged: false, passed: true, modelMs: 1 } as const;
      const call = {
        model: 'shop/rehearsed',
        input_tokens: 1000,
        output_tokens: 10,
        cached_input_tokens: 400,
      };
      const rehearsed = { text: '', calls: [], transfer_to: null, broken_rules: [] };
      await recordAskedTurn(db, id, 0, { ...asked, rehearsed, credits: 0.25, modelCalls: [call, call] });
      await recordAskedTurn(db, id, 1, { ...asked, rehearsed, credits: 0.5, modelCalls: [call] });
      await db.knex('conversations').whereIn('id', erased).delete();
      const without = await findUsageWithoutModel(db, organizationId);
      assert.deepEqual(without, { rehearsals: 0.75, erased: 3 });
      const price = { input: 1000, output: 2000, cached_input: 500 };
      await db
        .knex('organizations')
        .where({ id: organizationId })
        .update({ model_prices: { 'shop/rehearsed': price } });
      assert.deepEqual(await findCallsOfRehearsals(db, organizationId), [
        { id: 'shop/rehearsed', calls: 3, input_tokens: 3000, output_tokens: 30, cost_usd: 2.46 },
      ]);
      assert.deepEqual(await findCallsOfRehearsals(db, organizationId, { to: dayOf(lastInstant) }), []);
      const { organization, model } = await used();
      assert.equal(organization, model + without.rehearsals + without.erased);
    });

    it('a limit that was reached in the month before refuses nothing, and refuses again once this month reaches it', async () => {
      await db.knex('api_tokens').where({ id: tokenId }).update({ monthly_credit_limit: 5 });
      await runEnded(lastInstant, 7);
      const reached = async () => {
        const allowances = await new MonthlyLimits(db).find(organizationId, tokenId);
        assert.ok(allowances);
        return limitReached(allowances)?.code;
      };
      assert.equal(await reached(), undefined);
      await runEnded(monthStart, 5);
      assert.equal(await reached(), 'credit_limit_reached');
    });

    it('each of the last 400 days is listed once, with what ended on it in UTC', async () => {
      await runEnded(lastInstant, 7);
      await runEnded(monthStart, 2);
      const days = await findUsedDays(db, organizationId, 400);
      const midnight = Date.parse(dayOf(new Date()));
      assert.deepEqual(
        days.map(({ day }) => day),
        Array.from({ length: 400 }, (_, n) => dayOf(new Date(midnight - (399 - n) * aDayMs))),
      );
      const credits = Object.fromEntries(days.map((one) => [one.day, one.credits]));
      assert.deepEqual([credits[dayOf(lastInstant)], credits[dayOf(monthStart)]], [7, 2]);
      assert.equal(
        days.reduce((sum, one) => sum + one.runs, 0),
        2,
      );
    });
  });
}

describe('The next month', () => {
  it('begins at midnight in UTC, also after December', () => {
    assert.equal(nextMonth(new Date('2026-12-31T23:59:59.999Z')), '2027-01-01T00:00:00.000Z');
    assert.equal(nextMonth(new Date('2028-02-29T00:00:00Z')), '2028-03-01T00:00:00.000Z');
  });
});
