/**
 * Who may import whom. Data flows one way: api → app → domain; workflows → activities → app → adapters → outside.
 * A file never calls back up, and workflow code sees activities as types only.
 */
const notTypes = { dependencyTypesNot: ['type-only'] };
const entries = 'src/(main-|local/|cli/|deploy/)';

/** What a room must not import: everything that stands above it. */
const above = (room, rooms) => ({
  name: `${room.replaceAll('/', '-')}-never-calls-up`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: { path: `^(${[entries, ...rooms].join('|')})` },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: notTypes },
    },
    {
      name: 'contract-imports-zod-only',
      severity: 'error',
      from: { path: '^src/contract/', pathNot: '^src/contract/workflows\\.ts$' },
      to: { pathNot: ['^src/contract/', 'node_modules/zod/'] },
    },
    {
      name: 'workflow-contract-imports-the-sdk-only',
      comment: 'It is bundled with the workflows: no zod. `define…` and the keys need the SDK.',
      severity: 'error',
      from: { path: '^src/contract/workflows\\.ts$' },
      to: { pathNot: 'node_modules/@temporalio/(workflow|common)/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'Of `net`, lint allows isIP and BlockList only, which compare addresses without I/O.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: ['^src/domain/', '^src/contract/', '^net$'] },
    },
    {
      name: 'domain-sees-contract-types-only',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^src/contract/', ...notTypes },
    },
    {
      name: 'workspace-is-a-library',
      severity: 'error',
      from: { path: '^src/workspace/' },
      to: { path: '^(src|workflows|activities)/', pathNot: '^src/(workspace|contract)/' },
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
      to: { path: '^(src/contract|activities)/', pathNot: '^src/contract/workflows\\.ts$', ...notTypes },
    },
    {
      name: 'loose-files-never-call-up',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$', pathNot: '^src/main-' },
      to: { path: '^(src/(main-|local|cli|deploy|api|app|worker|console)|activities/|workflows/)' },
    },
    above('src/limits', ['src/(adapters|workspace|worker|app|api|console)/', 'activities/', 'workflows/']),
    above('src/adapters', ['src/(worker|app|api|console)/', 'activities/', 'workflows/']),
    above('src/observability', ['src/(worker|app|api|console)/', 'activities/', 'workflows/']),
    above('src/worker', ['src/(app|api|console)/', 'activities/', 'workflows/']),
    above('src/app', ['src/(api|console)/', 'activities/', 'workflows/']),
    above('activities', ['src/(api|console)/', 'workflows/']),
    above('src/api', ['src/(worker|console)/', 'activities/', 'workflows/']),
    {
      name: 'activities-hold-activities',
      comment: 'What an activity does is a use case in src/app; no activity uses another.',
      severity: 'error',
      from: { path: '^(?!activities/index\\.ts$|src/main-worker\\.ts$|workflows/policies\\.ts$)' },
      to: { path: '^activities/' },
    },
    {
      name: 'rehearsals-send-nothing',
      comment:
        'Models, files and recorded turns are all that a rehearsal needs. Its recovery starts workflows.',
      severity: 'error',
      from: { path: '^src/app/rehearsals/', pathNot: '^src/app/rehearsals/recover-rehearsals\\.ts$' },
      to: {
        path: '^src/(app|adapters/(http|whatsapp|temporal|workspace|postgres))/',
        pathNot: [
          '^src/app/(rehearsals/|in-parallel\\.ts$|data/call-budget\\.ts$|conversations/fit-output\\.ts$|http-tools/check-arguments\\.ts$)',
          '^src/adapters/postgres/(rehearsals/|conversations/transcript\\.ts$)',
        ],
        ...notTypes,
      },
    },
    {
      name: 'console-sees-the-contract-alone',
      severity: 'error',
      from: { path: '^src/console/' },
      to: { path: '^(src|workflows|activities)/', pathNot: '^src/(console|contract)/' },
    },
    {
      name: 'console-loads-no-zod',
      comment: 'Zod is large, and its search for eval violates the content security policy of the console.',
      severity: 'error',
      from: { path: '^src/console/' },
      to: {
        path: '^src/contract/',
        pathNot:
          '/(limits|keys-of|error-table|capability-table|audit-events|token-scopes|scripted|list-prices|callback-path)\\.ts$',
        ...notTypes,
      },
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
      name: 'workflow-sdk-in-workflows-alone',
      severity: 'error',
      from: { pathNot: ['^workflows/', '^src/contract/workflows\\.ts$'] },
      to: { path: 'node_modules/@temporalio/workflow/' },
    },
    {
      name: 'activity-context-around-activities-alone',
      comment: 'The API may load src/app: a use case takes a signal, and its activity sends the heartbeats.',
      severity: 'error',
      from: { pathNot: ['^activities/', '^src/worker/', '^src/main-worker\\.ts$'] },
      to: { path: 'node_modules/@temporalio/activity/' },
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
    exclude: { path: '^src/client/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
