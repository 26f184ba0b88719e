/**
 * Faults of the product, and of the tests' own scenes, that tests once let pass. `npm run test:plants` plants each in a
 * copy of the source; its test must fail there, at its only try.
 */

export interface SuiteFault {
  /** The fault of the planted copy. */
  fault: string;
  /** The file that must fail. */
  test: string;
  /** A part of the title of the test that must fail. */
  title: string;
  /** Replacements of source text, by file. */
  edits: readonly (readonly [file: string, from: string, to: string])[];
}

const rateLimiter = 'src/adapters/postgres/rate-limiter.ts';

export const suiteFaults: readonly SuiteFault[] = [
  {
    fault: 'each API process counts calls alone',
    test: 'test/api/rate-limits.test.ts',
    title: 'are shared by all API processes',
    edits: [[rateLimiter, 'return `${this.#name}:${key}`;', 'return `${process.pid}:${this.#name}:${key}`;']],
  },
  {
    fault: 'twice as many calls as the limit are allowed',
    test: 'test/api/rate-limits.test.ts',
    title: 'allow a burst of two seconds’ calls',
    edits: [[rateLimiter, 'Math.max(1, Math.round(calls', 'Math.max(1, 2 * Math.round(calls']],
  },
  {
    fault: 'GET /agents/{id} shows the agent of another organization',
    test: 'test/api/isolation.test.ts',
    title: 'get /agents/{id} shows nothing of others',
    edits: [
      [
        'src/api/endpoints/conversations/agents.ts',
        'const row = orNotFound(await findAgent(db, organizationId, params.id));',
        `const { rows: [owner] } = await acrossOrganizations(() =>
      db.pool.query('select organization_id from agents where id = $1', [params.id]));
    const row = orNotFound(await inOrganization(owner?.organization_id ?? organizationId, () =>
      findAgent(db, owner?.organization_id ?? organizationId, params.id)));`,
      ],
      [
        'src/api/endpoints/conversations/agents.ts',
        'import { z }',
        "import { acrossOrganizations, inOrganization } from '../../../adapters/postgres/organization-scope.ts';\nimport { z }",
      ],
    ],
  },
  {
    fault: 'the isolation test makes no call for an operation',
    test: 'test/api/isolation.test.ts',
    title: 'tries every operation that names something by an identifier',
    edits: [
      [
        'test/api/isolation.test.ts',
        "'post /approvals/{id}': (id) => [[`/approvals/${id}`, { decision: 'approve' }]],",
        "'post /approvals/{id}': () => [],",
      ],
    ],
  },
  {
    fault:
      'the isolation test has no contact, run, group, invitation, attachment, execution or event to look for',
    test: 'test/api/isolation.test.ts',
    title: 'tries the identifier of a row of every table',
    edits: [
      [
        'test/api/isolation.test.ts',
        'for (const { ids } of victims) {\n      const without',
        'for (const { ids: [...ids] } of victims) {\n      ids.length = 3;\n      const without',
      ],
    ],
  },
  {
    fault: 'a conversation continues as new at every turn',
    test: 'test/workflows/turn-cost.test.ts',
    title: 'without window adds at most',
    edits: [
      [
        'workflows/conversations/conversation.ts',
        'info.continueAsNewSuggested || info.historyLength > longHistory',
        'info.historyLength > 8',
      ],
    ],
  },
  {
    fault: 'every wait starts a timer of its own',
    test: 'test/workflows/turn-cost.test.ts',
    title: 'with window, callback and follow-up adds at most',
    edits: [
      [
        'workflows/conversations/conversation.ts',
        'for (const due of this.#outstanding) if (due <= at) return;',
        '',
      ],
    ],
  },
  {
    fault: 'the API answers 500 while Postgres is down',
    test: 'test/api/outages.test.ts',
    title: '503 on every operation',
    edits: [
      [
        'src/adapters/postgres/database.ts',
        'if (!(error instanceof Error)) return false;\n  const code',
        'if (error instanceof Error) return false;\n  const code',
      ],
    ],
  },
  {
    fault: 'a 503 loses its Retry-After',
    test: 'test/api/outages.test.ts',
    title: '503 on every operation',
    edits: [
      [
        'src/api/answer-error.ts',
        "new PublicError('unavailable', { retryAfterSeconds, cause: error })",
        "new PublicError('unavailable', { cause: error })",
      ],
    ],
  },
  {
    fault: 'a code block that is cut is not closed',
    test: 'test/domain/whatsapp/split-reply.test.ts',
    title: 'keeps fences balanced',
    edits: [['src/domain/whatsapp/split-reply.ts', "${endsInside ? `\\n${fence}` : ''}", '']],
  },
  {
    fault: 'the console has a page that no test opens',
    test: 'test/browser/every-page.test.ts',
    title: 'shows what people and programs wrote as text',
    edits: [
      [
        'src/console/shell/pages.tsx',
        "  '/webhooks': lazily(",
        "  '/unvisited': lazily(() => import('../pages/data/overview.tsx'), 'OverviewPage'),\n  '/webhooks': lazily(",
      ],
    ],
  },
  {
    fault: 'an excerpt in a page has the lines of its file in another order',
    test: 'test/docs/blocks.test.ts',
    title: 'an excerpt in another order than its file',
    edits: [['test/docs/run-block.ts', 'index >= from && one.includes', 'one.includes']],
  },
  {
    fault: 'an alert asks for a state that no process reports',
    test: 'test/observability/alerts-fire.test.ts',
    title: 'ParleyPostgresUnreachable',
    edits: [
      [
        'src/deploy/observability/alerts.yaml',
        '(parley_dependency_up{dependency="postgres"}) == 0',
        '(parley_dependency_up{dependency="database"}) == 0',
      ],
    ],
  },
  {
    fault: 'a callback that was delivered is recorded as unknown',
    test: 'test/e2e/conversations/kill-nine.test.ts',
    title: 'of api: all are answered',
    edits: [
      [
        'src/app/conversations/post-callback.ts',
        "status: delivered ? 'delivered' : 'failed',",
        "status: delivered ? (Math.random() < 0.2 ? ('unknown' as never) : 'delivered') : 'failed',",
      ],
    ],
  },
  {
    fault: 'a caller of a rolling deploy takes a 500 for an answer',
    test: 'test/topology/rolling/deploy.test.ts',
    title: 'has met a failure of the deploy if it is answered with 500',
    edits: [
      [
        'test/topology/rolling/deploy.ts',
        'if (status === 202) return;',
        'if (status === 202 || status === 500) return;',
      ],
    ],
  },
  {
    fault: 'an error code changes its status',
    test: 'test/docs/error-table.test.ts',
    title: 'keep the status and the sentence',
    edits: [['src/contract/error-table.ts', 'idempotency_conflict: [409,', 'idempotency_conflict: [422,']],
  },
  {
    fault: 'the SQL that accepts a message closes a group a moment late',
    test: 'test/workflows/interleavings.test.ts',
    title: 'matches the reference model',
    edits: [
      [
        'src/adapters/postgres/functions/accept_input.sql',
        'v_now >= v_group.closes_at and not',
        'v_now > v_group.closes_at and not',
      ],
    ],
  },
];
