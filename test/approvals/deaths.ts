/** Lets processes of a stack die between their statements, and starts them again, as a supervisor would. */
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../src/local/processes.ts';
import type { Random } from '../chaos/random.ts';
import type { OwnProcess } from '../support/own-process.ts';
import type { Stack } from '../support/stack.ts';
import type { Death } from './die-at-statement.ts';

/** The statements of a message, a tool call and a decision, in the order in which they run. */
const statements = {
  worker: [
    ...['claim-run', 'record-step', 'begin-attempt', 'claim-tool-call', 'settle-approval', 'commit'],
    ...['open-tool-execution', 'claim-tool-step', 'finish-tool-call', 'forget-attempts'],
  ],
  api: [
    'accept-input',
    'name-of-deciding-token',
    'decide-approval',
    'find-approval',
    'record-audit',
    'commit',
  ],
} as const;
type Program = keyof typeof statements;

interface Kept {
  program: Program;
  process: OwnProcess;
  death?: Death | undefined;
  /** Ends when the process is no longer started again. */
  life?: Promise<void>;
}

export class Deaths {
  readonly byMoment: Record<string, number> = {};
  readonly #kept: Kept[];
  readonly #random: Random;
  readonly #say: (line: string) => void;
  readonly #moments: Record<Program, Omit<Death, 'nth'>[]> = { worker: [], api: [] };
  /** How often a process sees the statement of its death at most. */
  readonly #maxNth: number;
  #left: number;
  #env: NodeJS.ProcessEnv = {};
  #isOver = false;
  #isDeploying = false;

  /**
   * @param options.kills how often a process dies, of all together
   * @param options.approvals the kills are spread over so many
   */
  constructor(
    { apis, workers }: Stack,
    random: Random,
    options: { kills: number; approvals: number; say: (line: string) => void },
  ) {
    this.#random = random;
    this.#left = options.kills;
    this.#say = options.say;
    this.#maxNth = Math.ceil((2 * options.approvals) / Math.max(1, options.kills));
    const kept = (program: Program) => (process: OwnProcess) => ({ program, process });
    this.#kept = [...workers.map(kept('worker')), ...apis.map(kept('api'))];
  }

  get count(): number {
    return Object.values(this.byMoment).reduce((sum, one) => sum + one, 0);
  }

  /** Kills each process once, and starts it with the moment of its death. */
  begin(): void {
    if (this.#left === 0) return;
    for (const one of this.#kept) one.life = this.#keep(one);
  }

  /** Kills a worker now, if a process may die. */
  killWorker(): void {
    const workers = this.#kept.filter(({ program }) => program === 'worker');
    const { process: victim } = this.#random.pick(workers);
    if (this.#left === 0 || this.#isOver || this.#isDeploying || !isAlive(victim.pid)) return;
    this.#left -= 1;
    this.#countDeath('worker during the tool call');
    process.kill(victim.pid, 'SIGKILL');
  }

  /** Starts each process again with these settings, one after the other, and lets none die meanwhile. */
  async deploy(env: NodeJS.ProcessEnv): Promise<void> {
    this.#env = env;
    this.#isDeploying = true;
    for (const one of this.#kept) {
      if (isAlive(one.process.pid)) await one.process.stop();
      await this.#start(one, undefined);
    }
    this.#isDeploying = false;
  }

  /** Stops killing processes. Returns once all run. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#kept.map(async ({ life }) => await life));
    for (const one of this.#kept) {
      // A moment that has not come yet could still come.
      if (one.death === undefined) continue;
      if (isAlive(one.process.pid)) await one.process.kill();
      await this.#start(one, undefined);
    }
  }

  /** For a stack that is stopped afterwards, whatever has failed. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#kept.map(async ({ life }) => await life?.catch(() => undefined)));
  }

  async #keep(one: Kept): Promise<void> {
    await this.#start(one, undefined, true);
    while (!this.#isOver) {
      await delay(20);
      if (this.#isDeploying || isAlive(one.process.pid)) continue;
      if (one.death !== undefined) this.#countDeath(momentOf(one.program, one.death));
      await this.#start(one, this.#nextDeath(one.program));
    }
  }

  async #start(one: Kept, death: Death | undefined, killFirst = false): Promise<void> {
    if (killFirst && isAlive(one.process.pid)) {
      one.death = this.#nextDeath(one.program);
      await one.process.kill();
    } else one.death = death;
    const env = { ...this.#env, ...(one.death && { DIE_AT: JSON.stringify(one.death) }) };
    // A worker may die before it reports that it runs: then it is found dead, and started again.
    await one.process.start(env).catch(() => undefined);
  }

  #nextDeath(program: Program): Death | undefined {
    if (this.#left === 0) return undefined;
    this.#left -= 1;
    if (this.#moments[program].length === 0) this.#moments[program] = this.#shuffled(program);
    const moment = this.#moments[program].pop();
    return moment && { ...moment, nth: this.#random.whole(1, this.#maxNth) };
  }

  #shuffled(program: Program): Omit<Death, 'nth'>[] {
    return statements[program]
      .flatMap((statement) => (['before', 'after'] as const).map((at) => ({ statement, at })))
      .map((moment) => ({ moment, place: this.#random.next() }))
      .sort((first, second) => first.place - second.place)
      .map(({ moment }) => moment);
  }

  #countDeath(moment: string): void {
    this.byMoment[moment] = (this.byMoment[moment] ?? 0) + 1;
    this.#say(`killed: ${moment}`);
  }
}

function momentOf(program: Program, { statement, at }: Death): string {
  return `${program} ${at} ${statement}`;
}
