/**
 * The wait for an answer, for up to SYNC_TIMEOUT_SECONDS, of a call whose input is stored. The server begins to wait
 * after the handler has ended, so that the call's body, up to 16 MiB, does not stay in memory.
 */
export class WaitingAnswer<A> {
  readonly wait: (left: AbortSignal) => Promise<A>;

  /**
   * @param wait must be created outside of the scope of the call, because a function keeps the variables around it in
   * memory. Its signal is aborted when the caller disconnects.
   */
  constructor(wait: (left: AbortSignal) => Promise<A>) {
    this.wait = wait;
  }
}
