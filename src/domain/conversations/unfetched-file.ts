/** Why a file of a message is not stored: a state for programs, and a text for the model, an action or an export. */

export interface UnfetchedFileState {
  /** `later`: the file is fetched again once no run waits for it. All other states are final. */
  state: 'later' | 'too_large' | 'storage_full' | 'unavailable';
  error: string;
}

export const tooLarge: UnfetchedFileState = { state: 'too_large', error: 'not fetched: too large' };
export const storageFull: UnfetchedFileState = { state: 'storage_full', error: 'not fetched: storage full' };

/**
 * @returns the state of a file that is fetched again once no run waits for it
 * @param why appears in the error
 */
export function fetchedLater(why: string): UnfetchedFileState {
  return { state: 'later', error: `not fetched for now: ${why}` };
}

/**
 * @returns the state of a file that is never fetched again
 * @param why appears in the error
 */
export function unavailable(why: string): UnfetchedFileState {
  return { state: 'unavailable', error: `not fetched: ${why}` };
}
