import assert from 'node:assert/strict';
import { freePort } from '../src/local/ports.ts';
import { useStack } from './support/stack.ts';
import { until } from './support/until.ts';

describe("The worker's health", () => {
  let port: number;
  const stack = useStack(async () => {
    port = await freePort();
    return { env: { WORKER_PORT: String(port) } };
  });
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  it('is ready while it polls and reaches Postgres and Temporal, not ready while it does not, and alive throughout', async () => {
    await until('it to be ready', async () => (await ask('/readyz')).status === 200);
    const { postgresLine, temporalLine } = stack();
    for (const [part, line] of Object.entries({ Postgres: postgresLine, Temporal: temporalLine })) {
      await line.cut();
      const { status, body } = await ask('/readyz');
      assert.equal(status, 503);
      // Neither hosts nor a driver's words.
      assert.deepEqual(body, { status: 'not ready', reason: `${part} does not answer` });
      assert.deepEqual(await ask('/healthz'), { status: 200, body: { status: 'ok' } });
      await line.restore();
      await until('it to be ready again', async () => (await ask('/readyz')).status === 200);
    }
    assert.equal((await ask('/else')).status, 404);
  });
});
