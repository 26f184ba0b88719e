/** The short form of `npm run test:rolling`, and what keeps its unsafe form from being deployed. */
import assert from 'node:assert/strict';
import { bundleForReplay } from '../../workflows/replay/bundle-for-replay.ts';
import { recordedStories } from '../../workflows/replay/recorded-stories.ts';
import { replayHistories } from '../../workflows/replay/replay-histories.ts';
import { useStack } from '../../support/stack.ts';
import { nextVersion, type Change } from './changed-workflows.ts';
import { rollingDeploy, untilTaken } from './deploy.ts';

describe('A caller during a rolling deploy', () => {
  const answering = (answers: number[]) => async () => {
    const status = answers.shift() ?? assert.fail('called again');
    return status === 0 ? await Promise.reject(new Error('the connection was lost')) : status;
  };

  it('calls again after a lost connection and after 503', async () => {
    const answers = [0, 503, 202];
    await untilTaken('a', answering(answers));
    assert.deepEqual(answers, []);
  });

  for (const status of [500, 502, 504, 401, 404, 429, 200])
    it(`has met a failure of the deploy if it is answered with ${status}`, async () => {
      await assert.rejects(untilTaken('a', answering([503, status])), new RegExp(`message a: ${status}$`));
    });
});

describe('A rolling deploy with a change of the workflow code', () => {
  const stack = useStack({ apis: 2, workers: 2 });

  it('leaves no open conversation stuck, loses no message and repeats none', async () => {
    const next = nextVersion('safe');
    try {
      const deploy = await rollingDeploy({
        ...{ stack: stack(), conversations: 12, bundlePath: await next.bundlePath(), patienceMs: 60_000 },
      });
      const { stuck, lost, repeated, changed } = deploy;
      assert.deepEqual({ stuck, lost, repeated }, { stuck: 0, lost: 0, repeated: 0 });
      assert.equal(changed, 12, 'every conversation has gone on in the new way');
    } finally {
      next.remove();
    }
  });

  /** @returns the recorded histories that this version decides otherwise than they were */
  async function refusedBy(change: Change): Promise<string[]> {
    const next = nextVersion(change);
    try {
      const refused: string[] = [];
      for await (const { name, error } of replayHistories(
        await bundleForReplay(next.workflowsPath),
        recordedStories(),
      )) {
        if (error !== undefined) refused.push(name);
      }
      return refused;
    } finally {
      next.remove();
    }
  }

  it('passes the replay gate; the same change made unsafely is stopped there', async () => {
    assert.deepEqual(await refusedBy('safe'), []);
    assert.ok((await refusedBy('unsafe')).length > 10);
  });
});
