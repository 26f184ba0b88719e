import { MemoryStepLog } from './workspace-harness.ts';

/** A worker that dies between a write and its record: from that record on nothing is kept, until it is revived. */
export class DyingLog extends MemoryStepLog {
  dying = true;
  #left: number;

  /** @param survived records of writes that are kept before it dies */
  constructor(survived = 0) {
    super();
    this.#left = survived;
  }

  override put(name: string, value: unknown): Promise<void> {
    const ofWrite = this.claims.has(`${name}/send-1`);
    if (this.dying && ofWrite && this.#left-- <= 0) return Promise.reject(new Error('killed'));
    return super.put(name, value);
  }
}
