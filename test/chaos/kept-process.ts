/** A process of ours that chaos can kill, stop, pause; whatever ends it, it is started again, as a supervisor would. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { sendSignal } from '../../src/local/processes.ts';

type Running = { pid: number; exited: Promise<string>; stop: () => Promise<void> };

export class KeptProcess {
  readonly name: string;
  /** Each time that it exited although no fault had ended it: how, and the end of its log. */
  readonly deaths: string[] = [];
  /** Largest growth of its memory after its first seconds, over all its lives. */
  memoryGrowthMb = 0;
  readonly #start: () => Promise<Running>;
  readonly #log: string | undefined;
  #running: Running | undefined;
  #beginning: Promise<void> | undefined;
  #meant = false;
  #over = false;
  #bornAt = 0;
  #firstMb: number | undefined;

  /** @param log the file of its output, quoted if it exits without being stopped */
  constructor(name: string, start: () => Promise<Running>, log?: string) {
    this.name = name;
    this.#start = start;
    this.#log = log;
  }

  /**
   * Tries until it runs: what it needs may be away too. Two never start at once: the second would find the port taken.
   * @throws if the very first start fails
   */
  async begin(): Promise<void> {
    this.#beginning ??= this.#tryToBegin().finally(() => {
      this.#beginning = undefined;
    });
    await this.#beginning;
  }

  async #tryToBegin(): Promise<void> {
    for (let wait = 50; !this.#over; wait = Math.min(wait * 2, 1000)) {
      try {
        this.#running = await this.#start();
        break;
      } catch (error) {
        if (this.#running === undefined) throw error;
        await delay(wait);
      }
    }
    const running = this.#running;
    if (running === undefined) return;
    this.#meant = false;
    this.#bornAt = Date.now();
    this.#firstMb = undefined;
    void running.exited.then((how) => {
      if (this.#meant || this.#over || this.#running !== running) return;
      this.deaths.push(`${this.name}: ${how}\n${this.#lastLines()}`);
      void this.begin();
    });
  }

  /** @param signalled called at the moment of the signal. Returns once it runs again. */
  async kill(signalled?: () => void): Promise<void> {
    await this.#beginning;
    this.#meant = true;
    const { pid, exited } = this.#current();
    signalled?.();
    sendSignal(pid, 'SIGKILL');
    await exited;
    await this.begin();
  }

  /** SIGTERM, as a deploy does. */
  async restart(): Promise<void> {
    await this.#beginning;
    this.#meant = true;
    await this.#current().stop();
    await this.begin();
  }

  async pause(ms: number): Promise<void> {
    const { pid } = this.#current();
    sendSignal(pid, 'SIGSTOP');
    await delay(ms);
    sendSignal(pid, 'SIGCONT');
  }

  /** Called every now and then: what it holds after twelve seconds is its own; more than that has grown. */
  sampleMemory(): void {
    const { pid } = this.#current();
    if (Date.now() - this.#bornAt < 12_000) return;
    try {
      const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      // While it ends it holds none.
      if (rss === undefined) return;
      const mb = Number(rss) / 1024;
      this.#firstMb ??= mb;
      this.memoryGrowthMb = Math.max(this.memoryGrowthMb, mb - this.#firstMb);
    } catch {
      // It is being replaced.
    }
  }

  async end(): Promise<void> {
    this.#over = true;
    this.#meant = true;
    await this.#beginning?.catch(() => undefined);
    if (this.#running === undefined) return;
    sendSignal(this.#running.pid, 'SIGCONT');
    sendSignal(this.#running.pid, 'SIGKILL');
    await this.#running.exited;
  }

  #lastLines(): string {
    if (this.#log === undefined || !existsSync(this.#log)) return '';
    return readFileSync(this.#log, 'utf8').split('\n').slice(-12).join('\n').slice(-4000);
  }

  #current(): Running {
    if (this.#running === undefined) throw new Error(`${this.name} was never started`);
    return this.#running;
  }
}
