/** Waits for the signals that stop a process, and exchanges IPC messages with its supervisor if it has one. */

/**
 * Maximum milliseconds for which the API waits for requests in progress after a stop signal. It then closes their
 * connections. Chosen. The stop timeout of an API container must be longer.
 */
export const apiDrainMs = 8000;
/**
 * Milliseconds for which a worker's activities may continue after a stop signal, before they are cancelled. Chosen.
 * Five seconds later, the worker abandons them. Callbacks in progress may then take another CALLBACK_TIMEOUT_SECONDS.
 * The stop timeout of a worker container must be longer than the sum of these three times.
 */
export const workerGraceMs = 20_000;

/** Resolves at SIGTERM or SIGINT, or when the IPC channel closes, for example because the supervisor has exited. */
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

export function onParentMessage(type: string, handle: (message: object) => void): void {
  process.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'type' in message && message.type === type)
      handle(message);
  });
}
