/**
 * The answer to a stored call whose caller waits for it, for up to SYNC_TIMEOUT_SECONDS. The server begins to wait after
 * the handler has ended, so that the call's body, up to 16 MiB, can be collected before.
 */
export class WaitingAnswer<A> {
  readonly wait: (left: AbortSignal) => Promise<A>;

  /**
   * @param wait must come from a function that does not have the call, because a function holds the variables around it;
   * its signal is aborted when the caller disconnects
   */
  constructor(wait: (left: AbortSignal) => Promise<A>) {
    this.wait = wait;
  }
}
