/** Measures how much a turn adds to its conversation's history. */
import { conversationWorkflowId, statusQuery } from '../../src/contract/workflows.ts';
import type { Stack } from './stack.ts';
import { until } from './until.ts';

export interface TurnCost {
  events: number;
  bytes: number;
  ms: number;
}

interface Size {
  runId: string;
  events: number;
  bytes: number;
}

/** Takes so many turns, one after the other. @returns what each added; none for one that continued as new */
export async function turnCosts(
  stack: Stack,
  turns: number,
  take: (turn: number) => Promise<string>,
): Promise<(TurnCost | undefined)[]> {
  const costs: (TurnCost | undefined)[] = [];
  let before: Size | undefined;
  for (let turn = 1; turn <= turns; turn++) {
    const begun = performance.now();
    const conversationId = await take(turn);
    const ms = performance.now() - begun;
    const after = await atRest(stack, conversationId, turn);
    costs.push(
      before?.runId === after.runId
        ? { events: after.events - before.events, bytes: after.bytes - before.bytes, ms }
        : undefined,
    );
    before = after;
  }
  return costs;
}

/** The history's size once the workflow waits after so many turns. */
async function atRest({ temporal: { client } }: Stack, conversationId: string, turns: number): Promise<Size> {
  const handle = client.workflow.getHandle(conversationWorkflowId(conversationId));
  await until(`${turns} turns to be over`, async () => {
    const status = await handle.query(statusQuery);
    return status.turns >= turns && /^(answered|waiting for the user)/.test(status.doing);
  });
  const size = async () => {
    const { runId, historyLength: events, historySize: bytes = 0 } = await handle.describe();
    return { runId, events, bytes };
  };
  let seen = await size();
  return await until('the history to rest', async () => {
    const now = await size();
    const rests = now.events === seen.events && now.runId === seen.runId;
    seen = now;
    return rests && now;
  });
}
