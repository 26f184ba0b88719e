import { queryRows, type Database, type Statement } from './database.ts';

/** How the error of a file begins that no run waits for any more, and that is tried again by and by. */
export const laterError = 'not fetched for now';
const openFile = `f.url is not null and f.content is null and (f.error is null or f.error like '${laterError}%')`;

const unfetched: Statement = {
  name: 'unfetched-attachment',
  text: `select f.url, f.size, f.organization_id as "organizationId", c.target_id as "channelAgentId" from attachments f join conversations c on c.id = f.conversation_id
           where f.id = $1 and ${openFile}`,
};

export interface UnfetchedFile {
  url: string;
  /** Bytes, where the sender said so. */
  size: number | null;
  organizationId: string;
  /** The agent whose channel it came through, if it came through one. */
  channelAgentId: string;
}

export async function findUnfetched(db: Database, id: string): Promise<UnfetchedFile | undefined> {
  const [row] = await queryRows<UnfetchedFile>(db, unfetched, [id]);
  return row;
}

const forLater: Statement = {
  name: 'files-for-later',
  text: `select f.id, m.created_at < clock_timestamp() - interval '2 days' as is_old
           from attachments f join messages m on m.id = f.message_id join runs r on r.id = m.run_id
             join conversations c on c.id = f.conversation_id
           where ${openFile} and r.state not in ('collecting', 'ready', 'running') and c.channel <> 'api'
             and (f.error is null or m.created_at > clock_timestamp() - interval '2 days')
           order by m.created_at limit $1`,
};
/** Of channel messages that no run waits for. `is_old`: the gateway has it no more, if it does not come now. */
export async function findFilesForLater(
  db: Database,
  limit: number,
): Promise<{ id: string; is_old: boolean }[]> {
  return await queryRows<{ id: string; is_old: boolean }>(db, forLater, [limit]);
}

const keep: Statement = {
  name: 'keep-attachment',
  text: `update attachments set content = $2::bytea, size = coalesce(length($2::bytea), size), content_type = coalesce(content_type, $3), error = $4
           where id = $1 and content is null and (error is null or error like '${laterError}%')`,
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

export interface StoredFile {
  filename: string | null;
  content_type: string | null;
  content: Buffer;
}
const stored: Statement = {
  name: 'stored-file',
  text: 'select filename, content_type, content from attachments where id = $1 and content is not null',
};
export async function findFile(db: Database, id: string): Promise<StoredFile | undefined> {
  const [row] = await queryRows<StoredFile>(db, stored, [id]);
  return row;
}
