/** Collects all problems of the given blocks, not only the first, and the changes made to them. */
export type BlockNotes = {
  /** Path and problem. If there is any, nothing may be sent. */
  readonly problems: string[];
  readonly warnings: string[];
};

export const newNotes = (): BlockNotes => ({ problems: [], warnings: [] });
