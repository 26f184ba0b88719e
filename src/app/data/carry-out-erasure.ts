/** Erases what was asked for, a part at a time; repeated after a crash it goes on where it was. */
import type { Database } from '../../adapters/postgres/database.ts';
import {
  eraseContact,
  eraseConversation,
  eraseOrganizationPart,
  findToErase,
  finishErasure,
  postponeErasure,
  type Erasure,
} from '../../adapters/postgres/data/erasures.ts';
import type { ConversationWorkflows } from '../../adapters/temporal/conversation-workflows.ts';

export interface Eraser {
  db: Database;
  workflows: Pick<ConversationWorkflows, 'erase' | 'eraseOfOrganization'>;
}

const conversationsAtOnce = 50;
/** A nudge that was under way may start the workflow again: histories are looked for until none is found so long after. */
const lookAgainSeconds = 20;

/**
 * @param goOn false once the caller has no more time
 * @returns true when the texts are gone; their histories, which hold none, may follow
 */
export async function carryOutErasure(
  eraser: Eraser,
  erasure: Erasure,
  goOn: () => boolean,
): Promise<boolean> {
  const { db, workflows } = eraser;
  const { id, kind, key, organization_id: organizationId } = erasure;
  switch (kind) {
    case 'workflow':
      if (await workflows.erase(key)) await postponeErasure(db, id, lookAgainSeconds);
      else await finishErasure(db, id);
      return true;
    case 'conversation':
      await eraseConversation(db, key);
      await finishErasure(db, id);
      return true;
    case 'contact':
      if (!(await eraseConversations(eraser, erasure, goOn))) return false;
      await eraseContact(db, organizationId, key);
      await finishErasure(db, id);
      return true;
    case 'organization': {
      if (!(await eraseConversations(eraser, erasure, goOn))) return false;
      while (!(await eraseOrganizationPart(db, organizationId))) if (!goOn()) return false;
      if (await workflows.eraseOfOrganization(organizationId, goOn))
        await postponeErasure(db, id, lookAgainSeconds);
      else await finishErasure(db, id);
      return true;
    }
  }
}

/** @returns false when the time was over first */
async function eraseConversations({ db }: Eraser, erasure: Erasure, goOn: () => boolean): Promise<boolean> {
  for (;;) {
    const ids = await findToErase(db, erasure, conversationsAtOnce);
    if (ids.length === 0) return true;
    for (const id of ids) {
      if (!goOn()) return false;
      await eraseConversation(db, id);
    }
  }
}
