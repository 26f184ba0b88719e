/** One attack: B in calm, B under it, and whether B could notice. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { plantedCopy } from '../chaos/plants.ts';
import { loopbackCertificate } from '../support/receiver-certificate.ts';
import type { Attack } from './attack.ts';
import { startChild, type Child } from './children.ts';
import { foreignShare, readLoad } from './foreign-load.ts';
import { startStand, type Stand } from './stand.ts';
import { kinds, watchNeighbour, type Kind, type Sample } from './watch-neighbour.ts';

export interface Options {
  seconds: number;
  seed: number;
  /** Undoes the fix. */
  planted?: boolean;
  /** Milliseconds that B may always wait, because of other work on the machine. */
  floorMs: number;
}

export interface Timing {
  p50: number;
  p99: number;
  count: number;
}

export interface Result {
  attack: string;
  calm: Record<Kind, Timing>;
  under: Record<Kind, Timing>;
  failed: number;
  /** MiB. */
  growth: { api: number; worker: number };
  restarts: number;
  /** The answers that A got, by status or error, with their number. */
  answers: Record<string, number>;
  /** Share of the machine that other programs used during the attack, 0 to 1. */
  foreign: number;
  /** The breaches that B noticed. */
  breaches: string[];
}

const limitMs = 2000;
const limitTimes = 3;
/** The limits grow at most this many times, even if other programs take more than three quarters of the machine. */
const mostScale = 4;
const limitGrowthMib = 150;

export interface Outside {
  env: NodeJS.ProcessEnv;
  docsToken: string;
  docsPage: string;
  /** What a model is asked shall take its worker with it. */
  onDeadly: (act: () => void) => void;
  end: () => Promise<void>;
}

export async function startOutside(): Promise<Outside> {
  const child = startChild('outside.ts');
  const { modelUrl, names, docsUrl, docsToken, docsPage } = await child.hear('ready');
  const folder = mkdtempSync(join(tmpdir(), 'parley-neighbours-'));
  const trusted = join(folder, 'loopback.pem');
  writeFileSync(trusted, loopbackCertificate);
  let deadly: () => void = () => undefined;
  child.on('deadly', () => {
    deadly();
  });
  return {
    env: {
      ...{ MODEL_BASE_URL: modelUrl, MODEL_NAME: 'outside', DOCS_API_URL: docsUrl, DNS_SERVERS: names },
      ...{ DOCS_REQUESTS_PER_SECOND: '1000', DOCS_REQUESTS_BURST: '1000' },
      NODE_EXTRA_CA_CERTS: trusted,
    },
    ...{ docsToken, docsPage },
    onDeadly: (act) => {
      deadly = act;
    },
    end: async () => {
      await child.end();
      rmSync(folder, { recursive: true });
    },
  };
}

export async function runAttack(attack: Attack, outside: Outside, options: Options): Promise<Result> {
  const { plant } = attack;
  const copy =
    options.planted && plant.edits
      ? plantedCopy({ edits: plant.edits })
      : { root: undefined, remove: () => undefined };
  try {
    const stand = await startStand({
      ...(copy.root !== undefined && { root: copy.root }),
      env: { ...outside.env, ...attack.env, ...(options.planted && plant.env) },
    });
    try {
      if (options.planted && plant.sql !== undefined) await stand.db.pool.query(plant.sql);
      return await runOn(stand, attack, outside, options);
    } finally {
      await stand.stop();
    }
  } finally {
    copy.remove();
  }
}

async function runOn(stand: Stand, attack: Attack, outside: Outside, options: Options): Promise<Result> {
  const { seed, floorMs } = options;
  const seconds = Math.max(options.seconds, attack.leastSeconds ?? 0);
  const given = (await attack.seed?.(stand)) ?? {};
  const neighbour = await watchNeighbour(stand.b, attack.mayWaitMs);
  const attacker: Child = startChild('attacker.ts');
  const { name } = attack;
  const { origin, a } = stand;
  const most = { api: 0, worker: 0 };
  const look = () => {
    const now = stand.resident();
    for (const key of ['api', 'worker'] as const) most[key] = Math.max(most[key], now[key]);
  };
  const sampling = setInterval(look, 100);
  try {
    attacker.tell({
      type: 'prepare',
      name,
      target: {
        origin,
        token: a.token,
        docsToken: outside.docsToken,
        docsPage: outside.docsPage,
        seed,
        given,
      },
    });
    await attacker.hear('prepared');
    await neighbour.warmUp();
    await delay(Math.max(3, seconds / 2) * 1000);
    look();
    const calmMib = { ...most };
    const from = performance.now();
    outside.onDeadly(() => {
      stand.kill('worker');
    });
    const load = readLoad();
    attacker.tell({ type: 'attack', name, seconds });
    const { answers, error } = await attacker.hear('over');
    // The remains of the attack must not disturb B either.
    await delay(1000);
    await neighbour.stop();
    look();
    const growth = { api: most.api - calmMib.api, worker: most.worker - calmMib.worker };
    const foreign = foreignShare(load, readLoad());
    const scale = Math.min(mostScale, 1 / (1 - Math.min(0.99, foreign)));
    const { samples } = neighbour;
    const calm = timings(samples.filter(({ at }) => at < from));
    const under = timings(samples.filter(({ at }) => at >= from));
    const restarts = stand.restarts();
    const failures = samples.filter(({ failed }) => failed !== undefined);
    const breaches = [
      ...kinds.flatMap((kind) => {
        const limit =
          attack.mayWaitMs ??
          Math.min(limitMs * scale, Math.max(floorMs * scale, limitTimes * calm[kind].p99));
        if (under[kind].p99 <= limit) return [];
        return [`${kind}: p99 ${under[kind].p99} ms, over ${Math.round(limit)}; ${calm[kind].p99} in calm`];
      }),
      ...failures.slice(0, 3).map(({ kind, failed }) => `a ${kind} call failed: ${failed}`),
      ...(['api', 'worker'] as const).flatMap((one) =>
        growth[one] <= limitGrowthMib ? [] : [`the ${one} grew by ${Math.round(growth[one])} MiB`],
      ),
      ...(restarts <= (attack.mayRestart ?? 0) ? [] : [`${restarts} restarts`]),
      ...((await attack.check?.(stand)) ?? []),
      ...(error === undefined ? [] : [`the attack itself failed: ${error}`]),
      ...(Object.keys(answers).length === 0 ? ['the attack got no answer at all'] : []),
    ];
    return {
      ...{ attack: name, calm, under, failed: failures.length, growth, restarts, answers, breaches },
      foreign,
    };
  } finally {
    clearInterval(sampling);
    await attacker.end();
    await neighbour.stop();
  }
}

function timings(samples: readonly Sample[]): Record<Kind, Timing> {
  const of = (kind: Kind): Timing => {
    const sorted = samples
      .filter((one) => one.kind === kind)
      .map(({ ms }) => Math.round(ms))
      .sort((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { p50: at(0.5), p99: at(0.99), count: sorted.length };
  };
  return { sync: of('sync'), stream: of('stream'), callback: of('callback') };
}
