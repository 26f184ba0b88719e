/**
 * Nudges conversations whose input is overdue although no run of theirs is in progress. An API process that ends
 * between the commit of an input and its nudge leaves them so; recovery would find them only several seconds later.
 */
import type { Database } from '../../adapters/postgres/database.ts';
import { findOverdue } from '../../adapters/postgres/conversations/stalled.ts';
import type { ConversationAddress } from '../../adapters/temporal/conversation-workflows.ts';
import { acrossOrganizations } from '../../adapters/postgres/organization-scope.ts';

const everyMs = 1000;
/** Recovery finds what is overdue for longer. */
const overdueMs = { min: 2000, max: 30_000 };
/** A busy worker leaves many inputs overdue, whose nudges were sent; the extra load is limited by these two. */
const maxFound = 200;
const maxPerRound = 20;

/**
 * Looks once a second until `close` is called.
 * @param failed called with the error of a round; the next round looks again
 */
export function nudgeOverdue(
  db: Database,
  nudge: (conversation: ConversationAddress) => Promise<void>,
  failed: (error: unknown) => void,
): { close: () => Promise<void> } {
  /** When each conversation was nudged here, oldest first, so that none is nudged twice for the same input. */
  const nudged = new Map<string, number>();
  const round = async () => {
    const now = performance.now();
    for (const [id, at] of nudged) if (now - at > overdueMs.max) nudged.delete(id);
    const found = await acrossOrganizations(() => findOverdue(db, overdueMs, maxFound));
    for (const conversation of found.filter(({ id }) => !nudged.has(id)).slice(0, maxPerRound)) {
      nudged.set(conversation.id, now);
      await nudge(conversation);
    }
  };
  let looking = Promise.resolve();
  let closed = false;
  const schedule = () => {
    timer = setTimeout(() => {
      looking = round()
        .catch(failed)
        .finally(() => {
          if (!closed) schedule();
        });
    }, everyMs);
  };
  let timer: NodeJS.Timeout | undefined;
  schedule();
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
