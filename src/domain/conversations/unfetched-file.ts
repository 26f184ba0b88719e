/** The reasons why a file of a message is not stored, each with a state and an error message. */

export interface UnfetchedFileState {
  /**
   * `later`: a round of `watchChannels` fetches the file again once no run waits for it, until its message is two days
   * old. All other states are final.
   */
  state: 'later' | 'too_large' | 'storage_full' | 'unavailable';
  error: string;
}

export const tooLarge: UnfetchedFileState = { state: 'too_large', error: 'not fetched: too large' };
export const storageFull: UnfetchedFileState = { state: 'storage_full', error: 'not fetched: storage full' };

/**
 * @returns the state of a file that a later round of `watchChannels` fetches again
 * @param why the reason, quoted in the error
 */
export function fetchedLater(why: string): UnfetchedFileState {
  return { state: 'later', error: `not fetched for now: ${why}` };
}

/**
 * @returns the state of a file that is never fetched again
 * @param why the reason, quoted in the error
 */
export function unavailable(why: string): UnfetchedFileState {
  return { state: 'unavailable', error: `not fetched: ${why}` };
}
