/** Rehearses the next turns of a rehearsal, and records the outcome of each. */
import { CreditsBusy } from '../../adapters/models/model.ts';
import {
  beginRehearsing,
  findRecordedTurn,
  pauseRehearsing,
  recordAskedTurn,
  turnsToRehearse,
  type Progress,
  type RecordedTurn,
  type RunningRehearsal,
} from '../../adapters/postgres/rehearsals/rehearsal-turns.ts';
import { brokenRules } from '../../domain/rehearsals/check-turns.ts';
import { NoSlot } from '../../limits/limiter.ts';
import { addIds } from '../../observability/spans.ts';
import { transient } from '../../worker/failures.ts';
import { inParallel } from '../in-parallel.ts';
import { compileSchema } from '../http-tools/check-arguments.ts';
import { askJudge, type Judged } from './ask-judge.ts';
import { askTurn, type TurnResult } from './ask-turn.ts';
import type { RehearsalDeps } from './deps.ts';

/**
 * Limits of one activity: maximum turns in total, maximum turns at the same time, and milliseconds after which it
 * starts no further turn. Chosen.
 */
const batch = 50;
const atOnce = 4;
const batchMs = 60_000;
/** Maximum milliseconds of one turn. A turn that takes longer fails. Chosen. */
const turnMs = 5 * 60_000;
/** Milliseconds until the activity is retried if no model slot or no credits are free. Chosen. */
const busyMs = 5000;
/** Maximum seconds since a rehearsal was begun or resumed. An older one fails, and can then be resumed. Chosen. */
const maxAgeSeconds = 6 * 60 * 60;

/**
 * Rehearses the next `batch` turns of a rehearsal, or as many as start within `batchMs`. Safe to repeat: a turn that
 * has an outcome is skipped. If too many workers were lost in activities that began with the same turn, records this
 * turn as failed.
 * @returns how many turns have an outcome, how many have none, and whether the rehearsal continues
 * @throws a retryable failure if a turn must wait for a model slot or for credits, or if the organization uses all of
 * its activity slots; the errors of `Attempts.guarded`; the signal's reason or AbortError if the signal is aborted
 */
export async function rehearse(deps: RehearsalDeps, id: string, signal: AbortSignal): Promise<Progress> {
  const rehearsal = await beginRehearsing(deps.db, id);
  if (rehearsal === undefined) return await pauseRehearsing(deps.db, id, null);
  addIds({ organization_id: rehearsal.organization_id });
  if (rehearsal.age_seconds > maxAgeSeconds) {
    const error = `It took longer than ${maxAgeSeconds / 3600} hours. Resume it to ask the turns that are left.`;
    return await pauseRehearsing(deps.db, id, error);
  }
  const positions = await turnsToRehearse(deps.db, id, batch);
  const [first] = positions;
  const waits =
    first !== undefined &&
    (await deps.shares.use(rehearsal.organization_id, () =>
      deps.attempts.guarded(`rehearsal/${id}/${first}`, {
        work: () => askThese(deps, rehearsal, positions, signal),
        giveUp: async (why) => {
          await record(deps, rehearsal, first, failedTurn(why));
          return false;
        },
      }),
    ));
  const progress = await pauseRehearsing(deps.db, id, null);
  if (waits)
    throw transient('Busy', 'No model slot or no credits are free; the turns are asked later.', busyMs);
  return progress;
}

/** @returns true if a turn must wait for a model slot or for credits; in this case, no further turn was started */
async function askThese(
  deps: RehearsalDeps,
  rehearsal: RunningRehearsal,
  positions: readonly number[],
  signal: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + batchMs;
  let waits = false;
  await inParallel(positions, atOnce, async (position) => {
    signal.throwIfAborted();
    if (waits || performance.now() > end) return;
    try {
      await askAndRecord(deps, rehearsal, position, signal);
    } catch (error) {
      if (!(error instanceof NoSlot) && !(error instanceof CreditsBusy)) throw error;
      waits = true;
    }
  });
  return waits;
}

async function askAndRecord(
  deps: RehearsalDeps,
  rehearsal: RunningRehearsal,
  position: number,
  signal: AbortSignal,
): Promise<void> {
  const recorded = await findRecordedTurn(deps.db, rehearsal.id, position);
  if (recorded === undefined) return;
  const late = AbortSignal.timeout(turnMs);
  let turn: TurnResult;
  try {
    turn = await askTurn(deps, { rehearsal, position, recorded, signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    turn = failedTurn(`The turn took longer than ${turnMs / 60_000} minutes.`);
  }
  await record(deps, rehearsal, position, turn, await judged(deps, rehearsal, recorded, turn, signal));
}

function failedTurn(error: string): TurnResult {
  const nothing = {
    diverged: false,
    text: '',
    calls: [],
    transferTo: null,
    credits: 0,
    modelCalls: [],
    modelMs: 0,
  };
  return { outcome: 'failed', error, ...nothing };
}

/** @returns the judge's verdict; undefined if the rehearsal has no judge, or the turn's outcome is not `other_text` */
async function judged(
  deps: RehearsalDeps,
  rehearsal: RunningRehearsal,
  recorded: RecordedTurn,
  { outcome, text }: TurnResult,
  signal: AbortSignal,
): Promise<Judged | undefined> {
  const { judge } = rehearsal.checks;
  if (judge === null || outcome !== 'other_text') return undefined;
  return await askJudge(deps, { rehearsal, recorded, rehearsed: text, judge, signal });
}

async function record(
  { db }: RehearsalDeps,
  rehearsal: RunningRehearsal,
  position: number,
  { text, calls, transferTo, error, ...turn }: TurnResult,
  judgement?: Judged,
): Promise<void> {
  const { rules, accepts } = rehearsal.checks;
  const hasAnswer = !turn.diverged && turn.outcome !== 'failed' && turn.outcome !== 'refused';
  const broken = hasAnswer ? brokenRules(rules, text, matchesSchema) : [];
  const isWorse =
    judgement !== undefined && judgement.verdict !== 'better' && judgement.verdict !== 'as_good';
  await recordAskedTurn(db, rehearsal.id, position, {
    ...turn,
    credits: turn.credits + (judgement?.credits ?? 0),
    modelCalls: [...turn.modelCalls, ...(judgement?.modelCalls ?? [])],
    passed: accepts.includes(turn.outcome) && broken.length === 0 && !isWorse,
    rehearsed: {
      text,
      calls: calls.map(({ name, input }) => ({ name, arguments: input })),
      transfer_to: transferTo,
      ...(error !== undefined && { error }),
      ...(broken.length > 0 && { broken_rules: broken }),
      ...(judgement && { judgement: { verdict: judgement.verdict, reason: judgement.reason } }),
    },
  });
}

const matchesSchema = (schema: Record<string, unknown>, value: unknown): boolean =>
  compileSchema(schema).safeParse(value).success;
