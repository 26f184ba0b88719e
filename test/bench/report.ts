/** Formats the measurements, as a table for people and as one object for machines. */
import type { Rate } from './ceilings.ts';
import type { RoundFigures } from './compare.ts';
import type { IdleGrowth } from './idle-conversations.ts';
import type { LongRatio } from './long-conversation.ts';
import { median, rounded } from './numbers.ts';
import type { OpenGroups } from './open-groups.ts';
import type { PeerFigures } from './peers.ts';
import type { HistorySize } from './turn-cost.ts';

export interface Measured {
  rounds: { product: RoundFigures[]; bare: RoundFigures[] };
  history: { product: HistorySize; bare: HistorySize };
  /** One of each a round, taken by turns. */
  open: OpenGroups[];
  reads: Rate[];
  insert: Rate;
  signalNew: Rate;
  signalSame: Rate;
  long: LongRatio;
  idle: IdleGrowth;
  peers: Record<string, PeerFigures>;
  /** One-minute load of the machine before and after. */
  load: [number, number];
}

type Single = Exclude<keyof RoundFigures, 'cpu'>;

const medianOfFigure = (rounds: readonly RoundFigures[], figure: Single) =>
  median(rounds.map((round) => round[figure]));

/** Median over the rounds of product ÷ bare within the same round. */
export function ratioOf({ product, bare }: Measured['rounds'], figure: Single): number {
  return median(product.map((round, index) => round[figure] / (bare[index]?.[figure] ?? Number.NaN)));
}

export function cpuSum(rounds: readonly RoundFigures[]): number {
  return median(rounds.map(({ cpu }) => Object.values(cpu).reduce((sum, ms) => sum + ms, 0)));
}

/** The contract's fields first (all medians), then ratios and ceilings. */
export function figuresOf(measured: Measured): Record<string, number | Record<string, number>> {
  const { rounds, history, open, reads, insert, signalNew, signalSame, long, idle, peers, load } = measured;
  const of = (figure: Single) => rounded(medianOfFigure(rounds.product, figure));
  const bare = (figure: Single) => rounded(medianOfFigure(rounds.bare, figure));
  const groups = median(
    open.map(({ perSecond }, index) => perSecond / (reads[index]?.perSecond ?? Number.NaN)),
  );
  const peerFields = Object.entries(peers).map(([name, figures]): [string, Record<string, number>] => [
    `vs_${name.replace('-', '_')}`,
    {
      turns_per_s: rounded(of('turnsPerSecond') / figures.turns_per_s, 2),
      overhead_ms_p50: rounded(of('overheadP50') / figures.overhead_ms_p50, 2),
      ack_ms_p50: rounded(of('ackP50') / figures.ack_ms_p50, 2),
    },
  ]);
  return {
    turns_per_s: of('turnsPerSecond'),
    bare_turns_per_s: bare('turnsPerSecond'),
    overhead_ms_p50: of('overheadP50'),
    overhead_ms_p95: of('overheadP95'),
    ack_ms_p50: of('ackP50'),
    ack_ms_p95: of('ackP95'),
    history_bytes_per_turn: rounded(history.product.bytes),
    events_per_turn: rounded(history.product.events),
    turn_1000_vs_10_ratio: rounded(long.ratio, 3),
    idle_conversation_rss_bytes: Math.round(idle.bytes),
    turns_ratio: rounded(ratioOf(rounds, 'turnsPerSecond'), 2),
    overhead_p50_ratio: rounded(ratioOf(rounds, 'overheadP50'), 2),
    ack_p50_ratio: rounded(ratioOf(rounds, 'ackP50'), 2),
    open_group_inputs_vs_reads_ratio: rounded(groups, 2),
    bare_overhead_ms_p50: bare('overheadP50'),
    bare_ack_ms_p50: bare('ackP50'),
    cpu_ms_per_turn: rounded(cpuSum(rounds.product)),
    bare_cpu_ms_per_turn: rounded(cpuSum(rounds.bare)),
    open_group_inputs_per_s: rounded(median(open.map(({ perSecond }) => perSecond))),
    open_group_inputs_lost: open.reduce((sum, { lost }) => sum + lost, 0),
    open_group_inputs_doubled: open.reduce((sum, { doubled }) => sum + doubled, 0),
    read_per_s: rounded(median(reads.map(({ perSecond }) => perSecond))),
    insert_per_s: insert.perSecond,
    signal_with_start_new_per_s: signalNew.perSecond,
    signal_with_start_same_per_s: signalSame.perSecond,
    load_before: rounded(load[0], 2),
    load_after: rounded(load[1], 2),
    ...Object.fromEntries<Record<string, number>>(peerFields),
  };
}

