/** Stores received callbacks in SQLite. A callback's key and its effects are written in one transaction. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CallbackPayload } from '../src/client/index.ts'; // in your project: '@parley/client'

export interface Inbox {
  /** Processes a callback. @returns false if its key is already known, so that nothing was done */
  process: (key: string, callback: CallbackPayload) => boolean;
  close: () => void;
}

export function openInbox(file: string): Inbox {
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: 10_000 });
  db.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists processed (key text primary key) strict;
    create table if not exists answers (conversation_id text, text text, failed integer) strict;`);
  const remember = db.prepare('insert into processed (key) values (?) on conflict do nothing');
  const keep = db.prepare('insert into answers (conversation_id, text, failed) values (?, ?, ?)');
  return {
    process: (key, callback) => {
      db.exec('begin immediate');
      try {
        const isNew = remember.run(key).changes === 1;
        // Your work goes here, in the same database. A crash can lose or repeat work outside it, such as an email:
        // store a row for that work here, and do it later from the row.
        if (isNew) {
          const failed = callback.event === 'message.error';
          if (callback.event !== 'approval.requested')
            keep.run(callback.conversation_id, failed ? callback.error : callback.response, Number(failed));
        }
        db.exec('commit');
        return isNew;
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },
    close: () => {
      db.close();
    },
  };
}
