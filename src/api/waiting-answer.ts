/**
 * Lets a call wait for its answer, up to SYNC_TIMEOUT_SECONDS, after its input is stored. The server starts the wait
 * only after the handler has returned, so that the call's body, up to 16 MiB, does not stay in memory.
 */
export class WaitingAnswer<A> {
  readonly wait: (left: AbortSignal) => Promise<A>;

  /**
   * @param wait waits for the answer. Must be created in a function without access to the call, because a closure
   * keeps the variables of its scope in memory. The signal `left` is aborted when the caller disconnects.
   */
  constructor(wait: (left: AbortSignal) => Promise<A>) {
    this.wait = wait;
  }
}
