import type { z } from 'zod';
import type { ConversationRow, conversationsPage } from '../../../../contract/conversations/timeline.ts';

export type InboxPage = z.infer<typeof conversationsPage>;

/**
 * Joins the rows of the first page and of all loaded pages, without duplicates, in their order.
 * @param first the first page as last read; undefined while it loads
 * @param pages the loaded pages. They may have been read before `first`: since then, a row may have moved or may no
 * longer match the filters
 * @param sort `oldest`: the rows with the oldest activity are first
 * @returns the joined rows; if `first` has no next page, its rows alone
 */
export function mergedRows(
  first: InboxPage | undefined,
  pages: readonly InboxPage[],
  sort?: string,
): ConversationRow[] {
  const loaded = pages.flatMap(({ data }) => data);
  if (first === undefined) return loaded;
  const last = first.data.at(-1);
  if (first.next_cursor === null || last === undefined) return first.data;
  const known = new Set(first.data.map(({ id }) => id));
  // Omits a loaded row that belongs before the last row of `first`: either `first` contains it, or it no longer matches
  // the filters.
  const follows = (at: string) => (sort === 'oldest' ? at >= last.updated_at : at <= last.updated_at);
  return [...first.data, ...loaded.filter(({ id, updated_at }) => !known.has(id) && follows(updated_at))];
}
