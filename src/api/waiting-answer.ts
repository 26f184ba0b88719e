/**
 * Makes a call wait for its answer, for up to SYNC_TIMEOUT_SECONDS, after its input is stored. The server starts the
 * wait after the handler has returned this object, so that the memory of the call's body, up to 16 MiB, can be freed.
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
