import assert from 'node:assert/strict';
import type { RoundFigures } from './compare.ts';
import { lastLine } from './peers.ts';
import { columns, figuresOf, ratioOf, tableOf, type Measured } from './report.ts';
import { figuresByShare, tableByShare, type ByShare } from './report-by-share.ts';
import { perTurn } from './turn-cost.ts';

const round = (turnsPerSecond: number, overheadP50: number): RoundFigures => ({
  turnsPerSecond,
  turns: turnsPerSecond * 5,
  overheadP50,
  overheadP95: overheadP50 * 2,
  ackP50: 5,
  ackP95: 9,
  burstOverheadP50: 100,
  burstOverheadP95: 200,
  cpu: { api: 1, worker: 4 },
});
const rate = { perSecond: 1000, p50: 2 };
const open = { perSecond: 500, p50: 3, inputs: 100, answers: 10, lost: 0, doubled: 0 };
const measured: Measured = {
  rounds: {
    product: [round(60, 30), round(20, 90), round(80, 20)],
    bare: [round(50, 25), round(10, 80), round(100, 40)],
  },
  history: { product: { events: 9, bytes: 1400 }, bare: { events: 15, bytes: 2200 } },
  open: [open, { ...open, perSecond: 700, lost: 1 }],
  reads: [rate, rate],
  insert: rate,
  signalNew: rate,
  signalSame: rate,
  long: { early: 80, late: 84, ratio: 1.05 },
  idle: { conversations: 100, before: 1e6, after: 2e6, byProcess: {}, bytes: 1e4 },
  peers: { 'plain-temporal': { turns_per_s: 30, overhead_ms_p50: 60, ack_ms_p50: 10 } },
  load: [0.5, 2.1],
};

describe('the report of a benchmark', () => {
  it('has every field of the contract, as numbers', () => {
    const figures = figuresOf(measured);
    const contract = [
      ...[
        'turns_per_s',
        'bare_turns_per_s',
        'overhead_ms_p50',
        'overhead_ms_p95',
        'ack_ms_p50',
        'ack_ms_p95',
      ],
      ...[
        'history_bytes_per_turn',
        'events_per_turn',
        'turn_1000_vs_10_ratio',
        'idle_conversation_rss_bytes',
      ],
    ];
    for (const field of contract) assert.equal(typeof figures[field], 'number', field);
    assert.equal(figures['turns_per_s'], 60);
    assert.equal(figures['bare_turns_per_s'], 50);
    assert.equal(figures['open_group_inputs_lost'], 1);
    assert.equal(figures['open_group_inputs_vs_reads_ratio'], 0.6);
    assert.deepEqual(figures['vs_plain_temporal'], { turns_per_s: 2, overhead_ms_p50: 0.5, ack_ms_p50: 0.5 });
  });

  it('takes ratios within a round before their median: a disturbed round disturbs both sides of it', () => {
    // 1.2, 2 and 0.8.
    assert.equal(ratioOf(measured.rounds, 'turnsPerSecond'), 1.2);
  });

  it('shows medians with the lowest and the highest round', () => {
    const table = tableOf(measured);
    assert.match(table, /turns\/s, burst\s+60 \(20–80\)\s+50 \(10–100\)\s+1\.2/);
    assert.match(table, /beside plain-temporal: turns\/s 60 ÷ 30 = 2/);
  });

  it('compares by share of users who return: with bare Temporal within each round, and with other engines', () => {
    const all: ByShare = {
      rounds: [
        { share: 1, seen: 0.98, of: { product: round(80, 10), bare: round(40, 40), cold: round(50, 30) } },
        { share: 1, seen: 1, of: { product: round(20, 30), bare: round(20, 30), cold: round(10, 60) } },
        { share: 1, seen: 1, of: { product: round(60, 20), bare: round(20, 40), cold: round(30, 20) } },
      ],
      load: [1, 2],
    };
    const peers = { dbos: { turns_per_s: 120, overhead_ms_p50: 10, ack_ms_p50: 2.5 } };
    const figures = figuresByShare(all, peers)['returning_1'];
    // 2, 1 and 3; 1.6, 2 and 2; 60 ÷ 120.
    assert.deepEqual(
      [
        figures?.['share'],
        figures?.['turns_per_s_ratio'],
        figures?.['turns_per_s_vs_cold'],
        figures?.['vs_dbos_turns_per_s'],
      ],
      [1, 2, 2, 0.5],
    );
    assert.match(
      tableByShare(all, peers),
      /turns\/s, burst\s+60 \(20–80\)\s+20 \(20–40\)\s+30 \(10–50\)\s+2\s+2/,
    );
  });

  it('sets columns as wide as their widest cell', () => {
    assert.equal(
      columns([
        ['a', 'long head'],
        ['bcd', '1'],
      ]),
      'a     long head\nbcd           1',
    );
  });

  it('reads what another engine printed last, and nothing else', () => {
    const line = '{"engine":"x","turns_per_s":4,"overhead_ms_p50":5,"ack_ms_p50":6}';
    assert.equal(lastLine(`noise\n${line}\n`).turns_per_s, 4);
    assert.throws(() => lastLine('{"turns_per_s":"many"}'));
  });

  it('shares CPU time out over the turns, by process', () => {
    assert.deepEqual(perTurn({ api: 100, worker: 0 }, { api: 300, worker: 50 }, 10), { api: 20, worker: 5 });
  });
});
