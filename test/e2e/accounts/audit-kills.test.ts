/**
 * The API is killed in the middle of audited changes: every change that is there has exactly one event, and no event is
 * without its change.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sealAudit, verifyAudit } from '../../../src/adapters/postgres/accounts/audit-chain.ts';
import { randomOf } from '../../chaos/random.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const seed = Number(process.env['SEED'] ?? 7);
const kills = 6;
const callers = 6;

describe('Audit events while the API is killed', () => {
  const stack = useStack({ apis: 1, workers: 1 });

  it(`an acknowledged change has one event, an event has its change (seed ${seed})`, async () => {
    const { api, apiProcess, db, organizationId } = stack();
    const random = randomOf(seed, 'audit kills');
    const acknowledged = { created: new Set<string>(), deleted: new Set<string>() };
    let unanswered = 0;
    let stopped = false;
    let made = 0;
    const change = async () => {
      while (!stopped) {
        const name = `agent ${(made += 1)}`;
        const created = await api.call('POST', '/agents', { body: { name } }).catch(() => undefined);
        if (created?.status === 201) {
          acknowledged.created.add(name);
          const { id } = created.body as { id: string };
          const gone = await api.call('DELETE', `/agents/${id}`).catch(() => undefined);
          if (gone?.status === 204) acknowledged.deleted.add(id);
          else unanswered += 1;
        } else {
          unanswered += 1;
          await sleep(20);
        }
      }
    };
    const working = Promise.all(Array.from({ length: callers }, change));
    for (let n = 0; n < kills; n += 1) {
      const before = acknowledged.deleted.size;
      await until('a change since the last kill', () => acknowledged.deleted.size > before + 1);
      await sleep(random.between(150, 650));
      await apiProcess.kill();
      await apiProcess.start();
    }
    stopped = true;
    await working;
    assert.ok(unanswered > 0, 'no kill hit a call');

    const events = async (action: string) =>
      await db
        .knex<{ organization_id: string; target: string; action: string }>('audit_log')
        .where({ organization_id: organizationId, action })
        .pluck('target');
    const rows = await db
      .knex<{ organization_id: string; id: string; name: string; deleted_at: Date | null }>('agents')
      .where({ organization_id: organizationId });
    const [created, deleted] = [await events('agent_created'), await events('agent_deleted')];
    assert.deepEqual(created.toSorted(), rows.map(({ id, name }) => `${name} (${id})`).toSorted());
    assert.deepEqual(
      deleted.toSorted(),
      rows
        .filter(({ deleted_at }) => deleted_at !== null)
        .map(({ id }) => id)
        .toSorted(),
    );
    for (const name of acknowledged.created)
      assert.ok(
        created.some((target) => target.startsWith(`${name} (`)),
        name,
      );
    for (const id of acknowledged.deleted) assert.ok(deleted.includes(id), id);
    assert.ok(acknowledged.deleted.size > kills, `${acknowledged.deleted.size} changes were acknowledged`);

    while ((await sealAudit(db, organizationId)) > 0);
    const chain = await verifyAudit(db, organizationId);
    assert.deepEqual([chain.problem, chain.unsealed], [undefined, 0]);
  });

  it('a draft is published once, with its author and event, or is still there', async () => {
    const { apiProcess, db, stranger } = stack();
    const { api, organizationId } = await stranger();
    const agents = await Promise.all(
      Array.from({ length: 60 }, () => api.createAgent({ instructions: 'one' })),
    );
    for (const { id } of agents)
      assert.equal(
        (await api.call('PUT', `/agents/${id}/draft`, { body: { instructions: 'two' } })).status,
        200,
      );
    // The draft of one is locked, so that its call is in progress at the kill.
    const lock = await db.pool.connect();
    await lock.query('begin');
    await lock.query('select from agent_drafts where agent_id = $1 for update', [agents.at(-1)?.id]);
    const publishing = agents.map(
      async ({ id }) =>
        (await api.call('POST', `/agents/${id}/versions`, { body: {} }).catch(() => undefined))?.status,
    );
    await Promise.race(publishing);
    await apiProcess.kill();
    await lock.query('rollback');
    lock.release();
    const statuses = await Promise.all(publishing);
    assert.ok(statuses.includes(undefined), 'the kill hit no call');
    await apiProcess.start();
    const idsOf = async (table: string, column: string, of: object) =>
      await db.knex<Record<string, string>>(table).where(of).pluck(column);
    let published = 0;
    for (const [index, { id }] of agents.entries()) {
      const [, second, ...more] = await db
        .knex<{ agent_id: string; version: number; author: string | null }>('agent_versions')
        .where({ agent_id: id })
        .orderBy('version');
      const drafts = await idsOf('agent_drafts', 'agent_id', { agent_id: id });
      assert.deepEqual([more.length, drafts.length], [0, second === undefined ? 1 : 0], id);
      if (second !== undefined) assert.match(second.author ?? '', /^API token /);
      if (statuses[index] === 200) assert.ok(second, id);
      if (second !== undefined) published += 1;
    }
    const events = await idsOf('audit_log', 'target', {
      organization_id: organizationId,
      action: 'agent_published',
    });
    assert.equal(events.length, published);
  });
});
