/** A process's beginning and end: signals, and the supervisor's word where there is one. */

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
