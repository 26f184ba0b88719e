/**
 * The same turns with another share of users who answer within seconds: all of them, half of them, none. A turn counts
 * as one of a user who returns if its message came within `WARM_SECONDS` of the last answer of its conversation.
 */
import { z } from 'zod';
import { queryRow, type Database } from '../../src/adapters/postgres/database.ts';
import type { RunningSubject } from './bare-stack.ts';
import { roundOf, type RoundFigures } from './compare.ts';
import { inLanes, takeTurn, type Burst, type Callbacks, type Turn } from './load.ts';
import { cpuOf, perTurn } from './turn-cost.ts';

/** Shares of turns of users who return. */
export const shares = [1, 0.5, 0] as const;
export type Share = (typeof shares)[number];

/** Turns that open the conversation of a user who returns; they are not measured. The second one makes it warm. */
const openingTurns = 2;

export interface ReturningRound extends RoundFigures {
  /** When the burst began. */
  since: Date;
}

export interface ReturningSize {
  /** One after another. */
  turns: number;
  burst: { turns: number; inFlight: number };
}

/**
 * Orders of two or three subjects, one after the other: each of three follows each other one equally often, because the
 * work that a turn leaves behind delays the next one.
 */
const orders = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
];

/**
 * One turn at a time, of each subject in turn, because a machine is not equally fast from minute to minute; then a
 * burst of each. Both over conversations of their own.
 * @param burstEnded called after the burst of each subject
 */
export async function measureReturning<Name extends string>(
  subjects: readonly [Name, RunningSubject][],
  callbacks: Callbacks,
  common: Record<string, number>,
  size: ReturningSize,
  { share, round }: { share: Share; round: number },
  burstEnded: (name: Name, figures: ReturningRound) => Promise<void>,
): Promise<void> {
  const named = (name: Name, ending: string) => ({ share, name: `${name}-${share}-${round}-${ending}` });
  const singles = await Promise.all(
    subjects.map(async ([name, subject]) => ({
      name,
      single: await prepare(subject, callbacks, { lanes: 1, ...named(name, 'one') }),
      turns: [] as Turn[],
    })),
  );
  for (let turn = 0; turn < size.turns; turn++) {
    for (const place of orders[turn % orders.length] ?? []) {
      const one = singles[place];
      one?.turns.push(...(await one.single(1)).turns);
    }
  }
  for (const [name, subject] of subjects) {
    const many = await prepare(subject, callbacks, { lanes: size.burst.inFlight, ...named(name, 'burst') });
    const pids = { ...subject.pids, ...common };
    const before = cpuOf(pids);
    const since = new Date();
    const burst = await many(size.burst.turns);
    const { turns = [] } = singles.find((one) => one.name === name) ?? {};
    await burstEnded(name, {
      ...roundOf(turns, burst, perTurn(before, cpuOf(pids), burst.turns.length)),
      since,
    });
  }
}

/**
 * Opens a conversation for each lane.
 * @returns takes so many turns: each lane by turns one of its conversation and one of a new conversation, by the share
 */
async function prepare(
  subject: RunningSubject,
  callbacks: Callbacks,
  { share, lanes, name }: { share: Share; lanes: number; name: string },
): Promise<(turns: number) => Promise<Burst>> {
  const opened = (lane: number) => `${name}-returns-${lane}`;
  if (share > 0)
    await inLanes({ turns: openingTurns * lanes }, lanes, (lane) =>
      takeTurn(subject, callbacks, opened(lane)),
    );
  const taken = Array.from({ length: lanes }, () => 0);
  let before = 0;
  return async (turns) => {
    const first = before;
    before += turns;
    return await inLanes({ turns }, lanes, (lane, turn) => {
      // Neighbouring lanes begin with different kinds, so that a burst has both at once.
      const nth = (taken[lane] = (taken[lane] ?? 0) + 1) + lane;
      const returns = share === 1 || (share === 0.5 && nth % 2 === 0);
      return takeTurn(subject, callbacks, returns ? opened(lane) : `${name}-new-${first + turn}`);
    });
  };
}

/**
 * @param since only messages that were accepted after this time
 * @returns the share of messages that came within `seconds` of the last answer of their conversation
 */
export async function shareOfReturning(db: Database, since: Date, seconds: number): Promise<number> {
  const row = await queryRow(db, shareStatement, [seconds, since]);
  return row?.share ?? Number.NaN;
}

const shareStatement = {
  row: z.object({ share: z.number().nullable() }),
  name: 'share_of_returning',
  text: `select avg((coalesce(accepted.created_at - answered.at <= make_interval(secs => $1), false))::int)::float8 as share
    from messages accepted, lateral (
      select max(answer.created_at) as at from messages answer
      where answer.conversation_id = accepted.conversation_id and answer.origin = 'agent'
        and answer.created_at < accepted.created_at
    ) answered
    where accepted.origin = 'user' and accepted.created_at >= $2`,
};
