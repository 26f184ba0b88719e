/** `npm run bench:turns [-- 1000]`: turns of one conversation, one after the other, over continue-as-new: what the
 *  last ones cost beside the first ones, in time, events and bytes. */
import { conversationWorkflowId } from '../../src/contract/workflows.ts';
import { stopBacking } from '../support/backing.ts';
import { turnCosts, type TurnCost } from '../support/history-per-turn.ts';
import { startStack } from '../support/stack.ts';
import { median } from './numbers.ts';

const turns = Number(process.argv[2] ?? 1000);
const sample = 40;
const stack = await startStack();
try {
  const { api, receiver, temporal } = stack;
  const agent = await api.createAgent({
    script: [{ reply: 'ok' }],
    follow_ups: [{ after_seconds: 3600, instructions: 'still there?' }],
  });
  const contact = { id: 'talks' };
  let workflowId = '';
  const costs = await turnCosts(stack, turns, async (turn) => {
    const path = `/turn/${turn}`;
    const sent = await api.send(agent.id, { message: 'hi', contact, webhook_url: receiver.url(path) });
    workflowId = conversationWorkflowId(sent.conversation_id);
    await receiver.waitFor(path, 1);
    return sent.conversation_id;
  });
  let runs = 0;
  for await (const run of temporal.client.workflow.list({ query: `WorkflowId = '${workflowId}'` }))
    runs += run.runId === '' ? 0 : 1;
  const around = (from: number) => costs.slice(from, from + sample).flatMap((cost) => cost ?? []);
  const line = (name: string, some: TurnCost[]) => {
    const of = (field: keyof TurnCost) => median(some.map((cost) => cost[field])).toFixed(0);
    console.log(
      `${name}: ${of('ms')} ms, ${of('events')} events, ${of('bytes')} bytes a turn (medians of ${some.length})`,
    );
  };
  line('turns from the 10th', around(9));
  line(`turns up to the ${turns}th`, around(turns - sample));
  console.log(`workflow runs of the conversation: ${runs}`);
} finally {
  await stack.stop();
  await stopBacking();
}
