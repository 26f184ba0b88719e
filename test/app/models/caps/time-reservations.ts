/**
 * Measures what a cap adds to a call: one reservation and one settlement, each committed to a real Postgres with fsync.
 */
import { randomUUID } from 'node:crypto';
import { reserveCredits, settleCredits } from '../../../../src/adapters/postgres/data/credit-caps.ts';
import {
  changeOrganization,
  createOrganization,
} from '../../../../src/adapters/postgres/accounts/organizations.ts';
import { connectDatabase } from '../../../../src/adapters/postgres/database.ts';
import { backing } from '../../../support/backing.ts';

const actor = { kind: 'system', name: 'a test' } as const;

/** @returns milliseconds of the two statements, the median and the 95th percentile of `count` calls after a warm-up */
export async function timeReservations(count: number): Promise<Record<string, number>> {
  const db = connectDatabase(await (await backing()).freshDatabase(), 4);
  try {
    const { id: organizationId } = await createOrganization(db, 'an organization');
    await changeOrganization(db, organizationId, { credit_caps: { day: 1e9, month: 1e9 } }, actor);
    const reserving: number[] = [];
    const settling: number[] = [];
    for (let made = 0; made < count + 100; made += 1) {
      const id = randomUUID();
      const began = performance.now();
      await reserveCredits(db, { id, organizationId, runId: null, credits: 2, seconds: 100 });
      const reserved = performance.now();
      await settleCredits(db, id, 1);
      if (made < 100) continue;
      reserving.push(reserved - began);
      settling.push(performance.now() - reserved);
    }
    const at = (times: number[], share: number) =>
      Number(times.sort((a, b) => a - b)[Math.floor(share * times.length)]?.toFixed(3));
    return {
      ...{ reserve_ms: at(reserving, 0.5), reserve_p95_ms: at(reserving, 0.95) },
      ...{ settle_ms: at(settling, 0.5), settle_p95_ms: at(settling, 0.95) },
    };
  } finally {
    await db.close();
  }
}
