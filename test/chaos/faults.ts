/** Applies the planned faults to a stand, and records when each component was back. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { metBy } from './check-kills.ts';
import { operatorFault } from './operator-faults.ts';
import type { FaultRecord } from './observed.ts';
import type { FaultKind, PlannedFault } from './plan-faults.ts';
import type { Stand } from './stand.ts';

/** Callbacks and replies that the other side is holding. */
export type UnderWay = { callbacks: () => number; replies: () => number };
/** Calls of the API: those in progress, and those answered with a 2xx. */
export type CallsMade = { busy: () => number; taken: () => number };

/** Milliseconds that a kill waits until such work is in progress. */
const patienceMs = 20_000;
const wantedInFlight = 3;
const wantedCalls = 8;

export class FaultInjector {
  readonly records: FaultRecord[] = [];
  readonly #stand: Stand;
  readonly #underWay: UnderWay;
  readonly #callers: CallsMade;
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor(stand: Stand, underWay: UnderWay, callers: CallsMade) {
    this.#stand = stand;
    this.#underWay = underWay;
    this.#callers = callers;
  }

  /** @param startedAt epoch ms that the plan counts from. Returns when all is back. */
  async run(plan: readonly PlannedFault[], startedAt: number): Promise<void> {
    await Promise.all(
      plan.map(async (fault) => {
        await delay(Math.max(0, startedAt + fault.atMs - Date.now()));
        await this.#do(fault);
      }),
    );
  }

  async #do(fault: PlannedFault): Promise<void> {
    const { kind, which } = fault;
    const record: FaultRecord = {
      ...{ kind, at: Date.now(), backAt: 0 },
      ...{ inFlight: 0, sendsInFlight: 0, callsInFlight: 0 },
    };
    const note = (more: Partial<FaultRecord>) => Object.assign(record, more);
    try {
      note({ ...(await this.#acts[kind](fault, note)) });
    } catch (error) {
      note({ skipped: `${kind} ${which}: ${String(error).slice(0, 200)}` });
    }
    record.backAt = Date.now();
    this.records.push(record);
  }

  /** One at a time does something to a component. */
  async #alone<T>(component: string, act: () => Promise<T>): Promise<T> {
    const before = this.#busy.get(component) ?? Promise.resolve();
    const mine = before.then(act, act);
    this.#busy.set(
      component,
      mine.catch(() => undefined),
    );
    return await mine;
  }

  #held(): Pick<FaultRecord, 'inFlight' | 'sendsInFlight' | 'callsInFlight'> {
    return {
      ...{ inFlight: this.#underWay.callbacks(), sendsInFlight: this.#underWay.replies() },
      callsInFlight: this.#callers.busy(),
    };
  }

