/** A workspace that asks to be left alone is waited for, but not for ever. */
import assert from 'node:assert/strict';
import { newDocsCaller, startDocsStack, type DocsStack } from '../../support/docs-stack.ts';

describe('An action that the workspace rate-limits', () => {
  let docs: DocsStack;
  before(async () => {
    docs = await startDocsStack({ DOCS_PATIENCE_SECONDS: '12' });
  });
  after(async () => {
    await docs.stack.stop();
    await Promise.all([docs.emulator.stop(), docs.model.close()]);
  });
  beforeEach(async () => {
    docs.emulator.reset();
    await docs.stack.db.pool.query('delete from paces');
  });

  const retrieve = { action: 'DOCS_RETRIEVE_PAGE', input: () => ({ page_id: docs.emulator.ids.home }) };
  const limited = /^RATE_LIMITED.*try again in \d+ seconds\./;

  it('for longer than the wait limit fails at once, and names the time to retry', async () => {
    const { run } = await newDocsCaller(docs);
    const fault = { kind: 'rate-limited', retryAfter: 90 } as const;
    docs.emulator.faults.add({ method: 'GET', path: /^\/v1\/pages/, fault });
    const began = Date.now();
    const { successful, error } = await run(retrieve.action, retrieve.input());
    assert.equal(successful, false);
    assert.match(error!, limited);
    assert.ok(Date.now() - began < 60_000, 'it waited for the 90 seconds');
  });

  it('again and again fails once its total wait is used up; the model learns why, and the run continues', async () => {
    const { api } = await newDocsCaller(docs);
    const fault = { kind: 'rate-limited', retryAfter: 3 } as const;
    docs.emulator.faults.add({ method: 'GET', path: /^\/v1\/pages/, times: 1000, fault });
    const tool = { action: retrieve.action, input: retrieve.input() };
    const agent = await api.createAgent({
      model: 'scripted/default',
      tools: [retrieve.action],
      script: [{ when: '^go$', tool }],
    });
    const { response } = await api.ask(agent.id, { message: 'go' });
    assert.match(response, /RATE_LIMITED/);
    const [execution] = await docs.stack.db
      .knex<{ status: string; waited_ms: number; failures: number }>('tool_executions')
      .orderBy('id', 'desc');
    assert.equal(execution!.status, 'failed');
    assert.ok(execution!.waited_ms > 12_000 && execution!.waited_ms < 30_000, String(execution!.waited_ms));
  });

  it('because of another action fails without a request', async () => {
    const { run } = await newDocsCaller(docs);
    await docs.stack.db.pool.query(
      `insert into paces (key, blocked_until) values ('workspace:' || $1, now() + interval '1 hour')
         on conflict (key) do update set blocked_until = excluded.blocked_until`,
      [docs.emulator.ids.workspace],
    );
    docs.emulator.requests.length = 0;
    const { successful, error } = await run(retrieve.action, retrieve.input());
    assert.equal(successful, false);
    assert.match(error!, limited);
    assert.deepEqual(docs.emulator.requests, []);
  });
});
