/**
 * Nudges conversations whose input is overdue although they have no run in progress, for example because an API process
 * ended after the commit of an input and before its nudge. Recovery would find them only several seconds later.
 */
import { type Database } from '../../adapters/postgres/database.ts';
import { acrossOrganizations } from '../../adapters/postgres/organization-scope.ts';
import { findOverdue } from '../../adapters/postgres/conversations/stalled.ts';
import type { ConversationAddress } from '../../adapters/temporal/conversation-workflows.ts';

const everyMs = 1000;
/** Only groups overdue for a time in this range (in milliseconds) are nudged here. Older ones are left to recovery. */
const overdueMs = { min: 2000, max: 30_000 };
/**
 * While workers are busy, many groups are overdue although their nudges were sent. These two limits bound the extra
 * load of a round: groups read, and nudges sent.
 */
const maxFound = 200;
const maxPerRound = 20;

/**
 * Runs a round one second after the previous one has ended, until `close` is called.
 * @param failed called with the error of a round; the rounds continue
 */
export function nudgeOverdue(
  db: Database,
  nudge: (conversation: ConversationAddress) => Promise<void>,
  failed: (error: unknown) => void,
): { close: () => Promise<void> } {
  /**
   * When each conversation was last nudged here (`performance.now()`), oldest first, so that none is nudged twice
   * within `overdueMs.max`.
   */
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
