import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/local/project-root.ts';
import { readExposition, valueOf, type Family } from '../support/exposition.ts';
import { useObservedStack } from '../support/observed-stack.ts';
import { until } from '../support/until.ts';

describe('GET /metrics of API and worker', () => {
  const stack = useObservedStack();
  const both = async () => ({
    api: readExposition(await stack().scrape('api')),
    worker: readExposition(await stack().scrape('worker')),
  });
  /** Returns how much each metric has grown since then. */
  const since = (before: Awaited<ReturnType<typeof both>>) => async (process: 'api' | 'worker') => {
    const now = (await both())[process];
    return (name: string, labels: Record<string, string> = {}) =>
      valueOf(now, name, labels) - valueOf(before[process], name, labels);
  };

  /** Runs of other files may still end, or fail. */
  const noRunIsOpen = async () =>
    await until('no run to be open', async () => {
      const { rows } = await stack().db.pool.query(
        "select from runs where state in ('collecting', 'ready', 'running') limit 1",
      );
      return rows.length === 0;
    });

  it('counts a message from its acceptance to its callback: lag, time to answer, model call, tokens, outcome', async () => {
    const { api, receiver, model } = stack();
    model.answer('counted', {
      kind: 'stream',
      text: 'yes',
      usage: { prompt_tokens: 11, completion_tokens: 7 },
    });
    const agent = await api.createAgent();
    await noRunIsOpen();
    const added = since(await both());
    await api.send(agent.id, { message: 'counted', webhook_url: receiver.url('/counted') });
    await receiver.waitFor('/counted', 1);
    const ofWorker = await until('the callback to be counted', async () => {
      const one = await added('worker');
      return one('parley_callbacks_total', { outcome: 'delivered' }) > 0 && one;
    });
    const ofApi = await added('api');
    assert.equal(ofApi('parley_inputs_accepted_total', { channel: 'api' }), 1);
    const route = { method: 'POST', route: '/v1/chat/{id}', status: '2xx' };
    assert.equal(ofApi('parley_http_request_duration_seconds_count', route), 1);
    assert.equal(ofWorker('parley_runs_ended_total', { outcome: 'answered' }), 1);
    assert.equal(ofWorker('parley_queue_lag_seconds_count'), 1);
    assert.equal(ofWorker('parley_time_to_answer_seconds_count', { mode: 'single' }), 1);
    const took = ofWorker('parley_time_to_answer_seconds_sum', { mode: 'single' });
    assert.ok(took > ofWorker('parley_queue_lag_seconds_sum') && took < 60, `${took}`);
    const call = { provider: 'custom', outcome: 'answered' };
    assert.equal(ofWorker('parley_model_call_duration_seconds_count', call), 1);
    assert.equal(ofWorker('parley_model_tokens_total', { provider: 'custom', kind: 'input' }), 11);
    assert.equal(ofWorker('parley_model_tokens_total', { provider: 'custom', kind: 'output' }), 7);
    assert.equal(ofWorker('parley_callback_duration_seconds_count'), 1);
  });

  it('counts failures: the run of a model that refuses, the callback that its receiver refuses', async () => {
    const { api, receiver, model } = stack();
    model.answer('refused', { kind: 'status', status: 400 });
    receiver.behave('/refused', { status: 500 });
    const agent = await api.createAgent();
    await noRunIsOpen();
    const added = since(await both());
    await api.send(agent.id, { message: 'refused', webhook_url: receiver.url('/refused') });
    const one = await until('the callback to be counted', async () => {
      const counted = await added('worker');
      return counted('parley_callbacks_total', { outcome: 'failed' }) > 0 && counted;
    });
    assert.equal(one('parley_runs_ended_total', { outcome: 'failed' }), 1);
    assert.equal(one('parley_runs_ended_total', { outcome: 'answered' }), 0);
    const call = { provider: 'custom', outcome: 'failed' };
    assert.equal(one('parley_model_call_duration_seconds_count', call), 1);
  });

  it('report open runs, both database pools, Postgres and Temporal, and recovery', async () => {
    const { api, model } = stack();
    model.answer('open', { kind: 'hang' });
    const agent = await api.createAgent();
    const { conversation_id } = await api.send(agent.id, { message: 'open' });
    const now = await until('the run to be seen', async () => {
      const seen = await both();
      return valueOf(seen.api, 'parley_open_runs', { state: 'running' }) > 0 && seen;
    });
    await api.call('POST', `/conversations/${conversation_id}/cancel`);
    // DATABASE_POOL is 6 here; the API has a third of it more for each of two other logins.
    const limits = { api: 10, worker: 6 };
    for (const process of ['api', 'worker'] as const) {
      for (const pool of ['statements', 'queries']) {
        assert.equal(valueOf(now[process], 'parley_database_pool_limit', { pool }), limits[process]);
        assert.equal(valueOf(now[process], 'parley_database_pool_waiting', { pool }), 0);
      }
      const used = { pool: 'statements' };
      assert.ok(valueOf(now[process], 'parley_database_pool_connections', used) >= 1);
      assert.equal(valueOf(now[process], 'parley_dependency_up', { dependency: 'postgres' }), 1);
      assert.equal(valueOf(now[process], 'parley_dependency_up', { dependency: 'temporal' }), 1);
    }
    await until('a sweep', async () => {
      const at = valueOf((await both()).worker, 'parley_sweep_last_success_timestamp_seconds');
      return Math.abs(Date.now() / 1000 - at) < 60;
    });
    await stack().temporalLine.cut();
    try {
      const cut = await both();
      assert.equal(valueOf(cut.api, 'parley_dependency_up', { dependency: 'temporal' }), 0);
      assert.equal(valueOf(cut.worker, 'parley_dependency_up', { dependency: 'postgres' }), 1);
    } finally {
      await stack().temporalLine.restore();
    }
  });

  it('names metrics as Prometheus wants them, with labels of few values, and each is in docs/observability.md', async () => {
    const { api, worker } = await both();
    const own = new Map<string, Family>([...api, ...worker].filter(([name]) => name.startsWith('parley_')));
    assert.ok(own.size > 15);
    for (const { name, type } of [...api.values(), ...worker.values()]) {
      assert.equal(name.endsWith('_total'), type === 'counter', name);
    }
    for (const { name, type, help, samples } of own.values()) {
      assert.match(name, /^parley_[a-z]+(_[a-z]+)*$/);
      if (type === 'histogram') assert.match(name, /_(seconds|bytes)$/);
      assert.doesNotMatch(name, /_(ms|milliseconds|minutes|kb|mb|count|sum|bucket|info)$/);
      assert.match(help, /\.$/, name);
      const series = new Set(samples.map(({ labels: { le: _, ...rest } }) => JSON.stringify(rest)));
      assert.ok(series.size <= 200, `${name} has ${series.size} series`);
      for (const value of samples.flatMap(({ labels }) => Object.values(labels))) {
        assert.doesNotMatch(value, /[\da-f]{8}-|^\d{6}|@/, name);
      }
    }
    const text = readFileSync(join(projectRoot, 'docs/observability.md'), 'utf8');
    const documented = [...text.matchAll(/^\| `(parley_\w+)`\s*\| (\w+)\s*\|/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    assert.deepEqual(documented.sort(), [...own.values()].map(({ name, type }) => `${name} ${type}`).sort());
  });

  it('are not at the public address', async () => {
    const response = await fetch(new URL('/metrics', stack().apiUrl));
    assert.doesNotMatch(await response.text(), /parley_/);
  });
});
