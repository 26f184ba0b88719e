/** Start and end of a process: signals, and messages of the supervisor if there is one. */

/**
 * How long requests in progress may take at a stop before their connections are closed. The stop timeout of an API
 * container must be longer.
 */
export const apiDrainMs = 8000;
/**
 * How long a worker's activities may continue at a stop. Five seconds later they are abandoned, and callbacks in
 * progress may take CALLBACK_TIMEOUT_SECONDS more. The stop timeout of a worker container must be longer than all of
 * these together.
 */
export const workerGraceMs = 20_000;

/** Resolves at SIGTERM or SIGINT, or when the supervisor has ended. */
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
