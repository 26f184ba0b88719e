/** The product beside bare Temporal and other engines, by the share of users who return. */
import type { RoundFigures } from './compare.ts';
import { median, rounded } from './numbers.ts';
import type { PeerFigures } from './peers.ts';
import { columns, cpuSum, spread } from './report.ts';
import { shares, type Share } from './returning-users.ts';

/** `cold`: the product without warm conversations, if the product has them. */
type Subjects = 'bare' | 'product' | 'cold';

export interface ByShare {
  rounds: {
    share: Share;
    /** The share of turns of users who return, by the product's rows. */
    seen: number;
    of: Partial<Record<Subjects, RoundFigures>>;
  }[];
  /** One-minute load of the machine before and after. */
  load: [number, number];
}

const figures = {
  turns_per_s: 'turnsPerSecond',
  overhead_ms_p50: 'overheadP50',
  ack_ms_p50: 'ackP50',
} as const;
const labels = {
  turns_per_s: 'turns/s, burst',
  overhead_ms_p50: 'overhead ms p50',
  ack_ms_p50: 'ack ms p50',
};
const names = ['turns_per_s', 'overhead_ms_p50', 'ack_ms_p50'] as const;

const cpuOfRound = (round: RoundFigures) => cpuSum([round]);

function roundsOf({ rounds }: ByShare, share: Share, subject: Subjects): RoundFigures[] {
  return rounds.filter((round) => round.share === share).flatMap(({ of }) => of[subject] ?? []);
}

/** @returns the median over the rounds of product ÷ other, each within its round */
function ratio(all: ByShare, share: Share, other: Subjects, figure: (round: RoundFigures) => number): number {
  const others = roundsOf(all, share, other);
  return median(
    roundsOf(all, share, 'product').map((round, index) => {
      const beside = others[index];
      return beside === undefined ? Number.NaN : figure(round) / figure(beside);
    }),
  );
}

/**
 * @returns `returning_1`, `returning_0_5` and `returning_0`: the share by the rows, the product's medians, its ratios
 * to bare Temporal (`…_ratio`) and to itself without warm conversations (`…_vs_cold`), and to each peer (`vs_…`)
 */
export function figuresByShare(
  all: ByShare,
  peers: Record<string, PeerFigures>,
): Record<string, Record<string, number>> {
  return Object.fromEntries(
    measuredShares(all).map((share) => {
      const product = roundsOf(all, share, 'product');
      const of = (figure: (round: RoundFigures) => number) => median(product.map(figure));
      const beside = (other: Subjects, ending: string): [string, number][] => [
        ...names.map((name): [string, number] => [
          `${name}${ending}`,
          rounded(
            ratio(all, share, other, (round) => round[figures[name]]),
            2,
          ),
        ]),
        [`cpu_ms_per_turn${ending}`, rounded(ratio(all, share, other, cpuOfRound), 2)],
      ];
      const fields: [string, number][] = [
        ['share', rounded(median(seenOf(all, share)), 3)],
        ...names.map((name): [string, number] => [name, rounded(of((round) => round[figures[name]]))]),
        ['cpu_ms_per_turn', rounded(of(cpuOfRound))],
        ...beside('bare', '_ratio'),
        ...(roundsOf(all, share, 'cold').length > 0 ? beside('cold', '_vs_cold') : []),
        ...Object.entries(peers).flatMap(([peer, theirs]) =>
          names.map((name): [string, number] => [
            `vs_${peer.replace('-', '_')}_${name}`,
            rounded(of((round) => round[figures[name]]) / theirs[name], 2),
          ]),
        ),
      ];
      return [`returning_${String(share).replace('.', '_')}`, Object.fromEntries(fields)];
    }),
  );
}

const measuredShares = ({ rounds }: ByShare): Share[] =>
  shares.filter((share) => rounds.some((round) => round.share === share));

const seenOf = ({ rounds }: ByShare, share: Share) =>
  rounds.filter((round) => round.share === share).map(({ seen }) => seen);

/** @returns a table for each share; a ratio is the median over the rounds of product ÷ the other within its round */
export function tableByShare(all: ByShare, peers: Record<string, PeerFigures>): string {
  const cold = all.rounds.some(({ of }) => of.cold !== undefined);
  const others = cold ? (['bare', 'cold'] as const) : (['bare'] as const);
  const tables = measuredShares(all).map((share) => {
    const rounds = (subject: Subjects) => roundsOf(all, share, subject);
    const row = (label: string, figure: (round: RoundFigures) => number) => [
      label,
      ...(['product', ...others] as const).map((subject) => spread(rounds(subject).map(figure))),
      ...others.map((other) => rounded(ratio(all, share, other, figure), 2).toString()),
    ];
    const header = [
      `p = ${rounded(median(seenOf(all, share)), 3)} (lowest–highest of ${rounds('product').length})`,
      ...['product', 'bare Temporal', ...(cold ? ['not warm'] : [])],
      ...['÷ bare', ...(cold ? ['÷ not warm'] : [])],
    ];
    return columns([
      header,
      ...names.map((name) => row(labels[name], (round) => round[figures[name]])),
      row('CPU ms a turn', cpuOfRound),
      ...Object.entries(peers).map(([peer, theirs]) => [
        `product ÷ ${peer}: turns/s, overhead, ack`,
        names
          .map((name) =>
            rounded(
              median(rounds('product').map((round) => round[figures[name]])) / theirs[name],
              2,
            ).toString(),
          )
          .join(', '),
        ...header.slice(2).map(() => ''),
      ]),
    ]);
  });
  const [before, after] = all.load;
  return `${tables.join('\n\n')}\n\nload of the machine: ${rounded(before, 2)} before, ${rounded(after, 2)} after`;
}
