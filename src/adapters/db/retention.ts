/** What has grown older than its organization keeps things. */
import { v7 as newId } from 'uuid';
import { queryRows, type Database, type Statement } from './database.ts';

export interface ExpiredConversation {
  id: string;
  /** What ended before this is to be erased. */
  before: Date;
}

const expired: Statement = {
  name: 'expired-conversations',
  text: 'select id, before from expired_conversations($1)',
};

/** @returns the oldest first */
export async function findExpired(db: Database, limit: number): Promise<ExpiredConversation[]> {
  return await queryRows<ExpiredConversation>(db, expired, [limit]);
}

const erase: Statement = { name: 'erase-expired', text: 'select erase_expired($1, $2, $3)' };

/** The whole conversation, or the oldest part of one that goes on. */
export async function eraseExpiredPart(db: Database, { id, before }: ExpiredConversation): Promise<void> {
  await queryRows(db, erase, [id, before, newId()]);
}
