/** A process of ours that chaos can kill, stop, pause; whatever ends it, it is started again, as a supervisor would. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { sendSignal } from '../../src/local/processes.ts';

type Running = { pid: number; exited: Promise<string>; stop: () => Promise<void> };

export class KeptProcess {
  readonly name: string;
  /** How often it ended though nobody had ended it. */
  deaths = 0;
  /** Largest growth of its memory after its first seconds, over all its lives. */
  memoryGrowthMb = 0;
  readonly #start: () => Promise<Running>;
  #running: Running | undefined;
  #beginning: Promise<void> | undefined;
  #meant = false;
  #over = false;
  #bornAt = 0;
  #firstMb: number | undefined;

  constructor(name: string, start: () => Promise<Running>) {
    this.name = name;
    this.#start = start;
  }

  /**
   * Tries until it runs: what it needs may be away too. Two never start at once: the second would find the port taken.
   * @throws where the very first start fails
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
    void running.exited.then(() => {
      if (this.#meant || this.#over || this.#running !== running) return;
      this.deaths += 1;
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

  #current(): Running {
    if (this.#running === undefined) throw new Error(`${this.name} was never started`);
    return this.#running;
  }
}
