/** The plans that Postgres really executed, statements inside functions too, as `auto_explain` reports them. */
import pg from 'pg';
import { z } from 'zod';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  'Rows Removed by Index Recheck'?: number | undefined;
  Plans?: PlanNode[] | undefined;
}
const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Rows Removed by Index Recheck': z.number().optional(),
    Plans: z.array(planNode).optional(),
  }),
);
const report = z.object({ 'Query Text': z.string(), Plan: planNode });

export interface ExecutedPlan {
  sql: string;
  plan: PlanNode;
}

/** A database URL whose every connection reports its plans. The user must be a superuser. */
export function reportingUrl(databaseUrl: string): string {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    jit: 'off',
  };
  const url = new URL(databaseUrl);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', options.join(' '));
  return url.href;
}

/** Collects the plans of all reporting connections of this process, until `stop`. */
export function collectPlans(): { take: () => ExecutedPlan[]; stop: () => void } {
  let plans: ExecutedPlan[] = [];
  const prototype: { connect: (...given: never[]) => unknown } = pg.Client.prototype;
  const connect = prototype.connect;
  prototype.connect = function (this: pg.Client, ...given: never[]) {
    this.on('notice', ({ message }) => {
      const json = /^duration: .*?plan:\s*(\{.*)$/s.exec(message ?? '')?.[1];
      if (json === undefined) return;
      const { 'Query Text': sql, Plan: plan } = report.parse(JSON.parse(json));
      plans.push({ sql, plan });
    });
    return connect.apply(this, given);
  };
  return {
    take: () => {
      const taken = plans;
      plans = [];
      return taken;
    },
    stop: () => {
      prototype.connect = connect;
    },
  };
}

/** Maximum cost of one call: chosen so that a page of 100 rows with its details passes and a scan does not. */
export const usualBudget = 2_000;

/** @returns what makes the plan grow with the tables, in words; empty when nothing does */
export function faultsOf(
  { plan }: ExecutedPlan,
  large: ReadonlySet<string>,
  { rows: budget = usualBudget, scans = false }: { rows?: number; scans?: boolean } = {},
): string[] {
  const faults: string[] = [];
  const visit = (node: PlanNode): void => {
    const loops = Math.max(1, node['Actual Loops']);
    const table = node['Relation Name'];
    const returned = node['Actual Rows'] * loops;
    const removed =
      ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * loops;
    const type = node['Node Type'];
    if (table !== undefined && large.has(table) && !(scans && returned <= budget)) {
      if (type === 'Seq Scan' && removed + returned > budget) faults.push(`scans ${table}`);
      else if (removed > budget) faults.push(`reads ${removed} rows of ${table} in vain`);
      else if (returned > budget) faults.push(`reads ${returned} rows of ${table}`);
    }
    // Rows that go in: a sort for the first ten returns ten.
    const sorted = type.includes('Sort')
      ? (node.Plans ?? []).reduce((sum, from) => sum + from['Actual Rows'], 0) * loops
      : 0;
    if (sorted > budget) faults.push(`sorts ${sorted} rows`);
    node.Plans?.forEach(visit);
  };
  visit(plan);
  return faults;
}
