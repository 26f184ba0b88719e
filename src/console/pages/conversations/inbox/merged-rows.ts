import type { z } from 'zod';
import type { ConversationRow, conversationsPage } from '../../../../contract/conversations/timeline.ts';

export type InboxPage = z.infer<typeof conversationsPage>;

/**
 * Puts the newest rows, which were read last, before the rows of the loaded pages.
 * @param pages read before `newest`; since then, a row may have moved up or may no longer match the filters
 */
export function mergedRows(newest: InboxPage | undefined, pages: readonly InboxPage[]): ConversationRow[] {
  const loaded = pages.flatMap(({ data }) => data);
  if (newest === undefined) return loaded;
  const last = newest.data.at(-1);
  if (newest.next_cursor === null || last === undefined) return newest.data;
  const known = new Set(newest.data.map(({ id }) => id));
  // Leaves out a loaded row that is more recent than the last row of `newest`: `newest` contains it, or it no longer
  // matches the filters.
  return [
    ...newest.data,
    ...loaded.filter(({ id, updated_at }) => !known.has(id) && updated_at <= last.updated_at),
  ];
}
