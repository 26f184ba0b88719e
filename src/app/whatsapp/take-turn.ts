/** A turn to send through a gateway instance: short waits here, longer ones by the workflow's timer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { takeGatewayTurn } from '../../adapters/postgres/whatsapp/rates.ts';
import type { GatewayAccess } from '../../adapters/whatsapp/gateway-call.ts';
import type { ActivityDeps } from '../deps.ts';

/** Below the activity's time limit by far, and long enough that most waits write nothing into a history. */
const waitedHereMs = 10_000;
/** Those who wait longer do not all come back at once. */
const spreadMs = 5000;

/** @returns whether it was waited for, or the milliseconds after which to come back for it */
export async function takeTurn(
  { db, channel: { sendsPerMinute } }: ActivityDeps,
  access: GatewayAccess,
): Promise<{ waited: boolean } | { comeBackMs: number }> {
  if (sendsPerMinute === 'off') return { waited: false };
  for (let waitedMs = 0; ;) {
    const wait = await takeGatewayTurn(db, access, sendsPerMinute);
    if (wait === undefined) return { waited: waitedMs > 0 };
    waitedMs += wait;
    if (waitedMs > waitedHereMs) return { comeBackMs: Math.ceil(wait + Math.random() * spreadMs) };
    await sleep(wait, undefined, { signal: cancellationSignal() });
  }
}