  /**
   * Waits for the moment that a kill is worth most.
   * @throws Error if the kill would prove nothing, because nothing is in flight even then
   */
  async #untilBusy(kind: FaultKind, isBusy: () => boolean): Promise<void> {
    const end = Date.now() + patienceMs;
    while (!isBusy() && Date.now() < end) await delay(5);
    // Less than was wanted, but something.
    while (metBy(kind, this.#held()) === 0 && Date.now() < end) await delay(5);
    if (metBy(kind, this.#held()) === 0) throw new Error('nothing was in flight');
  }

  readonly #isBusy = (): boolean => {
    const { inFlight, sendsInFlight } = this.#held();
    return inFlight + sendsInFlight >= wantedInFlight;
  };

  readonly #acts: Record<
    FaultKind,
    (
      fault: PlannedFault,
      note: (more: Partial<FaultRecord>) => void,
    ) => Promise<Partial<FaultRecord> | undefined>
  > = {
    workerKill: async ({ which }, note) => {
      const worker = oneOf(this.#stand.workers, which);
      await this.#alone(worker.name, async () => {
        await this.#untilBusy('workerKill', this.#isBusy);
        await worker.kill(() => {
          note({ at: Date.now(), ...this.#held() });
        });
      });
    },
    apiKill: async ({ which }, note) => {
      const api = oneOf(this.#stand.apis, which);
      await this.#alone(api.name, async () => {
        // A slow machine's API must come to something between two kills.
        const before = this.#callers.taken();
        const isWorthIt = () => this.#callers.busy() > 0 && this.#callers.taken() >= before + wantedCalls;
        await this.#untilBusy('apiKill', isWorthIt);
        // Somewhere between its first byte and its last.
        await delay(Math.random() * 12);
        await this.#untilBusy('apiKill', () => true);
        note({ at: Date.now(), ...this.#held() });
        await api.kill();
      });
    },
    temporalKill: async (_, note) => {
      await this.#alone('temporal', async () => {
        await this.#untilBusy('temporalKill', () => true);
        note({ at: Date.now(), ...this.#held() });
        await this.#stand.temporal.kill();
      });
    },
    postgresKill: async (_, note) => {
      await this.#alone('postgres', async () => {
        await this.#untilBusy('postgresKill', () => true);
        note({ at: Date.now(), ...this.#held() });
        await this.#stand.postgres.kill();
      });
    },
    backendKill: async () => {
      await this.#alone('postgres', async () => {
        await this.#stand.db.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley' and pid <> pg_backend_pid() order by random() limit 3",
        );
      });
    },
    poolExhausted: async ({ forMs }) => {
      await this.#alone('postgres', async () => {
        const taken: pg.Client[] = [];
        try {
          for (let index = 0; index < 400; index++) {
            const client = new pg.Client({ connectionString: this.#stand.databaseUrl });
            client.on('error', () => undefined);
            await client.connect();
            taken.push(client);
          }
        } catch {
          // No connection is left: that is what was wanted.
        }
        await this.#stand.db.pool.query('select 1').catch(() => undefined);
        await delay(forMs);
        await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
      });
    },
    workerPause: async ({ which, forMs }, note) => {
      const worker = oneOf(this.#stand.workers, which);
      await this.#alone(worker.name, async () => {
        await this.#untilBusy('workerPause', this.#isBusy);
        note({ at: Date.now(), ...this.#held() });
        await worker.pause(forMs);
      });
    },
    workerStall: async ({ which, forMs }, note) => {
      const worker = oneOf(this.#stand.workers, which);
      await this.#alone(worker.name, async () => {
        await this.#untilBusy('workerStall', this.#isBusy);
        note({ at: Date.now(), ...this.#held() });
        await worker.pause(forMs);
      });
    },
    listenCut: async () => {
      await this.#alone('postgres', async () => {
        const end = Date.now() + patienceMs;
        const cut = async () =>
          await this.#stand.db.pool.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %' and pid <> pg_backend_pid()",
          );
        while ((await cut()).rowCount === 0) {
          if (Date.now() > end) throw new Error('no process listened');
          await delay(50);
        }
      });
    },
    postgresLatency: ({ forMs }) => this.#slow('postgresLine', forMs),
    temporalLatency: ({ forMs }) => this.#slow('temporalLine', forMs),
    postgresCut: ({ forMs }) => this.#away('postgresLine', forMs),
    temporalCut: ({ forMs }) => this.#away('temporalLine', forMs),
    postgresFreeze: async ({ forMs }) => {
      await this.#alone('postgresLine', async () => {
        this.#stand.postgresLine.freeze();
        await delay(forMs);
        await this.#stand.postgresLine.restore();
      });
    },
    connectionReset: async ({ which }, note) => {
      const line = which % 2 === 0 ? 'postgresLine' : 'temporalLine';
      note({ line });
      await this.#away(line, 0);
    },
    clockJump: async ({ which, forMs }) => {
      this.#stand.setClock([3600, -3600, 86_400][which % 3]!);
      await delay(forMs);
      this.#stand.setClock(0);
    },
    workflowReset: async (fault) => await operatorFault(this.#stand, fault),
    workflowTerminate: async (fault) => await operatorFault(this.#stand, fault),
    activityReset: async (fault) => await operatorFault(this.#stand, fault),
    rollingRestart: async () => {
      for (const one of [...this.#stand.workers, ...this.#stand.apis]) {
        await this.#alone(one.name, () => one.restart());
      }
    },
  };

  async #slow(line: 'postgresLine' | 'temporalLine', ms: number): Promise<undefined> {
    await this.#alone(line, async () => {
      this.#stand[line].slow(400);
      await delay(ms);
      this.#stand[line].slow(0);
    });
  }

  async #away(line: 'postgresLine' | 'temporalLine', ms: number): Promise<undefined> {
    await this.#alone(line, async () => {
      await this.#stand[line].cut();
      await delay(ms);
      await this.#stand[line].restore();
    });
  }
}

function oneOf<T>(all: readonly T[], which: number): T {
  return all[which % all.length]!;
}
