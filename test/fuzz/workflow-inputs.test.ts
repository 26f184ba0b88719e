/** The short form of `npm run fuzz:workflows`, with a fixed seed. */
import assert from 'node:assert/strict';
import { useChannelStand } from '../support/channel-stand.ts';
import { fuzzWorkflows } from './workflow-inputs.ts';

describe('Under made-up signals, queries and updates', () => {
  const stand = useChannelStand();

  it('every conversation is answered, and a channel takes its next step', async () => {
    const said: string[] = [];
    const note = (line: string) => said.push(line);
    const { unanswered, stuckChannels, replaced, inputs } = await fuzzWorkflows(stand(), {
      count: 200,
      seed: 1,
      note,
    });
    assert.deepEqual({ unanswered, stuckChannels }, { unanswered: 0, stuckChannels: 0 }, said.join('\n'));
    assert.ok(inputs >= 200);
    assert.ok(replaced >= 1, 'the one that was sent what nobody can read');
  });
});
