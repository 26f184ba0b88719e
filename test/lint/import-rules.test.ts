/**
 * Each import rule catches an import that breaks it. That the product breaks none is in check.test.ts (`check:layers`).
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../../src/local/project-root.ts';

const rulesFile = join(projectRoot, 'test/lint/dependency-rules.cjs');
const rules = z
  .object({ forbidden: z.array(z.object({ name: z.string() })) })
  .parse(createRequire(import.meta.url)(rulesFile)).forbidden;

interface Plant {
  rule: string;
  from: string;
  /** A file of the tree, or a package. */
  to: string;
  /** Imports a type, where the rule forbids that too. */
  type?: true;
}

const rooms = ['api', 'app', 'worker', 'workspace', 'adapters', 'observability', 'limits', 'console'];
/** A room's rule, and the rooms above it: one import of each. */
const up = (room: string, above: readonly string[]): Plant[] =>
  ['src/local', 'src/cli', 'src/console', ...above].map((upper) => ({
    rule: `${room.replaceAll('/', '-')}-never-calls-up`,
    from: `${room}/plants/calls-${upper.replaceAll('/', '-')}.ts`,
    to: `${upper}/target.ts`,
    type: true,
  }));
const outer = ['activities', 'workflows'];

const plants: Plant[] = [
  { rule: 'no-cycles', from: 'src/app/plants/left.ts', to: 'src/app/plants/right.ts' },
  { rule: 'contract-imports-zod-only', from: 'src/contract/plants/domain.ts', to: 'src/domain/target.ts' },
  { rule: 'contract-imports-zod-only', from: 'src/contract/plants/package.ts', to: 'pino' },
  { rule: 'workflow-contract-imports-the-sdk-only', from: 'src/contract/workflows.ts', to: 'zod' },
  { rule: 'domain-is-pure', from: 'src/domain/plants/package.ts', to: 'zod' },
  { rule: 'domain-is-pure', from: 'src/domain/plants/node.ts', to: 'node:fs' },
  ...rooms.map((room): Plant => ({
    rule: 'domain-is-pure',
    from: `src/domain/plants/${room}.ts`,
    to: `src/${room}/target.ts`,
    type: true,
  })),
  {
    rule: 'domain-sees-contract-types-only',
    from: 'src/domain/plants/contract.ts',
    to: 'src/contract/target.ts',
  },
  ...['domain', 'app', 'adapters', 'observability', 'api', 'worker'].map((room): Plant => ({
    rule: 'workspace-is-a-library',
    from: `src/workspace/plants/${room}.ts`,
    to: `src/${room}/target.ts`,
    type: true,
  })),
  { rule: 'workflows-import', from: 'workflows/plants/app.ts', to: 'src/app/target.ts', type: true },
  {
    rule: 'workflows-import',
    from: 'workflows/plants/adapters.ts',
    to: 'src/adapters/target.ts',
    type: true,
  },
  { rule: 'workflows-import', from: 'workflows/plants/zod.ts', to: 'zod' },
  { rule: 'workflows-import', from: 'workflows/plants/client.ts', to: '@temporalio/client' },
  { rule: 'workflows-see-types-only', from: 'workflows/plants/contract.ts', to: 'src/contract/target.ts' },
  { rule: 'workflows-see-types-only', from: 'workflows/plants/activities.ts', to: 'activities/index.ts' },
  { rule: 'loose-files-never-call-up', from: 'src/planted.ts', to: 'src/api/target.ts', type: true },
  ...up('src/limits', ['src/adapters', 'src/workspace', 'src/worker', 'src/app', 'src/api', ...outer]),
  ...up('src/adapters', ['src/worker', 'src/app', 'src/api', ...outer]),
  ...up('src/observability', ['src/worker', 'src/app', 'src/api', ...outer]),
  ...up('src/worker', ['src/app', 'src/api', ...outer]),
  ...up('src/app', ['src/api', ...outer]),
  ...up('activities', ['src/api', 'workflows']),
  ...up('src/api', ['src/worker', ...outer]),
  {
    rule: 'activities-hold-activities',
    from: 'activities/conversations/one.ts',
    to: 'activities/conversations/other.ts',
  },
  {
    rule: 'console-sees-the-contract-alone',
    from: 'src/console/plants/page.tsx',
    to: 'src/domain/target.ts',
  },
  { rule: 'console-sees-the-contract-alone', from: 'src/console/plants/api.ts', to: 'src/api/target.ts' },
  { rule: 'console-loads-no-zod', from: 'src/console/plants/contract.ts', to: 'src/contract/target.ts' },
  { rule: 'client-stands-alone', from: 'src/client/plants/contract.ts', to: 'src/contract/target.ts' },
  { rule: 'client-stands-alone', from: 'src/client/plants/package.ts', to: 'zod' },
  { rule: 'only-callers-import-the-client', from: 'src/cli/plants/client.ts', to: 'src/client/target.ts' },
  {
    rule: 'examples-see-the-client-alone',
    from: 'examples/plants/contract.ts',
    to: 'src/contract/target.ts',
  },
  { rule: 'workflow-sdk-in-workflows-alone', from: 'src/app/plants/sdk.ts', to: '@temporalio/workflow' },
  {
    rule: 'activity-context-around-activities-alone',
    from: 'src/app/plants/context.ts',
    to: '@temporalio/activity',
  },
  ...['app/plants', 'adapters/http', 'adapters/whatsapp', 'adapters/postgres/plants'].map((room): Plant => ({
    rule: 'rehearsals-send-nothing',
    from: `src/app/rehearsals/plants/${room.replaceAll('/', '-')}.ts`,
    to: `src/${room}/target.ts`,
  })),
  { rule: 'nothing-imports-a-main', from: 'src/cli/plants/main.ts', to: 'src/main-api.ts' },
];

