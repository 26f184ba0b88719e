/** Handles the signals that stop a process, and IPC messages to and from its supervisor if there is one. */

/**
 * Milliseconds after a stop signal until connections with requests in progress are closed. Chosen. The stop timeout of
 * an API container must be longer.
 */
export const apiDrainMs = 8000;
/**
 * Milliseconds for which a worker's activities may continue after a stop signal. Chosen. Five seconds later they are
 * abandoned, and callbacks in progress may take another CALLBACK_TIMEOUT_SECONDS. The stop timeout of a worker
 * container must be longer than the sum.
 */
export const workerGraceMs = 20_000;

/** Resolves at SIGTERM or SIGINT, or when the supervisor has exited. */
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

export function onParentMessage(type: string, handle: () => void): void {
  process.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'type' in message && message.type === type)
      handle();
  });
}
