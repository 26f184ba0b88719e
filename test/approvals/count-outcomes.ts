/** Compares the requests that the tool received, the answers to the deciders, and the end of each approval. */
import type { Approval } from '../../src/contract/conversations/approvals.ts';

export type Decision = 'approve' | 'refuse';

/** One of the two who decide on an approval. */
export interface Decider {
  /** Name of its API token. */
  name: string;
  decision: Decision;
  /** Epoch ms of its first call; undefined if it has not called. */
  sentAt?: number;
  /** Status of the answer that it has received in the end. */
  status?: number;
}

export interface Case {
  number: number;
  /** The arguments that the model called the tool with. */
  amount: number;
  deciders: readonly [Decider, Decider];
  /** The approval when it was first read; undefined if it was never found. */
  shown?: Approval;
  /** The approvals after all decisions. */
  ended: readonly Approval[];
  /** The requests that the tool has received. */
  requests: readonly { at: number; body: string }[];
}

/** Violations, each counted in approvals. */
export const violations = [
  /**
   * The tool was called before the named decider had sent an approval, before an expiry that approves, or though nobody
   * approved.
   */
  'undecided',
  /** The tool was called twice. */
  'twice',
  /** The tool was called with arguments that were not shown. */
  'otherArguments',
  /** Both deciders got the answer that they had decided. */
  'bothWon',
  /** The approval ended otherwise than the decider's answer, or names somebody who did not decide so. */
  'otherDecision',
  /** The approval is still open. */
  'unended',
  /** The approval is `executed`, and the tool was never called. */
  'notExecuted',
  /** The model called the tool, and there is no approval, or more than one. */
  'notAsked',
] as const;
export type Violation = (typeof violations)[number];

/** @returns everything that must not happen and has happened to one approval */
export function violationsOf(one: Case): Violation[] {
  const { shown, ended, requests } = one;
  const [approval] = ended;
  if (shown === undefined || approval === undefined || ended.length > 1) return ['notAsked'];
  const { status } = approval;
  const wasCalled = requests.length > 0;
  const found: Record<Violation, boolean> = {
    undecided: wasCalled && !wasApprovedBefore(one, approval),
    twice: requests.length > 1,
    otherArguments: requests.some(({ body }) => !isShown(body, one)),
    bothWon: one.deciders.every((decider) => decider.status === 200),
    otherDecision: !isDecidedAsTold(one, approval),
    unended: status === 'waiting' || status === 'approved',
    notExecuted: status === 'executed' && !wasCalled,
    notAsked: false,
  };
  return violations.filter((name) => found[name]);
}

function wasApprovedBefore({ deciders, requests }: Case, approval: Approval): boolean {
  const { status, decided_by, on_expiry, expires_at } = approval;
  const first = requests[0]?.at ?? Infinity;
  if (status === 'refused' || status === 'expired' || decided_by === undefined) return false;
  if (decided_by.kind === 'system') return on_expiry === 'approve' && Date.parse(expires_at) <= first;
  const by = deciders.find(({ name }) => isNamed(name, approval));
  return by?.decision === 'approve' && (by.sentAt ?? Infinity) <= first;
}

/** The name that is shown of a token ends with its prefix in parentheses. */
const isNamed = (name: string, { decided_by }: Approval) => decided_by?.name?.includes(`${name} (`) === true;

function isShown(body: string, { number, amount, shown }: Case): boolean {
  const called = JSON.stringify(sorted(JSON.parse(body)));
  return (
    called === JSON.stringify({ amount, case: number }) && called === JSON.stringify(sorted(shown?.arguments))
  );
}

const sorted = (value: unknown): unknown =>
  Object.fromEntries(Object.entries(value ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)));

/** The decision that Parley itself made may come after an approval, as long as the call has not begun. */
function isDecidedAsTold({ deciders }: Case, approval: Approval): boolean {
  const { status, decided_by } = approval;
  if (decided_by === undefined) return false;
  const told = deciders.find((decider) => decider.status === 200);
  const isRefused = status === 'refused' || status === 'expired';
  if (decided_by.kind === 'system')
    return told === undefined || (told.decision === 'approve' && status === 'refused');
  const by = deciders.find(({ name }) => isNamed(name, approval));
  if (by === undefined || (told !== undefined && told !== by)) return false;
  return isRefused === (by.decision === 'refuse');
}