const report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

describe('Import rules', () => {
  const tree = mkdtempSync(join(tmpdir(), 'parley-imports-'));
  const broken = new Map<string, string[]>();

  before(async () => {
    symlinkSync(join(projectRoot, 'node_modules'), join(tree, 'node_modules'));
    writeFileSync(join(tree, 'tsconfig.json'), '{"compilerOptions":{"module":"nodenext"}}');
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), text);
    };
    for (const { to } of plants) if (isFile(to)) write(to, 'export const it = 1;\n');
    for (const plant of plants) write(plant.from, importing(plant));
    write(
      'src/app/plants/right.ts',
      importing({ from: 'src/app/plants/right.ts', to: 'src/app/plants/left.ts' }),
    );
    for (const { from, rule } of await violationsIn(tree)) {
      broken.set(from, [...(broken.get(from) ?? []), rule.name]);
    }
  });
  after(() => {
    rmSync(tree, { recursive: true });
  });

  for (const { rule, from, to } of plants) {
    it(`${rule} refuses an import of ${to} in ${from}`, () => {
      assert.ok(broken.get(from)?.includes(rule), `broken there: ${broken.get(from)?.join(', ') ?? 'none'}`);
    });
  }

  it('each rule has a planted violation', () => {
    assert.deepEqual(
      rules.map(({ name }) => name).filter((name) => !plants.some(({ rule }) => rule === name)),
      [],
    );
  });
});

const isFile = (to: string): boolean => /\.tsx?$/.test(to);

function importing({ from, to, type }: Omit<Plant, 'rule'>): string {
  const path = relative(dirname(from), to);
  const specifier = isFile(to) ? (path.startsWith('.') ? path : `./${path}`) : to;
  return `import ${type ? 'type ' : ''}{ it } from '${specifier}';\nexport ${type ? 'type It = typeof it' : '{ it }'};\n`;
}

async function violationsIn(cwd: string) {
  const cruiser = join(projectRoot, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const folders = ['src', 'workflows', 'activities', 'examples'];
  const args = [cruiser, '--config', rulesFile, '--output-type', 'json', ...folders];
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 50e6 }, (error, stdout, stderr) => {
      // Its exit code counts the violations.
      if (stdout === '') reject(new Error(stderr, { cause: error }));
      else resolve(stdout);
    });
  });
  return report.parse(JSON.parse(output)).summary.violations;
}
