/** Each alert rule fires on what it is about and on nothing else, as Prometheus itself evaluates it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '../../src/local/project-root.ts';
import { ensurePromtool } from '../support/promtool.ts';

const rulesText = readFileSync(join(projectRoot, 'src/deploy/observability/alerts.yaml'), 'utf8');
const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string() })) })) })
  .parse(parse(rulesText))
  .groups.flatMap((group) => group.rules);

type Series = Record<string, string>;

/** A sample a minute: all is well for 20 minutes, then something is wrong for 30. */
const [wellFor, wrongFor] = [20, 30];
const steady = (well: number, wrong = well) => `${well}x${wellFor} ${wrong}x${wrongFor}`;
/** A counter that grows by so much a minute, then by so much. */
const counts = (well: number, wrong = well) => `0+${well}x${wellFor} ${well * wellFor}+${wrong}x${wrongFor}`;
const stops = counts(10, 0);

const http = 'parley_http_request_duration_seconds_count';
const lag = (le: string) => `parley_queue_lag_seconds_bucket{job="parley-worker",le="${le}"}`;
const answer = (le: string) =>
  `parley_time_to_answer_seconds_bucket{job="parley-worker",mode="single",le="${le}"}`;
const reaches = (job: string, to: string) => `parley_dependency_up{job="${job}",dependency="${to}"}`;
const ended = (outcome: string) => `parley_runs_ended_total{outcome="${outcome}"}`;
const model = (outcome: string) =>
  `parley_model_call_duration_seconds_count{provider="openai",outcome="${outcome}"}`;
const callback = (outcome: string) => `parley_callbacks_total{outcome="${outcome}"}`;
const reply = (outcome: string) => `parley_channel_replies_total{outcome="${outcome}"}`;
const swept = 'parley_sweep_last_success_timestamp_seconds';

/** The metrics of an installation on a quiet day. */
const quiet: Series = {
  ...{ 'up{job="parley-api"}': steady(1), 'up{job="parley-worker"}': steady(1) },
  ...{ [reaches('parley-api', 'postgres')]: steady(1), [reaches('parley-api', 'temporal')]: steady(1) },
  ...{ [reaches('parley-worker', 'postgres')]: steady(1), [reaches('parley-worker', 'temporal')]: steady(1) },
  ...{ [lag('1')]: counts(10), [lag('10')]: counts(10), [lag('+Inf')]: counts(10) },
  ...{ [answer('5')]: counts(10), [answer('60')]: counts(10), [answer('+Inf')]: counts(10) },
  ...{ [ended('answered')]: counts(10), [ended('failed')]: counts(0) },
  ...{ [model('ok')]: counts(10), [model('failed')]: counts(0) },
  ...{
    [callback('delivered')]: counts(10),
    [callback('failed')]: counts(0),
    [callback('unknown')]: counts(0),
  },
  ...{ [reply('delivered')]: counts(10), [reply('failed')]: counts(0) },
  ...{ [`${http}{status="2xx"}`]: counts(10), [`${http}{status="5xx"}`]: counts(0) },
  'parley_open_runs_oldest_seconds{state="ready"}': steady(1),
  'parley_database_pool_waiting{instance="api:9464",pool="postgres"}': steady(0),
  'nodejs_eventloop_lag_p99_seconds{job="parley-api"}': steady(0.01),
  // The test's time begins at 0.
  [swept]: `0+60x${wellFor + wrongFor}`,
};

