/** Who may import whom. A file never calls back up; workflow code sees activities as types only. */
const notTypes = { dependencyTypesNot: ['type-only'] };
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, ...{ dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'contract-imports-zod-only',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { pathNot: ['^src/contract/', 'node_modules/zod/'] },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: ['^src/domain/', '^src/contract/'] },
    },
    {
      name: 'domain-sees-contract-types-only',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^src/contract/', ...notTypes },
    },
    {
      name: 'workflows-import',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        pathNot: [
          '^workflows/',
          '^src/domain/',
          '^src/contract/',
          '^activities/index\\.ts$',
          'node_modules/@temporalio/(workflow|common)/',
        ],
      },
    },
    {
      name: 'workflows-see-types-only',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^(src/contract|activities)/', ...notTypes },
    },
    {
      name: 'adapters-never-call-up',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^(src/api|src/console|src/local|src/cli|workflows|activities|src/main)' },
    },
    {
      name: 'observability-never-calls-up',
      severity: 'error',
      from: { path: '^src/observability/' },
      to: { path: '^(src/api|src/console|src/local|src/cli|workflows|activities|src/main)' },
    },
    {
      name: 'activities-never-call-up',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: '^(src/api|src/console|src/local|src/cli|workflows|src/main)' },
    },
    {
      name: 'api-never-imports-activities',
      severity: 'error',
      from: { path: '^src/api/' },
      to: { path: '^(activities/|src/console|src/local|src/cli|src/main)' },
    },
    {
      name: 'api-sees-workflow-names-only',
      severity: 'error',
      from: { path: '^src/api/' },
      to: { path: '^workflows/', pathNot: '^workflows/messages\\.ts$', ...notTypes },
    },
    {
      name: 'client-stands-alone',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { pathNot: ['^src/client/', 'node_modules/(openapi-fetch|eventsource-parser)/'] },
    },
    {
      name: 'only-callers-import-the-client',
      severity: 'error',
      from: { pathNot: '^(src/client|examples)/' },
      to: { path: '^src/client/' },
    },
    {
      name: 'examples-see-the-client-alone',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(src|workflows|activities|test)/', pathNot: '^src/client/' },
    },
    {
      name: 'nothing-imports-a-main',
      severity: 'error',
      from: {},
      to: { path: '^src/main-' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/(console|client/dist)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
