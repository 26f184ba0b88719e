import type { z } from 'zod';
import type { ConversationRow, conversationsPage } from '../../../../contract/conversations/timeline.ts';

export type InboxPage = z.infer<typeof conversationsPage>;

/**
 * Puts the newest rows, which were read last, before the rows of the loaded pages.
 * @param pages older reads: their rows may have moved since, or no longer fit the filters
 */
export function mergedRows(newest: InboxPage | undefined, pages: readonly InboxPage[]): ConversationRow[] {
  const loaded = pages.flatMap(({ data }) => data);
  if (newest === undefined) return loaded;
  const last = newest.data.at(-1);
  if (newest.next_cursor === null || last === undefined) return newest.data;
  const known = new Set(newest.data.map(({ id }) => id));
  // A loaded row that was active after the last of the newest rows is left out: it is either among the newest rows or
  // no longer in the list.
  return [
    ...newest.data,
    ...loaded.filter(({ id, updated_at }) => !known.has(id) && updated_at <= last.updated_at),
  ];
}
