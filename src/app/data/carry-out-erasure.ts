/** Carries out an erasure request in parts, so that a call after a crash continues with the rest. */
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
/**
 * Seconds after which an erasure that found workflow histories checks for histories again. A nudge in progress may
 * start a workflow after its history was deleted, so the erasure ends only once it has found none. Chosen.
 */
const recheckSeconds = 20;

/**
 * Erases the requested data until all of it is erased or the time runs out. A repeated call continues with the rest.
 * @param hasTime returns false once the time for this call is over
 * @returns true if all texts are erased; false if the time ran out first. Workflow histories, which contain no text,
 * may be deleted later.
 */
export async function carryOutErasure(
  eraser: Eraser,
  erasure: Erasure,
  hasTime: () => boolean,
): Promise<boolean> {
  const { db, workflows } = eraser;
  const { id, kind, key, organization_id: organizationId } = erasure;
  switch (kind) {
    case 'workflow':
      if (await workflows.erase(key)) await postponeErasure(db, id, recheckSeconds);
      else await finishErasure(db, id);
      return true;
    case 'conversation':
      if (!(await eraseConversation(db, key, hasTime))) return false;
      await finishErasure(db, id);
      return true;
    case 'contact':
      if (!(await eraseConversations(eraser, erasure, hasTime))) return false;
      await eraseContact(db, organizationId, key);
      await finishErasure(db, id);
      return true;
    case 'organization': {
      if (!(await eraseConversations(eraser, erasure, hasTime))) return false;
      while (!(await eraseOrganizationPart(db, organizationId))) if (!hasTime()) return false;
      if (await workflows.eraseOfOrganization(organizationId, hasTime))
        await postponeErasure(db, id, recheckSeconds);
      else await finishErasure(db, id);
      return true;
    }
  }
}

/** Erases one conversation after another. @returns false if the time ran out before all were erased */
async function eraseConversations(
  { db }: Eraser,
  erasure: Erasure,
  hasTime: () => boolean,
): Promise<boolean> {
  for (;;) {
    const ids = await findToErase(db, erasure, conversationsAtOnce);
    if (ids.length === 0) return true;
    for (const id of ids) {
      if (!hasTime() || !(await eraseConversation(db, id, hasTime))) return false;
    }
  }
}
