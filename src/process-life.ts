/** A process's beginning and end: signals, and the supervisor's word where there is one. */

/** Requests under way are waited for so long; then their connections are cut. Whatever stops an API must wait longer. */
export const apiDrainMs = 8000;
/** A worker's activities may go on so long; 5 s later they are given up, and then callbacks under way may take
 *  CALLBACK_TIMEOUT_SECONDS. Whatever stops a worker must wait longer than all of them. */
export const workerGraceMs = 20_000;

/** Resolves at SIGTERM or SIGINT, or when the supervisor is gone. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = () => {
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    process.on('disconnect', stop);
  });
}

export function sendToParent(message: { type: string; port?: number }): void {
  process.send?.(message);
}

export function wordOfParent(type: string, hear: () => void): void {
  process.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'type' in message && message.type === type) hear();
  });
}
