/** Collects what is wrong with given blocks (all of it, not the first), and what was changed on the way. */
export type BlockNotes = {
  /** Path and problem; any entry means that nothing may be sent. */
  readonly problems: string[];
  readonly warnings: string[];
};

export const newNotes = (): BlockNotes => ({ problems: [], warnings: [] });
