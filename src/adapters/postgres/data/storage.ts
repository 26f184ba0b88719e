/**
 * Reads how many bytes of files an organization stores, and its limit. A trigger counts the bytes when a file is
 * written, changed or deleted (see `functions/triggers/count_storage.sql`).
 */
import { usage } from '../../../contract/data/usage.ts';
import { queryRows, statement, type Database } from '../database.ts';

const { storage: storageRow } = usage.shape;

/** Reads the size and the limit of an organization's files. @returns undefined if there is no such organization */
export const findStorage = statement('storage', storageRow).row<[organizationId: string]>`
  select coalesce((select bytes from storage_used where organization_id = $1), 0) as used_bytes,
      storage_limit(id) as limit_bytes, storage_limit_megabytes is null as limit_is_default
    from organizations where id = $1`;

const setDefault = statement('default-storage-limit')`
  insert into installation as i (name, value) values ('storage_limit_megabytes', $1)
    on conflict (name) do update set value = excluded.value where i.value <> excluded.value`;

/**
 * Sets the storage limit of the installation, for organizations that have none of their own. Each worker calls this
 * when it starts; the last call wins.
 */
export async function setDefaultStorageLimit(db: Database, megabytes: number): Promise<void> {
  await queryRows(db, setDefault, [String(megabytes)]);
}

/** True if the error is the one with which `count_storage.sql` refuses a file because the storage is full (PS001). */
export function isStorageFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'PS001';
}
