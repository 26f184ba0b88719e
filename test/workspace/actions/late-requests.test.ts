/** Requests that leave late: nobody who looks for what they wrote may look too early. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { WorkspaceHeldBack } from '../../../src/workspace/client/failures.ts';
import { createWorkspace } from '../../../src/workspace/client/workspace.ts';
import { Harness, MemoryStepLog } from './support/workspace-harness.ts';

describe('A request to the workspace that is late', () => {
  let harness: Harness;
  before(async () => {
    harness = await Harness.start();
  });
  after(() => harness.emulator.stop());
  beforeEach(() => {
    harness.emulator.requests.length = 0;
  });

  /** Longer than a stall of the machine, which must not hold back the first request. */
  const maxDelayMs = 2000;

  it('is not sent if the wait for the rate limit took too long', async () => {
    const { url, tokens, requests } = harness.emulator;
    const limiter = { acquire: () => delay(maxDelayMs + 50) };
    const docs = createWorkspace({ apiUrl: url, token: tokens.main, limiter, maxDelayMs });
    await assert.rejects(docs.retrieveSelf(), WorkspaceHeldBack);
    assert.equal(requests.length, 0);
  });

  it('is not sent again after a 401 if the renewal of the token took too long', async () => {
    const { url, tokens, requests } = harness.emulator;
    const renewToken = async () => {
      await delay(maxDelayMs + 50);
      return { token: tokens.main };
    };
    const docs = createWorkspace({ apiUrl: url, token: 'refused', renewToken, maxDelayMs });
    await assert.rejects(docs.retrieveSelf(), WorkspaceHeldBack);
    assert.equal(requests.length, 1);
  });

  it('is looked for again if it may have arrived during the first look-up', async () => {
    const { requests, ids } = harness.emulator;
    // A dead worker has claimed the send. Its request may arrive until the look-up has begun, and not afterwards.
    let before = 0;
    const hasLookedUp = () => requests.length > before;
    class DeadWorkersLog extends MemoryStepLog {
      override get(name: string) {
        if (name.endsWith('/ended')) before = requests.length;
        return super.get(name);
      }
      override claim() {
        return Promise.resolve('already_claimed' as const);
      }
      override claimedMsAgo() {
        return Promise.resolve(hasLookedUp() ? 66_000 : 64_000);
      }
    }
    const run = harness.run(
      'DOCS_CREATE_DOCS_PAGE',
      { title: 'Late', parent_id: ids.home },
      { steps: new DeadWorkersLog(), settleMs: 65_000, attempts: 1 },
    );
    await assert.rejects(run, { name: 'StillInProgress', retryAfterMs: 1000 });
    assert.ok(hasLookedUp());
    assert.ok(!requests.some(({ method, path }) => method === 'POST' && path === '/v1/pages'));
  });
});
