import { queryRows, type Database, type Statement } from './database.ts';

const unfetched: Statement = {
  name: 'unfetched-attachment',
  text: `select f.url, f.size, c.target_id as "channelAgentId" from attachments f join conversations c on c.id = f.conversation_id
           where f.id = $1 and f.url is not null and f.content is null and f.error is null`,
};

export interface UnfetchedFile {
  url: string;
  /** Bytes, where the sender said so. */
  size: number | null;
  /** The agent whose channel it came through, if it came through one. */
  channelAgentId: string;
}

export async function findUnfetched(db: Database, id: string): Promise<UnfetchedFile | undefined> {
  const [row] = await queryRows<UnfetchedFile>(db, unfetched, [id]);
  return row;
}

const keep: Statement = {
  name: 'keep-attachment',
  text: `update attachments set content = $2::bytea, size = coalesce(length($2::bytea), size), content_type = coalesce(content_type, $3), error = $4
           where id = $1 and content is null and error is null`,
};

export async function keepFetched(
  db: Database,
  id: string,
  fetched: { content?: Buffer; contentType?: string; error?: string },
): Promise<void> {
  await queryRows(db, keep, [
    id,
    fetched.content ?? null,
    fetched.contentType ?? null,
    fetched.error ?? null,
  ]);
}