const incidents: Record<string, Series> = {
  ParleyApiDown: { 'up{job="parley-api"}': steady(1, 0) },
  ParleyWorkerDown: { 'up{job="parley-worker"}': steady(1, 0) },
  ParleyPostgresUnreachable: { [reaches('parley-worker', 'postgres')]: steady(1, 0) },
  ParleyTemporalUnreachable: { [reaches('parley-api', 'temporal')]: steady(1, 0) },
  ParleyQueueLag: { [lag('1')]: stops, [lag('10')]: counts(10) },
  ParleyQueueStuck: { 'parley_open_runs_oldest_seconds{state="ready"}': steady(1, 200) },
  ParleyAnswersLate: { [answer('5')]: stops, [answer('60')]: counts(10) },
  ParleyRunsFail: { [ended('answered')]: counts(10, 9), [ended('failed')]: counts(0, 1) },
  ParleyModelCallsFail: { [model('ok')]: counts(10, 7), [model('failed')]: counts(0, 3) },
  ParleyCallbacksFail: { [callback('delivered')]: counts(10, 7), [callback('failed')]: counts(0, 3) },
  ParleyCallbacksUnknown: { [callback('unknown')]: counts(0, 1) },
  ParleyRepliesFail: { [reply('delivered')]: counts(10, 7), [reply('failed')]: counts(0, 3) },
  ParleyRequestsFail: { [`${http}{status="2xx"}`]: counts(10, 9), [`${http}{status="5xx"}`]: counts(0, 1) },
  ParleyDatabasePoolExhausted: {
    'parley_database_pool_waiting{instance="api:9464",pool="postgres"}': steady(0, 4),
  },
  ParleySweepStopped: { [swept]: `0+60x${wellFor} 1200x${wrongFor}` },
  ParleyProcessBusy: { 'nodejs_eventloop_lag_p99_seconds{job="parley-api"}': steady(0.01, 0.8) },
};

/**
 * @returns the mistakes that promtool finds: of these incidents, exactly the alert of the name must fire, and only in
 * the second part
 */
async function objections(text: string, named: Record<string, Series>): Promise<string> {
  const promtool = await ensurePromtool();
  const folder = mkdtempSync(join(tmpdir(), 'parley-alerts-'));
  const firing = (at: number, alert?: string) => ({
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${at}m`,
    exp_samples: alert === undefined ? [] : [{ labels: `{alertname="${alert}"}`, value: 1 }],
  });
  const tests = Object.entries(named).map(([alert, wrong]) => ({
    interval: '1m',
    input_series: Object.entries({ ...quiet, ...wrong }).map(([series, values]) => ({ series, values })),
    promql_expr_test: [firing(wellFor), firing(wellFor + wrongFor, alert === 'none' ? undefined : alert)],
  }));
  try {
    writeFileSync(join(folder, 'alerts.yaml'), text);
    writeFileSync(
      join(folder, 'test.yaml'),
      stringify({ rule_files: ['alerts.yaml'], evaluation_interval: '1m', tests }),
    );
    const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', 'test.yaml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return status === 0 ? '' : `${stdout}${stderr}` || `it ended with ${String(status)}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('Alert rules, evaluated by Prometheus', () => {
  it('do not fire on a quiet day', async () => {
    assert.equal(await objections(rulesText, { none: {} }), '');
  });

  it('all have an incident', () => {
    assert.deepEqual(
      rules.map(({ alert }) => alert),
      Object.keys(incidents),
    );
  });

  for (const [alert, wrong] of Object.entries(incidents)) {
    it(`${alert} fires alone, and not before its incident`, async () => {
      assert.equal(await objections(rulesText, { [alert]: wrong }), '');
    });
  }

  const plants: [what: string, alert: string, from: string, to: string][] = [
    ['a threshold that nothing reaches', 'ParleyRunsFail', '> 0.05', '> 5'],
    ['an outcome that no metric has', 'ParleyCallbacksUnknown', '{outcome="unknown"}', '{outcome="lost"}'],
    ['a rule that waits for hours', 'ParleyQueueLag', 'for: 5m', 'for: 5h'],
    ['a comparison the wrong way round', 'ParleyProcessBusy', '> 0.5', '< 0.5'],
  ];
  for (const [what, alert, from, to] of plants) {
    it(`${what} is seen`, async () => {
      const at = rulesText.indexOf(from, rulesText.indexOf(`alert: ${alert}`));
      assert.ok(at > 0);
      const spoilt = rulesText.slice(0, at) + to + rulesText.slice(at + from.length);
      assert.match(await objections(spoilt, { [alert]: incidents[alert] ?? {} }), /FAILED/);
    });
  }
});
