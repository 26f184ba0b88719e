import type { z } from 'zod';
import type { ConversationRow, conversationsPage } from '../../../../contract/conversations/timeline.ts';

export type InboxPage = z.infer<typeof conversationsPage>;

/**
 * Joins the newest rows and the rows of the loaded pages, without duplicates, most recent activity first.
 * @param newest the first page as last read; undefined while it loads
 * @param pages the loaded pages. They may be older than `newest`: since they were read, a row may have moved up or may
 * no longer match the filters
 * @returns the joined rows; if `newest` has no next page, its rows alone
 */
export function mergedRows(newest: InboxPage | undefined, pages: readonly InboxPage[]): ConversationRow[] {
  const loaded = pages.flatMap(({ data }) => data);
  if (newest === undefined) return loaded;
  const last = newest.data.at(-1);
  if (newest.next_cursor === null || last === undefined) return newest.data;
  const known = new Set(newest.data.map(({ id }) => id));
  // Omits a loaded row that is more recent than the last row of `newest`: either `newest` contains it, or it no longer
  // matches the filters.
  return [
    ...newest.data,
    ...loaded.filter(({ id, updated_at }) => !known.has(id) && updated_at <= last.updated_at),
  ];
}
