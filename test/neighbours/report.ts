/** Results as a table for people. */
import type { Result } from './run-attack.ts';

const head = ['attack', 'sync calm', 'under', 'stream calm', 'under', 'callback calm', 'under'];
const more = ['failed', 'API MiB', 'worker MiB', 'restarts', 'others', 'what the attacker got'];

export function tableOf(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const { attack, calm, under, failed, growth, restarts, foreign, answers } = result;
    const times = (['sync', 'stream', 'callback'] as const).flatMap((kind) =>
      [calm[kind], under[kind]].map(({ p50, p99 }) => `${p50}/${p99}`),
    );
    const got = Object.entries(answers)
      .sort(([, one], [, other]) => other - one)
      .map(([answer, count]) => `${answer}×${count}`);
    const figures = [
      failed,
      signed(growth.api),
      signed(growth.worker),
      restarts,
      `${Math.round(foreign * 100)} %`,
    ];
    return [attack, ...times, ...figures.map(String), got.slice(0, 6).join(' ')];
  });
  const lines = [[...head, ...more], ...rows];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const table = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return [
    'p50/p99 in ms; growth against calm; others: what other programs took of the machine',
    ...table,
    ...results.flatMap(breachesOf),
  ].join('\n');
}

function breachesOf({ attack, breaches }: Result): string[] {
  return breaches.map((breach) => `  ! ${attack}: ${breach}`);
}

function signed(mib: number): string {
  const rounded = Math.round(mib);
  return rounded > 0 ? `+${rounded}` : String(rounded);
}
