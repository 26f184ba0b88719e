/** `npm run bench:windows [-- 200]`: how long after its window's end a group is claimed, by the database's clock. */
import { setTimeout as delay } from 'node:timers/promises';
import { stopBacking } from '../support/backing.ts';
import { startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { percentile } from './numbers.ts';

const groups = Number(process.argv[2] ?? 200);
const betweenMs = 100;
const stack = await startStack();
try {
  const { api, db } = stack;
  for (const seconds of [0.5, 1, 2.7, 5]) {
    const agent = await api.createAgent({ script: [{ reply: 'ok' }], grouping_window_seconds: seconds });
    for (let sent = 0; sent < groups; sent++) {
      await api.send(agent.id, { message: 'hi' });
      await delay(betweenMs);
    }
    const late = await until(
      'all groups to be answered',
      async () => {
        const rows = await db
          .knex<{ agent_id: string; claimed_at: Date; closes_at: Date; state: string }>('runs')
          .where({ agent_id: agent.id, state: 'answered' });
        return (
          rows.length === groups && rows.map((run) => run.claimed_at.getTime() - run.closes_at.getTime())
        );
      },
      120_000,
    );
    const [p50, p99] = [percentile(late, 0.5), percentile(late, 0.99)];
    console.log(
      `window ${seconds} s, ${groups} groups: closed ${p50} ms late (median), ${p99} ms (99 %), ${Math.max(...late)} ms (most), earliest ${Math.min(...late)} ms`,
    );
  }
} finally {
  await stack.stop();
  await stopBacking();
}