/** Median, and between which values the rounds lay. */
export function spread(values: readonly number[], digits = 1): string {
  const show = (value: number) => rounded(value, digits).toString();
  return `${show(median(values))} (${show(Math.min(...values))}–${show(Math.max(...values))})`;
}

export function tableOf(measured: Measured): string {
  const { rounds, history, open, reads, insert, signalNew, signalSame, long, idle, peers, load } = measured;
  const row = (label: string, figure: Single) => [
    label,
    spread(rounds.product.map((round) => round[figure])),
    spread(rounds.bare.map((round) => round[figure])),
    rounded(ratioOf(rounds, figure), 2).toString(),
  ];
  const processes = [...new Set(rounds.product.flatMap(({ cpu }) => Object.keys(cpu)))];
  const cpuRow = (name: string) => [
    `CPU ms a turn: ${name}`,
    spread(rounds.product.map(({ cpu }) => cpu[name] ?? Number.NaN)),
    spread(rounds.bare.map(({ cpu }) => cpu[name] ?? Number.NaN)),
    '',
  ];
  const perTurn = (label: string, of: (size: HistorySize) => number) => [
    label,
    rounded(of(history.product)).toString(),
    rounded(of(history.bare)).toString(),
    rounded(of(history.product) / of(history.bare), 2).toString(),
  ];
  const ratios = open.map(({ perSecond }, index) => perSecond / (reads[index]?.perSecond ?? Number.NaN));
  return [
    columns([
      [`median (lowest–highest of ${rounds.product.length})`, 'product', 'bare Temporal', 'ratio'],
      row('turns/s, burst', 'turnsPerSecond'),
      row('overhead ms p50', 'overheadP50'),
      row('overhead ms p95', 'overheadP95'),
      row('ack ms p50', 'ackP50'),
      row('ack ms p95', 'ackP95'),
      row('overhead ms p50, burst', 'burstOverheadP50'),
      row('overhead ms p95, burst', 'burstOverheadP95'),
      ...processes.map(cpuRow),
      perTurn('history events a turn', ({ events }) => events),
      perTurn('history bytes a turn', ({ bytes }) => bytes),
    ]),
    '',
    columns([
      ['ceilings', 'a second', 'p50 ms'],
      ['insert, one row a transaction', spread([insert.perSecond]), rounded(insert.p50).toString()],
      ['signalWithStart, new workflows', spread([signalNew.perSecond]), rounded(signalNew.p50).toString()],
      ['signalWithStart, the same 16', spread([signalSame.perSecond]), rounded(signalSame.p50).toString()],
      [
        'read: GET /agents',
        spread(reads.map(({ perSecond }) => perSecond)),
        spread(reads.map(({ p50 }) => p50)),
      ],
      [
        'inputs into open groups',
        spread(open.map(({ perSecond }) => perSecond)),
        spread(open.map(({ p50 }) => p50)),
      ],
    ]),
    '',
    `inputs into open groups ÷ reads: ${spread(ratios, 2)}; ${sum(open, 'inputs')} inputs in ${sum(open, 'answers')} answers, ${sum(open, 'lost')} lost, ${sum(open, 'doubled')} doubled`,
    `turn 1,000 ÷ turn 10: ${rounded(long.ratio, 3)} (${rounded(long.late)} ÷ ${rounded(long.early)} ms, model included)`,
    `an idle conversation: ${Math.round(idle.bytes)} bytes of API + worker (over ${idle.conversations})`,
    ...Object.entries(peers).map(
      ([name, figures]) =>
        `beside ${name}: turns/s ${ratio(medianOfFigure(rounds.product, 'turnsPerSecond'), figures.turns_per_s)}, overhead p50 ${ratio(medianOfFigure(rounds.product, 'overheadP50'), figures.overhead_ms_p50)}, ack p50 ${ratio(medianOfFigure(rounds.product, 'ackP50'), figures.ack_ms_p50)}`,
    ),
    `load of the machine: ${rounded(load[0], 2)} before, ${rounded(load[1], 2)} after`,
  ].join('\n');
}

function ratio(ours: number, theirs: number): string {
  return `${rounded(ours)} ÷ ${rounded(theirs)} = ${rounded(ours / theirs, 2)}`;
}

function sum(open: readonly OpenGroups[], field: 'inputs' | 'answers' | 'lost' | 'doubled'): number {
  return open.reduce((total, groups) => total + groups[field], 0);
}

/** Rows of cells, each column as wide as its widest; numbers to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
