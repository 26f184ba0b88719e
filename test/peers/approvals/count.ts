/** Counts what an engine did with calls that a person must approve. */

/**
 * The actions of the deciders: one approves, two approve at once, one approves and one refuses at once, one refuses,
 * nobody decides.
 */
export const plans = ['approve', 'both approve', 'approve and refuse', 'refuse', 'none'] as const;
export type Plan = (typeof plans)[number];

export type Choice = 'approve' | 'refuse';

export interface Decided {
  choice: Choice;
  /** The amount that the decider was shown. */
  amount: number;
  /** True if the engine answered that the decision counts; null if the connection broke. */
  accepted: boolean | null;
}

export interface Case {
  plan: Plan;
  decided: Decided[];
  /** The amount of each request that the tool received. */
  executed: number[];
  /** The engine's report of how the call ended; `open` if it reports no end. */
  end: string;
}

export interface Counts {
  cases: number;
  /** Cases in which somebody approved. */
  approved: number;
  once: number;
  twice: number;
  /** Executed although nobody approved. */
  withoutDecision: number;
  /** Executed with an amount that no approver was shown. */
  otherArguments: number;
  /** Approved, refused by nobody, and never executed. */
  lost: number;
  /** Lost calls whose outcome the engine reports as unknown. */
  lostAsUnknown: number;
  /** An approval and a refusal of one call were both accepted. */
  bothAccepted: number;
}

export function count(cases: readonly Case[]): Counts {
  const number = (is: (one: Case) => boolean) => cases.filter(is).length;
  const by = ({ decided }: Case, choice: Choice) => decided.filter((one) => one.choice === choice);
  const isApproved = (one: Case) => by(one, 'approve').length > 0;
  const isLost = (one: Case) =>
    isApproved(one) &&
    by(one, 'refuse').every(({ accepted }) => accepted === false) &&
    one.executed.length === 0;
  return {
    cases: cases.length,
    approved: number(isApproved),
    once: number(({ executed }) => executed.length === 1),
    twice: number(({ executed }) => executed.length > 1),
    withoutDecision: number((one) => one.executed.length > 0 && !isApproved(one)),
    otherArguments: number((one) => {
      const shown = new Set(by(one, 'approve').map(({ amount }) => amount));
      return isApproved(one) && one.executed.some((amount) => !shown.has(amount));
    }),
    lost: number(isLost),
    lostAsUnknown: number((one) => isLost(one) && one.end === 'unknown'),
    bothAccepted: number((one) =>
      (['approve', 'refuse'] as const).every((choice) =>
        by(one, choice).some(({ accepted }) => accepted === true),
      ),
    ),
  };
}

const columns: readonly [name: string, field: keyof Counts][] = [
  ['cases', 'cases'],
  ['approved', 'approved'],
  ['executed once', 'once'],
  ['twice', 'twice'],
  ['without a decision', 'withoutDecision'],
  ['with other arguments', 'otherArguments'],
  ['lost', 'lost'],
  ['of these reported as unknown', 'lostAsUnknown'],
  ['yes and no both accepted', 'bothAccepted'],
];

/** @returns a Markdown table with a row for each engine */
export function tableOf(rows: readonly { engine: string; counts: Counts }[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['engine', ...columns.map(([name]) => name)]),
    line(['---', ...columns.map(() => '---:')]),
    ...rows.map(({ engine, counts }) => line([engine, ...columns.map(([, field]) => counts[field])])),
  ].join('\n');
}
