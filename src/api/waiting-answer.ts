/**
 * Returned by a handler whose call waits for its answer after its input is stored, up to SYNC_TIMEOUT_SECONDS. The
 * server starts the wait after the handler has returned, so that the memory of the call's body, up to 16 MiB, can be
 * freed.
 */
export class WaitingAnswer<A> {
  readonly wait: (left: AbortSignal) => Promise<A>;

  /**
   * @param wait waits for the answer; its signal `left` is aborted when the caller disconnects. It must be created in a
   * function that has no access to the call, because a closure keeps the variables of its scope in memory.
   */
  constructor(wait: (left: AbortSignal) => Promise<A>) {
    this.wait = wait;
  }
}
