/** Sends every recorded request to the emulator and gathers both sides' shapes. */
import { startWorkspaceEmulator, type WorkspaceEmulator } from '../emulator.ts';
import { asObject, asString, type Json } from '../json.ts';
import { matchRoute } from '../routes.ts';
import { servedVersions } from '../protocol.ts';
import { IdMap } from './id-map.ts';
import type { Exchange, Recording } from './recording.ts';
import { gather, type Shapes } from './shapes.ts';
import { recordedObjects } from './recorded-objects.ts';
import { StandIns, type Send } from './stand-ins.ts';
import { compareValues, noValues, type Values } from './values.ts';

export interface Outcome {
  sent: number;
  statusEqual: number;
  skipped: Record<string, number>;
  /** Recorded as accepted, refused by the emulator, or the reverse. */
  surprises: string[];
  standIns: number;
  values: Values;
}

export interface Sides {
  recorded: Shapes;
  emulated: Shapes;
}

export async function replay(
  all: readonly Recording[],
): Promise<{ outcome: Outcome; sides: Map<string, Sides> }> {
  const outcome: Outcome = {
    sent: 0,
    statusEqual: 0,
    skipped: {},
    surprises: [],
    standIns: 0,
    values: noValues(),
  };
  const sides = new Map<string, Sides>(
    servedVersions.map((version) => [version, { recorded: new Map(), emulated: new Map() }]),
  );
  const emulator = await startWorkspaceEmulator({ settings: { asyncPolls: 0 } });
  try {
    for (const recording of all) {
      emulator.reset();
      await replayOne(emulator, recording, outcome, sides);
    }
  } finally {
    await emulator.stop();
  }
  return { outcome, sides };
}

function skipReason(exchange: Exchange): string | undefined {
  if (exchange.path === '') return 'not a request to the API';
  if (!servedVersions.includes(exchange.version)) return `version ${exchange.version || 'not recorded'}`;
  if (exchange.status >= 400 && exchange.authorised) return undefined;
  if (matchRoute(exchange.method, new URL(exchange.path, 'http://any').pathname) === undefined) {
    return `endpoint outside the 45 actions: ${exchange.path.split(/[/?]/)[2] ?? ''}`;
  }
  return undefined;
}

async function replayOne(
  emulator: WorkspaceEmulator,
  recording: Recording,
  outcome: Outcome,
  sides: Map<string, Sides>,
): Promise<void> {
  const ids = new IdMap();
  const send = sender(emulator);
  const made = new StandIns(emulator, ids, recordedObjects(recording), send);
  for (const exchange of recording.exchanges) {
    const reason = skipReason(exchange);
    if (reason !== undefined) {
      outcome.skipped[reason] = (outcome.skipped[reason] ?? 0) + 1;
      continue;
    }
    await made.prepare(exchange);
    const path = ids.text(exchange.path);
    const own = await send(
      exchange.method,
      path,
      exchange.version,
      ids.translate(exchange.body),
      exchange.authorised,
    );
    outcome.sent += 1;
    if (own.status === exchange.status) outcome.statusEqual += 1;
    else
      outcome.surprises.push(
        `${recording.name}: ${exchange.method} ${exchange.path} recorded ${exchange.status}, emulated ${own.status}: ${asString(asObject(own.answer)['message'])}`,
      );
    const side = sides.get(exchange.version);
    if (side === undefined || own.status !== exchange.status) continue;
    // Search answers are in no fixed order, so their places say nothing about which object is which.
    if (!exchange.path.startsWith('/v1/search')) ids.learn(exchange.answer, own.answer);
    compareValues(outcome.values, exchange, ids.translate(exchange.answer), own.answer);
    gather(side.recorded, exchange.answer, 'answer');
    gather(side.emulated, own.answer, 'answer');
  }
  outcome.standIns += made.made;
}

function sender(
  emulator: WorkspaceEmulator,
): (...args: [...Parameters<Send>, authorised?: boolean]) => ReturnType<Send> {
  return async (method, path, version, body, authorised = true) => {
    const answer = await fetch(`${emulator.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${authorised ? emulator.tokens.main : 'ntn_unknown'}`,
        'notion-version': version,
        'content-type': 'application/json',
      },
      ...(body === null || method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, answer: (await answer.json()) as Json };
  };
}
