import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '../../src/local/project-root.ts';
import { readExposition, type Family } from '../support/exposition.ts';
import { useObservedStack } from '../support/observed-stack.ts';
import { selectorsOf } from '../support/promql.ts';
import { until } from '../support/until.ts';

const folder = join(projectRoot, 'src/deploy/observability');
const duration = z.string().regex(/^\d+[smh]$/);
const ruleFile = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Parley[A-Z]\w+$/),
          expr: z.string(),
          for: duration.optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({
            summary: z.string().min(20),
            runbook: z.string().regex(/^docs\/\w+\.md#[\w-]+$/),
          }),
        }),
      ),
    }),
  ),
});
const dashboardFile = z.object({
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string().min(1),
      type: z.enum(['row', 'timeseries']),
      targets: z
        .array(z.strictObject({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
        .default([]),
    }),
  ),
});
const scrapeFile = z.object({
  rule_files: z.array(z.string()),
  scrape_configs: z.array(
    z.object({
      job_name: z.string(),
      dns_sd_configs: z.array(z.object({ names: z.array(z.string()), port: z.number() })),
    }),
  ),
});

describe('Alert rules and dashboard', () => {
  const stack = useObservedStack();
  const yaml = (name: string): unknown => parse(readFileSync(join(folder, name), 'utf8'));
  const rules = ruleFile.parse(yaml('alerts.yaml')).groups.flatMap((group) => group.rules);
  const dashboard = dashboardFile.parse(JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')));
  const scrapes = scrapeFile.parse(yaml('prometheus.yaml'));
  const questions = [
    ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
    ...dashboard.panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ where: title, expr: expr.replaceAll('$__rate_interval', '5m') })),
    ),
  ];

  it('ask in PromQL only for metrics, labels and values that API and worker have', async () => {
    const { api, model, temporalLine } = stack();
    // A histogram has only the labels of what has happened: an answer to a group, a model call that failed, an outage.
    model.answer('alerted', { kind: 'status', status: 400 });
    const grouping = await api.createAgent({
      ...{ model: 'scripted/default', script: [{ reply: 'ok' }], grouping_window_seconds: 0.1 },
    });
    await api.send(grouping.id, { message: 'a' });
    await api.send((await api.createAgent()).id, { message: 'alerted' });
    const measured = [
      /parley_time_to_answer_seconds_bucket\{[^}]*mode="window"/,
      /parley_model_call_duration_seconds_count\{[^}]*outcome="failed"/,
    ];
    await until('both to be measured', async () => {
      const text = await stack().scrape('worker');
      return measured.every((series) => series.test(text));
    });
    await temporalLine.cut();
    try {
      await api.refused(503, 'POST', `/chat/${grouping.id}`, { body: { message: 'a', sync: true } });
    } finally {
      await temporalLine.restore();
    }
    const scraped = await Promise.all((['api', 'worker'] as const).map((one) => stack().scrape(one)));
    const series = new Map<string, Family['samples']>();
    for (const { samples, name, type } of scraped.flatMap((text) => [...readExposition(text).values()])) {
      // Without a sample yet: a histogram that has its labels from what happens.
      for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
        series.set(`${name}${suffix}`, series.get(`${name}${suffix}`) ?? []);
      for (const sample of samples) series.get(sample.name)?.push(sample);
    }
    const jobs = scrapes.scrape_configs.map(({ job_name }) => job_name);
    assert.ok(questions.length > 40);
    for (const { where, expr } of questions) {
      const selectors = selectorsOf(expr);
      assert.ok(selectors.length > 0, where);
      for (const { metric, matchers } of selectors) {
        const samples = series.get(metric);
        assert.ok(metric === 'up' || samples !== undefined, `${where}: there is no ${metric}`);
        for (const { label, operator, value } of matchers) {
          const wanted = new RegExp(`^(?:${value})$`);
          const known =
            label === 'job'
              ? jobs
              : (samples ?? []).map(({ labels }) => labels[label]).filter((one) => one !== undefined);
          if (label !== 'job' && samples?.length === 0) continue;
          const fits = known.some((one) => (operator.endsWith('~') ? wanted.test(one) : one === value));
          assert.ok(fits, `${where}: ${metric} never has ${label}${operator}"${value}"`);
        }
      }
    }
  });

  it('have names of their own, a known runbook each, and panels that do not overlap in their ids', () => {
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { alert, annotations } of rules) {
      const [file = '', anchor = ''] = annotations.runbook.split('#');
      const path = join(projectRoot, file);
      assert.ok(existsSync(path), `${alert}: ${file}`);
      const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        anchorOf(title!),
      );
      assert.ok(headings.includes(anchor), `${alert}: ${annotations.runbook}`);
    }
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  });

  it('cover each thing that an operator must notice', () => {
    const asked = rules.map(({ expr }) => expr).join('\n');
    for (const what of [
      /up\{job="parley-api"\}/,
      /up\{job="parley-worker"\}/,
      /dependency="temporal"/,
      /dependency="postgres"/,
      /queue_lag_seconds/,
      /time_to_answer_seconds/,
      /runs_ended_total\{outcome="failed"\}/,
      /callbacks_total\{outcome="unknown"\}/,
      /callbacks_total\{outcome=~"failed\|blocked"\}/,
      /pool_waiting/,
      /sweep_last_success/,
    ])
      assert.match(asked, what);
  });

  it('scrape the ports that the image opens', () => {
    const image = readFileSync(join(projectRoot, 'src/deploy/Dockerfile'), 'utf8');
    const port = (setting: string) => Number(new RegExp(`\\b${setting}=(\\d+)`).exec(image)?.[1]);
    assert.deepEqual(
      scrapes.scrape_configs.map(({ job_name, dns_sd_configs: [found] }) => [
        job_name,
        found?.names,
        found?.port,
      ]),
      [
        ['parley-api', ['api'], port('METRICS_PORT')],
        ['parley-worker', ['worker'], port('WORKER_PORT')],
      ],
    );
    assert.deepEqual(scrapes.rule_files, ['alerts.yaml']);
  });
});

/** The anchor that GitHub makes of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
