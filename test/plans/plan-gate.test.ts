/**
 * No statement of the product reads what other organizations have, or grows with how long an organization has been
 * here.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import ts from 'typescript';
import { connectDatabase, type Database } from '../../src/adapters/postgres/database.ts';
import {
  acrossOrganizations,
  forAccounts,
  inOrganization,
} from '../../src/adapters/postgres/organization-scope.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { backing } from '../support/backing.ts';
import { calls, notCalled, type Call } from './calls.ts';
import { collectPlans, faultsOf, reportingUrl, type ExecutedPlan } from './executed-plans.ts';
import { seedId, seedTenants } from './seed-tenants.ts';

describe('The plan gate', () => {
  let worker: Database;
  let api: Database;
  let large: Set<string>;
  let url: string;
  const collected = collectPlans();

  before(async () => {
    url = await (await backing()).freshDatabase();
    await seedTenants(url);
    worker = connectDatabase(reportingUrl(url), 4);
    api = connectDatabase(reportingUrl(url), 4, true);
    const { rows } = await worker.pool.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > 10000`,
    );
    large = new Set(rows.map(({ relname }) => relname));
  });
  after(async () => {
    collected.stop();
    await Promise.all([worker.close(), api.close()]);
    // Other files have this Postgres too: a million rows would be written to the disk and vacuumed beside their tests.
    const admin = new pg.Client(new URL('/postgres', url).href);
    await admin.connect();
    await admin.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
    await admin.end();
  });

  async function plansOf(call: Call, o: 1 | 2): Promise<ExecutedPlan[]> {
    collected.take();
    if (call.as === 'worker') await call.run(worker);
    else if (call.as === 'across') await acrossOrganizations(() => call.run(api));
    else if (call.as === 'accounts') await forAccounts(() => call.run(api));
    else await inOrganization(seedId('organization', o), () => call.run(api));
    return collected.take();
  }

  async function faultsOfCall(call: Call, o: 1 | 2 = 2): Promise<{ faults: string[]; statements: number }> {
    const plans = await plansOf(call, o);
    const faults = plans.flatMap((plan) =>
      faultsOf(plan, large, call.budget).map(
        (fault) => `${call.name} (${call.as}) ${fault}: ${plan.sql.replace(/\s+/g, ' ').slice(0, 300)}`,
      ),
    );
    return {
      faults: plans.length === 0 ? [`${call.name}: no plan was seen`] : faults,
      statements: plans.length,
    };
  }

  it('finds a million messages of two organizations', async () => {
    const { rows } = await worker.pool.query<{ n: number }>(
      'select count(*)::int as n from messages group by organization_id order by 1',
    );
    assert.equal(rows.length, 2);
    assert.ok(rows.reduce((sum, { n }) => sum + n, 0) >= 1_000_000, JSON.stringify(rows));
  });

  it('sees no statement read other organizations’ rows, scan a tenant table, or sort more than a page', async () => {
    const faults: string[] = [];
    let made = 0;
    let statements = 0;
    for (const o of [1, 2] as const)
      for (const call of calls(o)) {
        const found = await faultsOfCall(call, o);
        made += 1;
        statements += found.statements;
        faults.push(...found.faults);
      }
    assert.deepEqual(faults, []);
    console.log(`      ${made} calls, ${statements} statements`);
  });

  it('calls every function that reaches Postgres', () => {
    const called = new Set(calls(1).map(({ name }) => name));
    const missing = functionsOfDatabase().filter((name) => !called.has(name) && !(name in notCalled));
    assert.deepEqual(missing, []);
    assert.deepEqual(
      Object.keys(notCalled).filter((name) => called.has(name) || !functionsOfDatabase().includes(name)),
      [],
      'no longer exceptions',
    );
  });

  const breaks: { what: string; plant: string; mend: string; caught: string }[] = [
    {
      what: 'a missing index',
      plant: 'drop index idempotency_keys_of_message',
      mend: 'create index idempotency_keys_of_message on idempotency_keys (message_id)',
      caught: 'rememberCallAnswer',
    },
    {
      what: 'a missing index of what the console polls',
      plant: 'drop index deliveries_of_run',
      mend: 'create index deliveries_of_run on deliveries (run_id) where run_id is not null',
      caught: 'deliveriesBy',
    },
    {
      what: 'a missing index of the conversations that are assigned to a member',
      plant: 'drop index conversations_of_assignee',
      mend: 'create index conversations_of_assignee on conversations (organization_id, assignee_id, updated_at desc, id desc) where assignee_id is not null',
      caught: 'listConversationRows',
    },
    {
      what: 'a missing index of the open conversations',
      plant: 'drop index conversations_open',
      mend: 'create index conversations_open on conversations (organization_id, updated_at desc, id desc) where done_at is null and not is_test',
      caught: 'listConversationRows',
    },
    {
      what: 'a missing index of the conversations in which a tool was called',
      // The index of each tool's last call would do for the organizations of this test.
      plant: 'drop index tool_executions_by_action, tool_executions_last_of_action',
      mend: `create index tool_executions_by_action on tool_executions (organization_id, action, conversation_id) where conversation_id is not null;
        create index tool_executions_last_of_action on tool_executions (organization_id, action, id)`,
      caught: 'listConversationRows',
    },
  ];
  for (const { what, plant, mend, caught } of breaks)
    it(`catches ${what}`, async () => {
      await worker.pool.query(plant);
      try {
        const faults: string[] = [];
        for (const call of calls(2).filter(({ name }) => name === caught))
          faults.push(...(await faultsOfCall(call)).faults);
        assert.notDeepEqual(faults, []);
      } finally {
        await worker.pool.query(mend);
      }
    });

  it('catches a search that reads the messages of all organizations', async () => {
    const { faults } = await faultsOfCall({
      as: 'worker',
      name: 'a planted search',
      run: (db) => db.pool.query("select id from messages where text = 'nothing'"),
    });
    assert.match(faults.join(), /scans messages|rows of messages in vain/);
  });

  it('catches a sort of more than a page', async () => {
    const { faults } = await faultsOfCall({
      as: 'api',
      name: 'a planted listing',
      run: (db) =>
        db.pool.query(
          'select id from agents, generate_series(1, 100) order by md5(agents.id::text) limit 10',
        ),
    });
    assert.match(faults.join(), /sorts/);
  });
});

/** The exported functions of the database's adapters that take one, including those that a statement makes. */
function functionsOfDatabase(): string[] {
  const files = globSync('src/adapters/postgres/**/*.ts', { cwd: projectRoot });
  return files.flatMap((file) => {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    return source.statements
      .filter((one) => ts.isFunctionDeclaration(one) || ts.isVariableStatement(one))
      .filter((one) => one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      .flatMap((one) => (ts.isVariableStatement(one) ? madeByStatements(one) : takesDatabase(one)));
  });
}

const madeByStatements = ({ declarationList }: ts.VariableStatement): string[] =>
  declarationList.declarations
    .filter(({ initializer }) => initializer !== undefined && ts.isTaggedTemplateExpression(initializer))
    .map(({ name }) => name.getText());

const takesDatabase = ({ name, parameters }: ts.FunctionDeclaration): string[] =>
  parameters.some(({ type }) => ['Database', 'Transaction'].includes(type?.getText() ?? '')) && name
    ? [name.text]
    : [];
