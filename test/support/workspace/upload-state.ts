/** When an upload expires: one hour after creation, until it is attached. */
import type { Upload } from './state.ts';
import type { World } from './world.ts';

const hour = 3_600_000;

export function expiryOf(upload: Upload): number | null {
  return upload.attached ? null : upload.createdAt + hour;
}

/** Moves a pending or uploaded file that nobody attached to `expired`, by the clock. */
export function settle(world: World, upload: Upload): void {
  const expiry = expiryOf(upload);
  const open = upload.status === 'pending' || upload.status === 'uploaded';
  if (open && expiry !== null && world.now() >= expiry) upload.status = 'expired';
}
