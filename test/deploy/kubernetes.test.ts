/** What can be wrong with the Kubernetes manifests and be seen without a cluster. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type {
  IConfigMap,
  IContainer,
  IPodTemplateSpec,
  IService,
  IServiceAccount,
} from 'kubernetes-models/v1';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, settingNames } from '../../src/config.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { apiDrainMs, workerGraceMs } from '../../src/process-life.ts';
import { readCompose } from './compose-file.ts';

type Manifest = IConfigMap | IDeployment | IJob | IPodDisruptionBudget | IService | IServiceAccount;

const folder = join(projectRoot, 'src/deploy/kubernetes');
const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml');
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((one) => one.toJS() as Manifest),
);
const found = <T extends Manifest>(kind: T['kind'], name: string): T => {
  const one = manifests.find((manifest) => manifest.kind === kind && manifest.metadata?.name === name);
  assert.ok(one, `there is no ${kind} ${name}`);
  return one as T;
};
const api = found<IDeployment>('Deployment', 'parley-api');
const worker = found<IDeployment>('Deployment', 'parley-worker');
const migrate = found<IJob>('Job', 'parley-migrate');
const templates: IPodTemplateSpec[] = [api.spec!.template, worker.spec!.template, migrate.spec!.template];
const settings = found<IConfigMap>('ConfigMap', 'parley-settings').data!;
const containerOf = (template: IPodTemplateSpec): IContainer => {
  const { containers } = template.spec!;
  assert.equal(containers.length, 1);
  return containers[0]!;
};

describe('The Kubernetes manifests', function () {
  this.timeout(60_000);

  it('have only fields that Kubernetes has, with values of their types', () => {
    const from: Record<string, string> = {
      Deployment: 'apps/v1',
      Job: 'batch/v1',
      PodDisruptionBudget: 'policy/v1',
    };
    const lines = manifests.map((one, index) => {
      const type = `import('kubernetes-models/${from[one.kind] ?? 'v1'}/${one.kind}').I${one.kind}`;
      return `export const m${index}: ${type} = ${JSON.stringify(one)};`;
    });
    const text = lines.join('\n');
    // That the compiler looks: an unknown field, a value of another type.
    const wrong = text.replace('"livenessProbe"', '"livenesProbe"').replace('"replicas":3', '"replicas":"3"');
    const { right, broken } = problems({ right: text, broken: wrong });
    assert.deepEqual(right, []);
    assert.equal(broken?.length, 2);
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
      [api.spec!.template, 'api'],
      [worker.spec!.template, 'worker'],
      [migrate.spec!.template, 'migrate'],
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
      assert.deepEqual([env, envFrom], [[], [{ configMapRef: { name: 'parley-settings' } }]]);
      assert.ok(
        volumeMounts.some(
          ({ name, mountPath, readOnly }) => name === 'secrets' && mountPath === '/secrets' && readOnly,
        ),
      );
      assert.equal(
        template.spec!.volumes?.find(({ name }) => name === 'secrets')?.secret?.secretName,
        'parley',
      );
    }
  });

  it('wait for API and worker longer than they drain, and take an API out of the load balancer first', () => {
    const { CALLBACK_TIMEOUT_SECONDS } = readConfig({ DATABASE_URL: 'postgres://x' });
    const grace = ({ spec }: IDeployment) =>
      (spec!.template.spec!.terminationGracePeriodSeconds ?? 30) * 1000;
    const pause = containerOf(api.spec!.template).lifecycle?.preStop?.sleep?.seconds ?? 0;
    assert.ok(pause >= 5);
    assert.ok(grace(api) > pause * 1000 + apiDrainMs);
    assert.ok(grace(worker) > workerGraceMs + 5000 + CALLBACK_TIMEOUT_SECONDS * 1000);
  });

  it('ask each process at its own port whether it lives and is ready', () => {
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
      } = containerOf(deployment.spec!.template);
      assert.equal(String(ports[0]?.containerPort), new RegExp(`\\b${setting}=(\\d+)`).exec(image)?.[1]);
      const asked = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet);
      assert.deepEqual(
        asked,
        ['/readyz', '/readyz', '/healthz'].map((path) => ({ path, port: ports[0]?.name })),
      );
    }
  });

  it('tell Prometheus the port of each that answers GET /metrics', () => {
    const image = readFileSync(join(projectRoot, 'src/deploy/Dockerfile'), 'utf8');
    for (const [deployment, setting] of [
      [api, 'METRICS_PORT'],
      [worker, 'WORKER_PORT'],
    ] as const) {
      const { metadata } = deployment.spec!.template;
      const port = new RegExp(`\\b${setting}=(\\d+)`).exec(image)?.[1];
      assert.deepEqual(metadata?.annotations, {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': port,
        'prometheus.io/path': '/metrics',
      });
      const { ports = [] } = containerOf(deployment.spec!.template);
      assert.ok(ports.some(({ containerPort }) => String(containerPort) === port));
    }
  });

  it('scale API and worker apart, lose one of each at a time, and none in a deploy', () => {
    for (const deployment of [api, worker]) {
      const { replicas = 1, strategy, selector, template } = deployment.spec!;
      assert.ok(replicas >= 2);
      assert.equal(strategy?.rollingUpdate?.maxUnavailable, 0);
      const budget = found<IPodDisruptionBudget>('PodDisruptionBudget', deployment.metadata!.name!);
      assert.equal(budget.spec?.maxUnavailable, 1);
      assert.deepEqual(budget.spec.selector, selector);
      assert.deepEqual(template.metadata?.labels, selector.matchLabels);
    }
    assert.notDeepEqual(api.spec!.selector, worker.spec!.selector);
    assert.deepEqual(found<IService>('Service', 'parley-api').spec?.selector, api.spec!.selector.matchLabels);
  });

  it('run without root, without privileges and on a file system that cannot be written', () => {
    for (const template of templates) {
      const { securityContext, resources } = containerOf(template);
      assert.equal(template.spec!.securityContext?.runAsNonRoot, true);
      assert.equal(template.spec!.automountServiceAccountToken, false);
      assert.equal(template.spec!.enableServiceLinks, false);
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.ok(resources?.requests?.['cpu'] && resources.limits?.['memory']);
    }
  });
});

/** What the compiler says about each text, were it a file here. */
function problems<Name extends string>(texts: Record<Name, string>): Partial<Record<string, string[]>> {
  const files = new Map(
    Object.entries<string>(texts).map(([name, text]) => [join(import.meta.dirname, `${name}.ts`), text]),
  );
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext },
  };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    getSourceFile: (file, ...rest) => {
      const text = files.get(file);
      if (text === undefined) return disk.getSourceFile(file, ...rest);
      return ts.createSourceFile(file, text, ts.ScriptTarget.ESNext);
    },
    fileExists: (file) => files.has(file) || disk.fileExists(file),
    readFile: (file) => files.get(file) ?? disk.readFile(file),
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return Object.fromEntries(
    [...files.keys()].map((file) => [
      basename(file, '.ts'),
      program
        .getSemanticDiagnostics(program.getSourceFile(file))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ]),
  );
}
