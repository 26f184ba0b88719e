/** Mistakes in the Kubernetes manifests that can be found without a cluster. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, settingNames } from '../../src/config.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { apiDrainMs, workerGraceMs } from '../../src/process-life.ts';
import { readCompose } from './compose-file.ts';
import {
  manifestSchema,
  type Container,
  type Manifest,
  type ManifestOf,
  type PodTemplate,
} from './manifest-schemas.ts';

const folder = join(projectRoot, 'src/deploy/kubernetes');
const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml');
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((one) => one.toJS() as Manifest),
);
const found = <Kind extends Manifest['kind']>(kind: Kind, name: string): ManifestOf<Kind> => {
  const one = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  assert.ok(one, `there is no ${kind} ${name}`);
  return one as ManifestOf<Kind>;
};
const api = found('Deployment', 'parley-api');
const worker = found('Deployment', 'parley-worker');
const migrate = found('Job', 'parley-migrate');
const templates: PodTemplate[] = [api.spec.template, worker.spec.template, migrate.spec.template];
const settings = found('ConfigMap', 'parley-settings').data;
const containerOf = (template: PodTemplate): Container => {
  const { containers } = template.spec;
  assert.equal(containers.length, 1);
  return containers[0]!;
};

describe('The Kubernetes manifests', () => {
  it('have only fields that Kubernetes has, with values of their types', () => {
    const problemsOf = (all: Manifest[]) =>
      all.flatMap(
        (one) => manifestSchema.safeParse(one).error?.issues.map(({ path }) => path.join('.')) ?? [],
      );
    assert.deepEqual(problemsOf(manifests), []);
    const altered = (from: string, to: string) => {
      const text = JSON.stringify(manifests);
      assert.ok(text.includes(from));
      return problemsOf(JSON.parse(text.replace(from, to)) as Manifest[]);
    };
    assert.deepEqual(altered('"livenessProbe"', '"livenesProbe"'), ['spec.template.spec.containers.0']);
    assert.deepEqual(altered('"replicas":3', '"replicas":"3"'), ['spec.replicas']);
    assert.deepEqual(altered('"memory":"256Mi"', '"memory":"256MB"'), [
      'spec.template.spec.containers.0.resources.requests.memory',
    ]);
  });

  it('are all in kustomization.yaml, so that an overlay reaches each', () => {
    const { resources } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
      resources: string[];
    };
    assert.deepEqual([...resources].sort(), files.sort());
  });

  it('run the image that docker-compose.yml runs, with its programs', () => {
    const { services } = readCompose();
    for (const [template, name] of [
      [api.spec.template, 'api'],
      [worker.spec.template, 'worker'],
      [migrate.spec.template, 'migrate'],
    ] as const) {
      const { image, command } = containerOf(template);
      assert.deepEqual(
        { image, command },
        { image: services[name]?.image, command: services[name]?.command },
      );
    }
  });

  it('set nothing that src/config.ts does not know, secrets as files only', () => {
    for (const [key, value] of Object.entries(settings)) {
      assert.ok([...settingNames, 'TEMPORAL_ADDRESS'].includes(key.replace(/_FILE$/, '')), key);
      assert.ok(
        !/PASSWORD|KEY|SECRET|TOKEN|DATABASE_URL/.test(key) || /^\/secrets\/[a-z-]+$/.test(value),
        key,
      );
    }
    for (const template of templates) {
      const { env = [], envFrom = [], volumeMounts = [] } = containerOf(template);
      assert.deepEqual(envFrom, [{ configMapRef: { name: 'parley-settings' } }]);
      for (const one of env) {
        assert.ok(settingNames.includes(one.name.replace(/_FILE$/, '')), one.name);
        assert.match(one.value, /^\/secrets\/[a-z-]+$/);
      }
      assert.ok(
        volumeMounts.some(
          ({ name, mountPath, readOnly }) => name === 'secrets' && mountPath === '/secrets' && readOnly,
        ),
      );
      assert.equal(
        template.spec.volumes?.find(({ name }) => name === 'secrets')?.secret?.secretName,
        'parley',
      );
    }
  });

  it('give API and worker the files of their own logins, and not the one of the owner', () => {
    const filesOf = ({ spec }: PodTemplate) =>
      spec.volumes
        ?.find(({ name }) => name === 'secrets')
        ?.secret?.items?.map(({ key, path }) => [key, path]);
    const key = ['encryption-key', 'encryption-key'];
    assert.deepEqual(filesOf(api.spec.template), [
      key,
      ['api-database-url', 'database-url'],
      ['across-database-url', 'across-database-url'],
      ['accounts-database-url', 'accounts-database-url'],
    ]);
    assert.deepEqual(filesOf(worker.spec.template), [key, ['worker-database-url', 'database-url']]);
    const named = containerOf(api.spec.template).env?.map(({ name, value }) => [name, value]);
    assert.deepEqual(named, [
      ['DATABASE_ACROSS_URL_FILE', '/secrets/across-database-url'],
      ['DATABASE_ACCOUNTS_URL_FILE', '/secrets/accounts-database-url'],
    ]);
  });

  it('wait for API and worker longer than they drain, and take an API out of the load balancer first', () => {
    const { CALLBACK_TIMEOUT_SECONDS } = readConfig({ DATABASE_URL: 'postgres://x' });
    const grace = ({ spec }: ManifestOf<'Deployment'>) =>
      (spec.template.spec.terminationGracePeriodSeconds ?? 30) * 1000;
    const pause = containerOf(api.spec.template).lifecycle?.preStop.sleep.seconds ?? 0;
    assert.ok(pause >= 5);
    assert.ok(grace(api) > pause * 1000 + apiDrainMs);
    assert.ok(grace(worker) > workerGraceMs + 5000 + CALLBACK_TIMEOUT_SECONDS * 1000);
  });

  it('ask each process at its own port whether it is alive and ready', () => {
    const image = readFileSync(join(projectRoot, 'src/deploy/Dockerfile'), 'utf8');
    for (const [deployment, setting] of [
      [api, 'PORT'],
      [worker, 'WORKER_PORT'],
    ] as const) {
      const {
        ports = [],
        startupProbe,
        readinessProbe,
        livenessProbe,
      } = containerOf(deployment.spec.template);
      assert.equal(String(ports[0]?.containerPort), new RegExp(`\\b${setting}=(\\d+)`).exec(image)?.[1]);
      const asked = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet);
      assert.deepEqual(
        asked,
        ['/readyz', '/readyz', '/healthz'].map((path) => ({ path, port: ports[0]?.name })),
      );
    }
  });

  it('give Prometheus the port of each process that answers GET /metrics', () => {
    const image = readFileSync(join(projectRoot, 'src/deploy/Dockerfile'), 'utf8');
    for (const [deployment, setting] of [
      [api, 'METRICS_PORT'],
      [worker, 'WORKER_PORT'],
    ] as const) {
      const { metadata } = deployment.spec.template;
      const port = new RegExp(`\\b${setting}=(\\d+)`).exec(image)?.[1];
      assert.deepEqual(metadata?.annotations, {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': port,
        'prometheus.io/path': '/metrics',
      });
      const { ports = [] } = containerOf(deployment.spec.template);
      assert.ok(ports.some(({ containerPort }) => String(containerPort) === port));
    }
  });

  it('scale API and worker apart, lose one of each at a time, and none in a deploy', () => {
    for (const deployment of [api, worker]) {
      const { replicas = 1, strategy, selector, template } = deployment.spec;
      assert.ok(replicas >= 2);
      assert.equal(strategy?.rollingUpdate?.maxUnavailable, 0);
      const budget = found('PodDisruptionBudget', deployment.metadata.name);
      assert.equal(budget.spec.maxUnavailable, 1);
      assert.deepEqual(budget.spec.selector, selector);
      assert.deepEqual(template.metadata?.labels, selector.matchLabels);
    }
    assert.notDeepEqual(api.spec.selector, worker.spec.selector);
    assert.deepEqual(found('Service', 'parley-api').spec.selector, api.spec.selector.matchLabels);
  });

  it('run without root, without privileges and on a file system that cannot be written', () => {
    for (const template of templates) {
      const { securityContext, resources } = containerOf(template);
      assert.equal(template.spec.securityContext.runAsNonRoot, true);
      assert.equal(template.spec.automountServiceAccountToken, false);
      assert.equal(template.spec.enableServiceLinks, false);
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.ok(resources.requests?.cpu && resources.limits?.memory);
    }
  });
});
