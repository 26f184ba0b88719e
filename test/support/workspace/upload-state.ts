/** When an upload expires: one hour after creation, until it is attached. */
import type { Upload } from './state.ts';
import type { World } from './world.ts';

const hour = 3_600_000;

export function expiryOf(upload: Upload): number | null {
  return upload.attached ? null : upload.createdAt + hour;
}

/** Ends an import that has had its time, and moves a pending or uploaded file that nobody attached to `expired`. */
export function settle(world: World, upload: Upload): void {
  const { importing } = upload;
  if (importing !== null && world.now() >= importing.endsAt) endImport(upload, importing);
  const expiry = expiryOf(upload);
  const open = upload.status === 'pending' || upload.status === 'uploaded';
  if (open && expiry !== null && world.now() >= expiry) upload.status = 'expired';
}

/** The address is never fetched: a path that ends in `missing` fails, all others succeed. */
function endImport(upload: Upload, { url, endsAt }: { url: string; endsAt: number }): void {
  const imported_time = new Date(endsAt).toISOString();
  upload.importing = null;
  upload.editedAt = endsAt;
  if (url.endsWith('missing')) {
    upload.status = 'failed';
    const error = {
      type: 'download_error',
      code: 'validation_error',
      message: 'The external file could not be downloaded.',
      parameter: null,
      status_code: 404,
    };
    upload.importResult = { imported_time, type: 'error', error };
    return;
  }
  upload.status = 'uploaded';
  upload.length = 0;
  upload.importResult = { imported_time, type: 'success', success: {} };
}
