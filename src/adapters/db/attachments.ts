import { queryRows, type Database, type Statement } from './database.ts';

const unfetched: Statement = {
  name: 'unfetched-attachment',
  text: 'select url from attachments where id = $1 and url is not null and content is null and error is null',
};

export async function findUnfetched(db: Database, id: string): Promise<string | undefined> {
  const [row] = await queryRows<{ url: string }>(db, unfetched, [id]);
  return row?.url;
}

const keep: Statement = {
  name: 'keep-attachment',
  text: `update attachments set content = $2, size = length($2), content_type = coalesce(content_type, $3), error = $4
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
